from __future__ import annotations

from typing import Final, TypedDict

from django.http import StreamingHttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from players.leaderboards.board import Board, board_at
from players.leaderboards.boards import (
    COMBINED,
    CORPSE_PART,
    CORPSES_ON,
    LEVEL_PART,
    N_PART,
    STATISTIC_PART,
    STYLE,
    SUM_PART,
    all_boards,
)
from players.leaderboards.filters import BEST_OF, FILTERS, LOST_GAMES
from players.leaderboards.pages.cells import trends_of
from players.leaderboards.pages.columns import CHOSEN, shown_columns
from players.leaderboards.pages.export import EXPORT_LIMIT, KIND_PART, LIMIT, TYPES, board_file, checked_kind
from players.leaderboards.pages.jumps import AT_PLAYER, GAMES, VALUE
from players.leaderboards.pages.serializers import (
    BoardIndexSerializer,
    OpenBoardSerializer,
    board_index_row,
    open_board_values,
)
from players.leaderboards.ranks import page_at
from players.models import ALL_STYLES, Player
from players.people.selectors import own_player, player_of_id
from players.web.api import PublicView
from players.web.parameters import CURSOR, SIZE, BadParameter, Parsed

_SUB_FILTERS: Final = [parameter for parameter in FILTERS if parameter is not BEST_OF]  # a count has no average

OPEN_BOARD = {200: OpenBoardSerializer}
BOARD_FILE = {(200, name.partition(";")[0]): OpenApiTypes.STR for name in TYPES.values()}


class LeaderboardsView(PublicView):
    """The boards on offer."""

    @extend_schema(operation_id="leaderboards_index", responses={200: BoardIndexSerializer})
    def get(self, request: Request) -> Response:
        """List the boards.

        Every level and statistic that is ranked, of won games and then of lost ones.
        """
        boards = [Board(*key) for key in all_boards() if key.style == ALL_STYLES]
        boards += [Board(level, row.name, filters=LOST_GAMES) for level, rows in CORPSES_ON.items() for row in rows]
        return Response(BoardIndexSerializer({"rows": [board_index_row(board) for board in boards]}).data)


class _BoardView(PublicView):
    """A board; the views of its addresses differ in their parameters and their words."""

    query = {"GET": (STYLE, *FILTERS, CHOSEN, AT_PLAYER, VALUE, CURSOR, SIZE)}
    lost = False

    @extend_schema(responses=OPEN_BOARD)
    def get(self, request: Request, level: str = COMBINED, statistic: str = "", n: int | None = None) -> Response:
        board = board_at(level, statistic, n, lost=self.lost).with_parameters(self.params)
        page = page_at(board, **_page_arguments(request, board, self.params))
        trends = trends_of(page, shown_columns(board, self.params["columns"]))
        return Response(OpenBoardSerializer(open_board_values(page, trends)).data)


@extend_schema_view(
    get=extend_schema(
        operation_id="leaderboard",
        parameters=[LEVEL_PART, STATISTIC_PART],
        summary="Return a page of a board, best first",
        description="Ties share a rank and are listed by date.  `player` or `value` opens the page at a place.",
    )
)
class LeaderboardView(_BoardView):
    """One board."""


@extend_schema_view(
    get=extend_schema(
        operation_id="leaderboard_combined",
        parameters=[SUM_PART],
        summary="Return a page of a combined board",
        description="It ranks the sums over three levels; ties go to the harder level, then to the earlier date.",
    )
)
class CombinedView(_BoardView):
    """A combined board."""


@extend_schema_view(
    get=extend_schema(
        operation_id="leaderboard_corpses",
        parameters=[LEVEL_PART, CORPSE_PART],
        summary="Return a page of a board of lost games",
        description="Games that went far enough count (`frame.min_completion`), the best one of each player.",
    )
)
class CorpsesView(_BoardView):
    """A board of lost games."""

    lost = True


@extend_schema_view(
    get=extend_schema(
        operation_id="leaderboard_sub",
        parameters=[LEVEL_PART, N_PART],
        summary="Return a page of a sub-N board",
        description="The number of each player's games below N seconds.  Seconds count from 1: sub-40 is up to 38.99 s.",
    )
)
class SubView(_BoardView):
    """A sub-N board."""

    query = {"GET": (STYLE, *_SUB_FILTERS, CHOSEN, AT_PLAYER, GAMES, CURSOR, SIZE)}


class _PageArguments(TypedDict):
    player: Player | None
    value: float | None
    cursor: str | None
    size: int
    viewer: Player | None


def _page_arguments(request: Request, board: Board, values: Parsed) -> _PageArguments:
    """Arguments of ``page_at`` from parsed parameters; raises ``BadParameter`` or ``Player.DoesNotExist``."""
    player_id, value = values["player"], values["value"]
    if player_id is not None and value is not None:
        raise BadParameter({"value": _("Search for either a player or a value, not both.")})
    return {
        "player": None if player_id is None else player_of_id(player_id),
        "value": None if value is None else float(value),
        "cursor": values["cursor"],
        "size": values["size"],
        "viewer": own_player(request),
    }


# --- files ------------------------------------------------------------------------------------------------------------


_ALL_ROWS: Final = "All rows with the columns of its page, as a stream; NDJSON has one JSON object a line."


class _BoardRowsView(PublicView):
    """A board as a file, whatever the client accepts: the address says the format."""

    rate_limits = {"GET": (EXPORT_LIMIT,)}
    query = {"GET": (STYLE, *FILTERS, CHOSEN, LIMIT)}
    lost = False

    def perform_content_negotiation(self, request: Request, force: bool = False) -> tuple[BaseRenderer, str]:
        """Never 406."""
        return super().perform_content_negotiation(request, force=True)

    @extend_schema(responses=BOARD_FILE)
    def get(
        self, request: Request, kind: str, level: str = COMBINED, statistic: str = "", n: int | None = None
    ) -> StreamingHttpResponse:
        board = board_at(level, statistic, n, lost=self.lost).with_parameters(self.params)
        columns = shown_columns(board, self.params["columns"])
        return board_file(request, board, checked_kind(kind), columns, self.params["limit"])


@extend_schema_view(
    get=extend_schema(
        operation_id="leaderboard_rows",
        parameters=[LEVEL_PART, STATISTIC_PART, KIND_PART],
        summary="Download a board as CSV or NDJSON",
        description=_ALL_ROWS,
    )
)
class BoardRowsView(_BoardRowsView):
    """One board as a file."""


@extend_schema_view(
    get=extend_schema(
        operation_id="leaderboard_combined_rows",
        parameters=[SUM_PART, KIND_PART],
        summary="Download a combined board as CSV or NDJSON",
        description=_ALL_ROWS,
    )
)
class CombinedRowsView(_BoardRowsView):
    """A combined board as a file."""


@extend_schema_view(
    get=extend_schema(
        operation_id="leaderboard_corpses_rows",
        parameters=[LEVEL_PART, CORPSE_PART, KIND_PART],
        summary="Download a board of lost games as CSV or NDJSON",
        description=_ALL_ROWS,
    )
)
class CorpsesRowsView(_BoardRowsView):
    """A board of lost games as a file."""

    lost = True


@extend_schema_view(
    get=extend_schema(
        operation_id="leaderboard_sub_rows",
        parameters=[LEVEL_PART, N_PART, KIND_PART],
        summary="Download a sub-N board as CSV or NDJSON",
        description=_ALL_ROWS,
    )
)
class SubRowsView(_BoardRowsView):
    """A sub-N board as a file."""

    query = {"GET": (STYLE, *_SUB_FILTERS, CHOSEN, LIMIT)}
