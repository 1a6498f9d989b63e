from __future__ import annotations

from typing import Final

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from players.db.changes import PUBLIC, ChangesPage
from players.models import Change
from players.web.links import address_of

_ADDRESSES: Final = {Change.Thing.REPLAY: "api-replay", Change.Thing.PLAYER: "api-player"}
_THINGS: Final = [(one.value, one.label) for one in PUBLIC]
_KINDS: Final = [(one.value, one.label) for one in Change.Kind if one is not Change.Kind.HIDDEN]


class ChangeSerializer(serializers.Serializer[Change]):
    """A public row that came, changed or went.  Applying one twice does no harm."""

    id = serializers.IntegerField(help_text="Of the entry; no two entries share it.")
    thing = serializers.ChoiceField(choices=_THINGS, help_text="What kind of row it is.")
    thing_id = serializers.IntegerField(help_text="The number of the row: of the replay, player or record.")
    kind = serializers.SerializerMethodField(help_text="What happened to the row; deleted: it's not public any more.")
    updated_at = serializers.DateTimeField(help_text="When it happened; of a row that's still there, its `updated_at`.")
    url = serializers.SerializerMethodField(
        help_text="The row in the API, 410 once it's deleted. Records have no URL of their own: `/records/?ids=` has them."
    )

    @extend_schema_field(serializers.ChoiceField(choices=_KINDS))
    def get_kind(self, change: Change) -> str:
        return str(Change.Kind.DELETED if change.kind == Change.Kind.HIDDEN else change.kind)

    def get_url(self, change: Change) -> str:
        name = _ADDRESSES.get(Change.Thing(change.thing))
        return f"{reverse('api-records')}?ids={change.thing_id}" if name is None else address_of(name, change.thing_id)


class ChangesPageSerializer(serializers.Serializer[ChangesPage]):
    """Entries after a place in the feed, oldest first."""

    rows = ChangeSerializer(many=True)
    after = serializers.CharField(source="place", help_text="Pass it on as `after` to read what comes next.")
    more = serializers.BooleanField(help_text="Whether further entries are there already.")
