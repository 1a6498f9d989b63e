"""Boards that open at a player or at a value, and what share of a board stands there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from django.db.models import QuerySet

from players.boards import COMBINED, BoardKey
from players.keyset import before, cursor_after
from players.models import Player
from players.selectors.ahead import ahead_of, size_of
from players.selectors.leaderboards import BoardPage, combined_page, leaderboard_page, rows_of
from players.selectors.ranks import COMBINED_ORDER, DEFAULT_SIZE, ORDER, page_size, place_of

#: What stands before every row of the same rank key: the rest of a position, in the order of the columns.
_FIRST_OF_KEY: Final = (datetime.min.replace(tzinfo=UTC), 0)
_FIRST_OF_SUM: Final = (-math.inf, -math.inf, *_FIRST_OF_KEY)


@dataclass(frozen=True, slots=True)
class Jump:
    """Where a board was asked to open: at the place of ``player``, or where ``value`` would stand.

    ``rank``: of that place; None if the player has none.
    """

    player: Player | None
    value: float | None
    rank: int | None


@dataclass(frozen=True, slots=True)
class OpenBoard:
    """A page of a board, the number of players on the whole board, and where it was asked to open."""

    page: BoardPage
    players: int
    jump: Jump | None


def percentile(rank: int, players: int) -> float:
    """The share of a board, in percent, that a rank ends: rank 5 of 50 is in the top 10 %.

    A value that would come after everybody has a rank beyond the last; it is in the top 100 % as well.
    """
    return min(100.0, 100 * rank / players) if players else 100.0


def open_board(
    key: BoardKey,
    *,
    player: Player | None = None,
    value: float | None = None,
    cursor: str | None = None,
    size: int = DEFAULT_SIZE,
    viewer: Player | None = None,
) -> OpenBoard:
    """The page of ``key`` that holds the place of ``player``, or that begins where ``value`` would stand.

    One of both at most.  A ``cursor`` decides alone which page it is.  A player who has no place gets the first page.
    The rank of a value is 1 + the number of better rows (on combined boards: better sums), as if it came in now.
    Raises ``BadCursor``.
    """
    if player is not None and value is not None:
        raise ValueError("a board opens at a player or at a value, not at both")
    size = page_size(size)
    jump, start = None, None
    if player is not None:
        jump, start = _to_player(key, player, size)
    elif value is not None:
        jump, start = _to_value(key, value)
    page = _page(key, cursor or start, size, viewer)
    return OpenBoard(page, size_of(key), jump)


def _page(key: BoardKey, cursor: str | None, size: int, viewer: Player | None) -> BoardPage:
    if key.level == COMBINED:
        return combined_page(key.statistic, key.style, cursor=cursor, size=size, viewer=viewer)
    return leaderboard_page(key, cursor=cursor, size=size, viewer=viewer)


def _to_player(key: BoardKey, player: Player, size: int) -> tuple[Jump, str | None]:
    """The place of ``player``, and the cursor of the page that one would find it on when paging from the start."""
    board = rows_of(key)
    row = next(iter(board.filter(player=player)), None)  # unique; first() would sort it
    if row is None:
        return Jump(player, None, None), None
    order = COMBINED_ORDER if key.level == COMBINED else ORDER
    rank, position = place_of(key, row)
    on_page = position % size
    start = None if position == on_page else _cursor_back(board, row, order, on_page)
    return Jump(player, None, rank), start


def _cursor_back(board: QuerySet[Any, Any], row: Any, order: Sequence[str], steps: int) -> str | None:
    """The cursor of the page that begins ``steps`` rows before ``row``."""
    earlier = board.filter(before(row, order)).order_by(*(f"-{name}" for name in order)).values_list(*order)
    last_of_previous_page = next(iter(earlier[steps : steps + 1]), None)
    return None if last_of_previous_page is None else cursor_after(last_of_previous_page, order)


def _to_value(key: BoardKey, value: float) -> tuple[Jump, str | None]:
    """The rank that ``value`` would have, and the cursor of the page that begins there."""
    rank_key = key.row.rank_key(value)
    ahead = ahead_of(key, rank_key)
    jump = Jump(None, value, 1 + ahead)
    if not ahead:
        return jump, None
    if key.level == COMBINED:
        return jump, cursor_after((rank_key, *_FIRST_OF_SUM), COMBINED_ORDER)
    return jump, cursor_after((rank_key, *_FIRST_OF_KEY), ORDER)
