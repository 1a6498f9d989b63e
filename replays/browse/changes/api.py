from __future__ import annotations

from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from players.db.changes import RETENTION, ChangesPage, PlaceLost, changes_after, place_from, place_now
from players.web.api import PublicView
from players.web.event_stream import CONTENT_TYPE, EventRenderer, EventStream
from players.web.parameters import SIZE, NeedsAccount, Parameter, choices
from players.web.problems import Refused
from players.web.rate_limits import RateLimit, client_address, count_or_refuse
from players.web.users import signed_in_user
from replays.browse.changes.events import HUB, KINDS, Listener
from replays.browse.changes.serializers import ChangesPageSerializer

AFTER: Final = Parameter[str | None](
    "after", str, None, {"type": "string"},
    "Where the page begins: `after` of the last answer. Without it the answer has no rows, and the place to begin at.",
)  # fmt: skip


EVENTS_QUERY: Final = (
    choices(
        "kinds", KINDS, default=("record", "best"),
        description="What to hear of: records of the site, bests of players, own uploads once they are analysed (which "
        "needs an account).",
    ),
    AFTER,
)  # fmt: skip


class ChangesView(PublicView):
    """The feed of changes."""

    query = {"GET": (AFTER, SIZE)}
    answers_gone = True

    @extend_schema(operation_id="changes_list", responses={200: ChangesPageSerializer})
    def get(self, request: Request) -> Response:
        """List changes of replays, players and records.

        What came, changed or went, in an order in which nothing is ever missing.  Ask without `after` first, then read the lists, then ask with the `after` of each answer. Entries are kept for 30
        days; an older `after` answers 410 with the code `changes_gone`, and a copy has to be made anew.
        """
        values = self.params
        if values["after"] is None:
            page = ChangesPage([], place_now(), more=False)
        else:
            try:
                page = changes_after(place_from(values["after"]), values["size"])
            except PlaceLost as error:
                raise changes_gone() from error
        return Response(ChangesPageSerializer(page).data)


#: Streams that one network may open; with more it would have what was missed read again and again.
EVENTS_LIMIT: Final = RateLimit("events", "60/minute")


class EventsView(PublicView):
    """Server-sent events."""

    query = {"GET": EVENTS_QUERY}
    renderer_classes = [JSONRenderer, EventRenderer]
    rate_limits = {"GET": (EVENTS_LIMIT,)}
    answers_gone = True

    @extend_schema(operation_id="events", responses={(200, CONTENT_TYPE): OpenApiTypes.STR})
    def get(self, request: Request) -> EventStream:
        """Listen to records, bests and own uploads.

        As they happen, as server-sent events.  The data of `record`, `best` and `restored` is a row of `/records/`, that of
        `withdrawn` has its `identity`, `kind`, `statistic`, `level`, `style` and `replay`, and that of `upload` is a row of
        `/replays/status/`.  A record that is taken back, as its game was frozen or deleted, is an event `withdrawn`; if it
        comes again it is `restored`, and not a new record: its `identity` is the same.  Each event has an id; a program that
        connects again with it as `Last-Event-ID`, or as `after`, hears what it missed.  An id without an event says how far
        the stream has come: keep it too.  A place that is too old answers 410.  A stream ends after an hour at the latest,
        and earlier if much was missed: connect again after `retry` milliseconds.
        """
        values = self.params
        user = signed_in_user(request)
        if "upload" in values["kinds"] and user is None:
            raise NeedsAccount({"kinds": _("To receive events about your uploads, sign in or send a token.")})
        given = request.headers.get("Last-Event-ID") or values["after"]
        try:
            place = place_from(given) if given else None
        except PlaceLost as error:
            raise changes_gone() from error
        address = client_address(request)
        count_or_refuse(EVENTS_LIMIT, address)
        if not HUB.has_room(address):
            raise Refused("too_many_requests", _("Too many programs are connected. Try again later."), 60)
        account = None if user is None else user.pk
        return EventStream(lambda: HUB.stream(Listener(frozenset(values["kinds"]), address, account, place)))


def changes_gone() -> Refused:
    """The problem of a place that is too old: it names where a copy begins anew."""
    text = _(
        "Changes are kept for %(days)d days. Your cursor is too old or comes from another database. Start over at "
        "%(address)s"
    )
    return Refused("changes_gone", text % {"days": RETENTION.days, "address": reverse("api-data")})
