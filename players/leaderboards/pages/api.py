from __future__ import annotations

from collections.abc import Collection
from typing import TypedDict

from django.http import StreamingHttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from players.leaderboards.boards import (
    COMBINED,
    CORPSE_PART,
    CORPSES_ON,
    LEVEL_PART,
    STATISTIC_PART,
    STYLE,
    SUM_PART,
    BoardKey,
    all_boards,
    board_key,
)
from players.leaderboards.filters import FILTERS, BoardFilter, board_filter
from players.leaderboards.pages.cells import trends_of
from players.leaderboards.pages.columns import CHOSEN, Column, shown_columns
from players.leaderboards.pages.export import EXPORT_LIMIT, KIND_PART, LIMIT, TYPES, board_file, checked_kind, page_size
from players.leaderboards.pages.jumps import AT_PLAYER, VALUE
from players.leaderboards.pages.serializers import (
    BoardIndexSerializer,
    OpenBoardSerializer,
    board_index_row,
    open_board_values,
)
from players.leaderboards.ranks import BoardPage, page_at
from players.models import ALL_STYLES, Player
from players.people.selectors import own_player, player_of_id
from players.web.api import PublicView, read_query
from players.web.parameters import CURSOR, NO_PARAMETERS, SIZE, BadParameter, Parsed, query_of

BoardQuery = query_of(STYLE, *FILTERS, CHOSEN, AT_PLAYER, VALUE, CURSOR, SIZE)
RowsQuery = query_of(STYLE, *FILTERS, CHOSEN, LIMIT)


OPEN_BOARD = {200: OpenBoardSerializer}
BOARD_FILE = {(200, name.partition(";")[0]): OpenApiTypes.STR for name in TYPES.values()}


class LeaderboardsView(PublicView):
    """The boards on offer."""

    @extend_schema(operation_id="leaderboards_index", responses={200: BoardIndexSerializer})
    def get(self, request: Request) -> Response:
        """List the boards.

        Every level and statistic that is ranked, of won games and then of lost ones.
        """
        read_query(NO_PARAMETERS, request)
        rows = [board_index_row(key) for key in all_boards() if key.style == ALL_STYLES]
        rows += [
            board_index_row(BoardKey(level, row.name, ALL_STYLES), lost=True)
            for level, on_level in CORPSES_ON.items()
            for row in on_level
        ]
        return Response(BoardIndexSerializer({"rows": rows}).data)


class LeaderboardView(PublicView):
    """One board."""

    @extend_schema(
        operation_id="leaderboard", parameters=[LEVEL_PART, STATISTIC_PART, BoardQuery], responses=OPEN_BOARD
    )
    def get(self, request: Request, level: str, statistic: str) -> Response:
        """Return a page of a board, best first.

        Ties share a rank and are listed by date.  `player` or `value` opens the page at a place.
        """
        return _board(request, board_key(level, statistic))


class CombinedView(PublicView):
    """A combined board."""

    @extend_schema(operation_id="leaderboard_combined", parameters=[SUM_PART, BoardQuery], responses=OPEN_BOARD)
    def get(self, request: Request, statistic: str) -> Response:
        """Return a page of a combined board.

        It ranks the sums over three levels; ties go to the harder level, then to the earlier date.
        """
        return _board(request, board_key(COMBINED, statistic))


class CorpsesView(PublicView):
    """A board of lost games."""

    @extend_schema(
        operation_id="leaderboard_corpses", parameters=[LEVEL_PART, CORPSE_PART, BoardQuery], responses=OPEN_BOARD
    )
    def get(self, request: Request, level: str, statistic: str) -> Response:
        """Return a page of a board of lost games.

        Games that went far enough count (`frame.min_completion`), the best one of each player.
        """
        return _board(request, board_key(level, statistic, lost=True), lost=True)


