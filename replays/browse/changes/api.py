from __future__ import annotations

from typing import Final

from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.db.changes import RETENTION, ChangesPage, PlaceLost, changes_after, place_from, place_now
from players.web.api import ApiError, PublicView, read_query
from players.web.parameters import SIZE, Parameter, query_of
from players.web.problems import ProblemDetails
from replays.browse.changes.serializers import ChangesPageSerializer

AFTER: Final = Parameter[str | None](
    "after", str, None, {"type": "string"},
    "Where the page begins: `after` of the last answer. Without it the answer has no rows, and the place to begin at.",
)  # fmt: skip
ChangesQuery = query_of(AFTER, SIZE)


class ChangesView(PublicView):
    """The feed of changes."""

    @extend_schema(operation_id="changes_list", parameters=[ChangesQuery], responses={200: ChangesPageSerializer})
    def get(self, request: Request) -> Response:
        """Replays, players and records that came, changed or went, in an order in which nothing is ever missing.

        Ask without `after` first, then read the lists, then ask with the `after` of each answer. Entries are kept for 30
        days; an older `after` answers 410 with the code `changes_gone`, and a copy has to be made anew.
        """
        values = read_query(ChangesQuery, request)
        if values["after"] is None:
            page = ChangesPage([], place_now(), more=False)
        else:
            try:
                page = changes_after(place_from(values["after"]), values["size"])
            except PlaceLost as error:
                raise ApiError(changes_gone()) from error
        return Response(ChangesPageSerializer(page).data, headers={"Cache-Control": "no-store"})


def changes_gone() -> ProblemDetails:
    """The problem of a place that is too old: it names where a copy begins anew."""
    try:
        begin = reverse("api-dumps")
    except NoReverseMatch:
        begin = reverse("api-replays")
    text = _("Changes are kept for %(days)d days, and yours is older or from another database. Begin anew: %(address)s")
    return ProblemDetails("changes_gone", text % {"days": RETENTION.days, "address": begin})
