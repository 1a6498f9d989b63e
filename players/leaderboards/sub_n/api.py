"""The REST interface of sub-N boards."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.leaderboards.boards import LEVEL_PART, N_PART, STYLE, checked_level, checked_sub_n
from players.leaderboards.filters import BEST_OF, FILTERS, board_filter
from players.leaderboards.pages.api import OPEN_BOARD, open_board_response, page_arguments
from players.leaderboards.pages.jumps import AT_PLAYER, GAMES
from players.leaderboards.ranks import sub_n_page_at
from players.web.api import PublicView, read_query
from players.web.parameters import CURSOR, SIZE, query_of

_FILTERS = [parameter for parameter in FILTERS if parameter is not BEST_OF]  # a count has no average
#: The parameters of a sub-N board.
SubNQuery = query_of(STYLE, *_FILTERS, AT_PLAYER, GAMES, CURSOR, SIZE)


class SubView(PublicView):
    """A sub-N board."""

    @extend_schema(operation_id="leaderboard_sub", parameters=[LEVEL_PART, N_PART, SubNQuery], responses=OPEN_BOARD)
    def get(self, request: Request, level: str, n: int) -> Response:
        """How many games each player has below N seconds.  Seconds count from 1: sub-40 is up to 38.99 s."""
        checked_level(level)
        checked_sub_n(n)
        values = read_query(SubNQuery, request)
        filters = board_filter(values)
        page = sub_n_page_at(
            level, n, values["style"], filters, value=values["value"], **page_arguments(request, values)
        )
        return open_board_response(page, filters)