def _board(request: Request, key: BoardKey, *, lost: bool = False) -> Response:
    values = read_query(BoardQuery, request)
    key = key._replace(style=values["style"])
    filters = board_filter(values, combined=key.level == COMBINED, lost=lost)
    value = None if values["value"] is None else float(values["value"])
    page = page_at(key, filters, value=value, **page_arguments(request, values))
    return open_board_response(page, filters, shown_columns(key, filters, values["columns"]))


class PageArguments(TypedDict):
    player: Player | None
    cursor: str | None
    size: int
    viewer: Player | None


def page_arguments(request: Request, values: Parsed) -> PageArguments:
    """Arguments of ``page_at`` from parsed parameters; raises ``BadParameter`` or ``Player.DoesNotExist``."""
    player_id = values["player"]
    if player_id is not None and values["value"] is not None:
        raise BadParameter({"value": _("Search for either a player or a value, not both.")})
    return {
        "player": None if player_id is None else player_of_id(player_id),
        "cursor": values["cursor"],
        "size": values["size"],
        "viewer": own_player(request),
    }


def open_board_response(page: BoardPage, filters: BoardFilter, columns: Collection[Column]) -> Response:
    """The response for ``page`` of a board with ``filters``; of ``columns``, trends alone are left out if not chosen."""
    return Response(OpenBoardSerializer(open_board_values(page, filters, trends_of(page, columns))).data)


# --- files ------------------------------------------------------------------------------------------------------------


class FileView(PublicView):
    """A board as a file, whatever the client accepts: the address says the format."""

    rate_limits = {"GET": (EXPORT_LIMIT,)}

    def perform_content_negotiation(self, request: Request, force: bool = False) -> tuple[BaseRenderer, str]:
        """Never 406."""
        return super().perform_content_negotiation(request, force=True)


class BoardRowsView(FileView):
    """One board as a file."""

    @extend_schema(
        operation_id="leaderboard_rows",
        parameters=[LEVEL_PART, STATISTIC_PART, KIND_PART, RowsQuery],
        responses=BOARD_FILE,
    )
    def get(self, request: Request, level: str, statistic: str, kind: str) -> StreamingHttpResponse:
        """Download a board as CSV or NDJSON.

        All rows with the columns of its page, as a stream; NDJSON has one JSON object a line.
        """
        return _board_file(request, board_key(level, statistic), checked_kind(kind))


class CombinedRowsView(FileView):
    """A combined board as a file."""

    @extend_schema(
        operation_id="leaderboard_combined_rows", parameters=[SUM_PART, KIND_PART, RowsQuery], responses=BOARD_FILE
    )
    def get(self, request: Request, statistic: str, kind: str) -> StreamingHttpResponse:
        """Download a combined board as CSV or NDJSON.

        All rows with the columns of its page, as a stream; NDJSON has one JSON object a line.
        """
        return _board_file(request, board_key(COMBINED, statistic), checked_kind(kind))


class CorpsesRowsView(FileView):
    """A board of lost games as a file."""

    @extend_schema(
        operation_id="leaderboard_corpses_rows",
        parameters=[LEVEL_PART, CORPSE_PART, KIND_PART, RowsQuery],
        responses=BOARD_FILE,
    )
    def get(self, request: Request, level: str, statistic: str, kind: str) -> StreamingHttpResponse:
        """Download a board of lost games as CSV or NDJSON.

        All rows with the columns of its page, as a stream; NDJSON has one JSON object a line.
        """
        return _board_file(request, board_key(level, statistic, lost=True), checked_kind(kind), lost=True)


def _board_file(request: Request, key: BoardKey, kind: str, *, lost: bool = False) -> StreamingHttpResponse:
    values = read_query(RowsQuery, request)
    key = key._replace(style=values["style"])
    filters = board_filter(values, combined=key.level == COMBINED, lost=lost)
    columns = shown_columns(key, filters, values["columns"])
    limit = values["limit"]

    def at(cursor: str | None) -> BoardPage:
        return page_at(key, filters, cursor=cursor, size=page_size(limit))

    return board_file(request, kind, at, columns, limit, prefix="corpses" if lost else "")
