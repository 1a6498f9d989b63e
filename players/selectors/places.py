"""Boards that open at a player or at a value, and what share of a board stands there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from operator import attrgetter
from typing import Any, Final

from players.boards import COMBINED, COMBINED_ORDER, ORDER, BoardKey
from players.keyset import cursor_after
from players.models import Player
from players.questions import together
from players.selectors.ahead import PlayerPlace, ahead_of, ask_size_of, place_of_player
from players.selectors.leaderboards import BoardPage, leaderboard_page, listed, names_of, told_page
from players.selectors.ranks import DEFAULT_SIZE, TOP, Start, better_by, page_size

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
    if player is not None and not cursor:
        return _at_player(key, player, size, viewer)
    jump, start = None, None
    if player is not None:
        place = place_of_player(key, player.pk)
        jump = Jump(player, None, None if place is None else place.rank)
    elif value is not None:
        jump, start, found = _to_value(key, value)
        cursor, start = (cursor, None) if cursor else (found, start)
    with together():
        players = ask_size_of(key)
        page = leaderboard_page(key, cursor=cursor, start=start, size=size, viewer=viewer)
        return OpenBoard(page, players(), jump)


def _at_player(key: BoardKey, player: Player, size: int, viewer: Player | None) -> OpenBoard:
    """The page that one would find ``player`` on when paging from the start; the first, if they have no place."""
    place = place_of_player(key, player.pk)
    if place is None:
        return replace(open_board(key, size=size, viewer=viewer), jump=Jump(player, None, None))
    steps = place.position % size
    page, before = listed(key).around(place.keys, steps, size, **names_of(key))
    start = _start(key, place, steps, before, page.rows)
    return OpenBoard(told_page(key, page, start, viewer), place.players, Jump(player, None, place.rank))


def _start(key: BoardKey, place: PlayerPlace, steps: int, before: Any, rows: Sequence[Any]) -> Start | None:
    """Where the page begins of which the row at ``place`` is number ``steps``; None if that takes another look."""
    if before is None:
        return TOP
    if not steps:
        return Start(place.rank, place.position)
    ranked = attrgetter(*better_by(key))
    if ranked(before) == ranked(rows[0]):
        return None  # the tie began on the page before
    first = place.position - steps
    return Start(1 + first, first)


def _to_value(key: BoardKey, value: float) -> tuple[Jump, Start | None, str | None]:
    """The rank that ``value`` would have, and the cursor to the page that begins there with its place."""
    rank_key = key.row.rank_key(value)
    ahead = ahead_of(key, rank_key)
    jump = Jump(None, value, 1 + ahead)
    if not ahead:
        return jump, None, None
    # The first row of that page is the first of its key, if the key is that of any row.
    start = Start(1 + ahead, ahead)
    if key.level == COMBINED:
        return jump, start, cursor_after((rank_key, *_FIRST_OF_SUM), COMBINED_ORDER)
    return jump, start, cursor_after((rank_key, *_FIRST_OF_KEY), ORDER)
