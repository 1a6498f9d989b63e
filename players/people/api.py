from __future__ import annotations

from typing import Final

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.models import MAX_NAME_CHARS
from players.people.selectors import players_page
from players.people.serializers import PlayerPageSerializer, player_list_row
from players.web.api import PublicView, page_values
from players.web.parameters import CURSOR, MAX_PAGE_SIZE, SIZE, ids, text

PLAYERS_QUERY: Final = (
    text(
        "q",
        most_chars=MAX_NAME_CHARS,
        description="Any part of a name; case and accents do not matter. The first 64 characters of it count.",
    ),
    ids(
        "ids",
        most=MAX_PAGE_SIZE,
        description="Only these players, merged ones left out; `q` searches for nothing then.",
    ),
    CURSOR,
    SIZE,
)


class PlayersView(PublicView):
    """The players of the site."""

    query = {"GET": PLAYERS_QUERY}

    @extend_schema(operation_id="players_list", responses={200: PlayerPageSerializer})
    def get(self, request: Request) -> Response:
        """List players by name."""
        values = self.params
        page = players_page(values["q"], values["cursor"], values["size"], values["ids"])
        rows = [player_list_row(row) for row in page.rows]
        return Response(PlayerPageSerializer(page_values(page, rows)).data)
