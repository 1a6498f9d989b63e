"""Boards that open at a player or at a value, and what share of a board stands there."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet

from players.boards import COMBINED, BoardKey
from players.keyset import before, cursor_after
from players.models import CombinedBest, PersonalBest, Player
from players.questions import Question
from players.selectors.ahead import ahead_of, ahead_of_row_and_size, size_of
from players.selectors.leaderboards import BoardPage, combined_page, leaderboard_page
from players.selectors.ranks import COMBINED_ORDER, DEFAULT_SIZE, MAX_SIZE, ORDER, Start, better_by, page_size

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
    opening = _Opening()
    if player is not None:
        opening = _to_player(key, player, size)
    elif value is not None:
        opening = _to_value(key, value)
    if cursor:
        opening = replace(opening, cursor=cursor, start=None)
    page = _page(key, opening, size, viewer)
    players = size_of(key) if opening.players is None else opening.players
    return OpenBoard(page, players, opening.jump)


@dataclass(frozen=True, slots=True)
class _Opening:
    """The page to show, and what is known of it; None is not known."""

    jump: Jump | None = None
    cursor: str | None = None
    start: Start | None = None
    players: int | None = None


def _page(key: BoardKey, opening: _Opening, size: int, viewer: Player | None) -> BoardPage:
    if key.level == COMBINED:
        return combined_page(
            key.statistic, key.style, cursor=opening.cursor, start=opening.start, size=size, viewer=viewer
        )
    return leaderboard_page(key, cursor=opening.cursor, start=opening.start, size=size, viewer=viewer)


def _to_player(key: BoardKey, player: Player, size: int) -> _Opening:
    """The place of ``player``, and the page that one would find it on when paging from the start."""
    row = _row_of(key, player)
    if row is None:
        return _Opening(Jump(player, None, None))
    ahead, position, players = ahead_of_row_and_size(key, row)
    place, on_page = Start(1 + ahead, position), position % size
    jump = Jump(player, None, place.rank)
    if position == on_page:
        return _Opening(jump, players=players)
    cursor, start = _back(key, row, place, on_page)
    return _Opening(jump, cursor, start, players)


def _back(key: BoardKey, row: Any, place: Start, steps: int) -> tuple[str | None, Start | None]:
    """The cursor of the page that begins ``steps`` rows before ``row`` at ``place``, and that of its first row.

    That place is not known if the first row is tied with one on the page before.
    """
    order = COMBINED_ORDER if key.level == COMBINED else ORDER
    position = {f"at_{name}": getattr(row, name) for name in order}
    found = _rows_before(key.level == COMBINED, steps).ask(**_names(key), **position)()
    if len(found) <= min(steps, 1):  # rows have gone meanwhile: it is the first page
        return None, None
    last_before = found[-1]
    cursor = cursor_after(last_before, order)
    if not steps:
        return cursor, place
    ranked = len(better_by(key))  # the first columns of the order
    tied = found[0][:ranked] == last_before[:ranked]
    first = place.position - steps
    return cursor, None if tied else Start(1 + first, first)


class _Row(NamedTuple):
    """What a row of ``PersonalBest`` is listed by."""

    rank_key: float
    achieved_at: datetime
    id: int


class _Sum(NamedTuple):
    """What a row of ``CombinedBest`` is listed by."""

    rank_key: float
    expert_key: float
    intermediate_key: float
    achieved_at: datetime
    id: int


def _row_of(key: BoardKey, player: Player) -> _Row | _Sum | None:
    kind = _Sum if key.level == COMBINED else _Row
    rows = _row_asked(key.level == COMBINED).ask(**_names(key), player=player.pk)()
    return kind._make(rows[0]) if rows else None


@cache
def _row_asked(combined: bool) -> Question:
    """The row of a player, who has one at most."""
    order = COMBINED_ORDER if combined else ORDER
    return Question(lambda player, **names: _listed(**names).filter(player=player).values_list(*order))


@lru_cache(maxsize=MAX_SIZE * 2)
def _rows_before(combined: bool, steps: int) -> Question:
    """The rows ``steps`` and one more before a position, in this order."""
    order = COMBINED_ORDER if combined else ORDER

    def build(**values: Any) -> QuerySet[Any, Any]:
        position = tuple(values.pop(f"at_{name}") for name in order)
        earlier = _listed(**values).filter(before(position, order)).order_by(*(f"-{name}" for name in order))
        return earlier.values_list(*order)[max(0, steps - 1) : steps + 1]

    return Question(build)


def _names(key: BoardKey) -> dict[str, str]:
    """What the rows of a board are found by; those of sums are all of one level."""
    names = {"statistic": key.statistic, "style": key.style}
    return names if key.level == COMBINED else names | {"level": key.level}


def _listed(**names: str) -> QuerySet[Any, Any]:
    return PersonalBest.objects.filter(**names) if "level" in names else CombinedBest.objects.filter(**names)


def _to_value(key: BoardKey, value: float) -> _Opening:
    """The rank that ``value`` would have, and the page that begins there."""
    rank_key = key.row.rank_key(value)
    ahead = ahead_of(key, rank_key)
    jump = Jump(None, value, 1 + ahead)
    if not ahead:
        return _Opening(jump)
    # The first row of that page is the first of its key, if the key is that of any row.
    start = Start(1 + ahead, ahead)
    if key.level == COMBINED:
        return _Opening(jump, cursor_after((rank_key, *_FIRST_OF_SUM), COMBINED_ORDER), start)
    return _Opening(jump, cursor_after((rank_key, *_FIRST_OF_KEY), ORDER), start)
