from __future__ import annotations

from django.http import StreamingHttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.leaderboards.boards import LEVEL_PART, N_PART, STYLE, BoardKey, checked_level, checked_sub_n
from players.leaderboards.filters import BEST_OF, FILTERS, board_filter
from players.leaderboards.pages.api import BOARD_FILE, OPEN_BOARD, FileView, open_board_response, page_arguments
from players.leaderboards.pages.columns import CHOSEN, shown_columns
from players.leaderboards.pages.export import KIND_PART, LIMIT, board_file, checked_kind, page_size
from players.leaderboards.pages.jumps import AT_PLAYER, GAMES
from players.leaderboards.ranks import BoardPage, sub_n_page_at
from players.models import ALL_STYLES
from players.web.api import PublicView
from players.web.parameters import CURSOR, SIZE

_FILTERS = [parameter for parameter in FILTERS if parameter is not BEST_OF]  # a count has no average


class SubView(PublicView):
    """A sub-N board."""

    query = {"GET": (STYLE, *_FILTERS, CHOSEN, AT_PLAYER, GAMES, CURSOR, SIZE)}

    @extend_schema(operation_id="leaderboard_sub", parameters=[LEVEL_PART, N_PART], responses=OPEN_BOARD)
    def get(self, request: Request, level: str, n: int) -> Response:
        """Return a page of a sub-N board.

        The number of each player's games below N seconds.  Seconds count from 1: sub-40 is up to 38.99 s.
        """
        checked_level(level)
        checked_sub_n(n)
        values = self.params
        filters = board_filter(values)
        page = sub_n_page_at(
            level, n, values["style"], filters, value=values["value"], **page_arguments(request, values)
        )
        return open_board_response(page, filters, shown_columns(page.key, filters, values["columns"]))


class SubRowsView(FileView):
    """A sub-N board as a file."""

    query = {"GET": (STYLE, *_FILTERS, CHOSEN, LIMIT)}

    @extend_schema(
        operation_id="leaderboard_sub_rows", parameters=[LEVEL_PART, N_PART, KIND_PART], responses=BOARD_FILE
    )
    def get(self, request: Request, level: str, n: int, kind: str) -> StreamingHttpResponse:
        """Download a sub-N board as CSV or NDJSON.

        All rows with the columns of its page, as a stream; NDJSON has one JSON object a line.
        """
        key = BoardKey(checked_level(level), f"sub{checked_sub_n(n)}", ALL_STYLES)
        checked_kind(kind)
        values = self.params
        key, filters, limit = key._replace(style=values["style"]), board_filter(values), values["limit"]

        def at(cursor: str | None) -> BoardPage:
            return sub_n_page_at(level, n, key.style, filters, cursor=cursor, size=page_size(limit))

        return board_file(request, kind, at, shown_columns(key, filters, values["columns"]), limit)
