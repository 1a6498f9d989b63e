from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from operator import attrgetter
from typing import Final, NamedTuple

from django.db.models import F, QuerySet

from players.db.keyset import cursor_after, page_around, page_of_tuples
from players.db.select import Row
from players.leaderboards.board import Board
from players.leaderboards.boards import (
    BETTER,
    COMBINED,
    COMBINED_BETTER,
    COMBINED_LEVELS,
    COMBINED_ORDER,
    ORDER,
    BoardKey,
)
from players.leaderboards.ranks.count import (
    TOP,
    Place,
    PlayerPlace,
    board_size,
    place_of,
    place_of_player,
    rank_of,
    rank_of_value,
)
from players.leaderboards.ranks.rows import BestRow, BoardPage, BoardRow, Jump, Part, StoredRow, SumRow, coarsest
from players.models import PROVISIONAL, CombinedBest, PersonalBest, Player
from players.people.player_refs import PLAYER_COLUMNS, PlayerRef, player_refs, with_player_ref
from replays.models.stated_dates import date_has_zone

_MOST_READ: Final = 200
#: The sort columns after ``rank_key``, with values smaller than those of any row: a cursor to the first row of a key.
_FIRST_OF_KEY: Final = (datetime.min.replace(tzinfo=UTC), 0)
_FIRST_OF_SUM: Final = (-math.inf, -math.inf, *_FIRST_OF_KEY)


def stored_page(
    board: Board, *, player: Player | None, value: float | None, cursor: str | None, size: int, viewer: Player | None
) -> BoardPage:
    """A page of ``board``, which has no filter; see :func:`players.leaderboards.ranks.page.page_at`."""
    key = board.key
    if player is not None and not cursor:
        return _page_at_player(board, player, size, viewer)
    jump, start = None, None
    if player is not None:
        found = place_of_player(key, player.pk)
        jump = Jump(player, None, None if found is None else found.place.rank)
    elif value is not None:
        jump, start, value_cursor = _find_value(key, value)
        cursor, start = (cursor, None) if cursor else (value_cursor, start)
    page = page_of_tuples(_rows(key), _order(key), cursor, size, _row_maker(key))
    leader = _leader(key) if cursor else _first_value(page.rows)
    rows, own_row = _ranked(key, page.rows, start if cursor else TOP, viewer)
    return BoardPage(board, rows, page.next_cursor, page.previous_cursor, own_row, board_size(key), jump, leader)


def first_rows(key: BoardKey, count: int) -> list[BoardRow]:
    page = page_of_tuples(_rows(key), _order(key), None, count, _row_maker(key))
    return _ranked(key, page.rows, TOP, None)[0]


def first_final_rows(key: BoardKey, count: int) -> list[BoardRow]:
    """Return the first ``count`` rows that are not provisional, of the first :data:`_MOST_READ`, with their ranks."""
    rows: list[BoardRow] = []
    for size in (count, _MOST_READ):
        rows = first_rows(key, size)
        found = [row for row in rows if not row.provisional][:count]
        if len(found) == count or len(rows) < size:
            break
    return found


class Top(NamedTuple):
    key: BoardKey
    rows: list[BoardRow]


def rows_around(key: BoardKey, player_id: int) -> list[BoardRow]:
    """The row before the player's on the board ``key``, their own and the one after it; empty if they have none."""
    found = place_of_player(key, player_id)
    if found is None:
        return []
    index = min(1, found.place.index)
    page, before = page_around(_rows(key), _order(key), found.sort_key, index, index + 2, _row_maker(key))
    return _ranked(key, page.rows, _start(key, found, index, before, page.rows), None)[0]


# --- pages at a player or value ---------------------------------------------------------------------------------------


def _page_at_player(board: Board, player: Player, size: int, viewer: Player | None) -> BoardPage:
    """The page with ``player`` among the pages of ``size`` rows from the top; the first page if they have no row."""
    key = board.key
    found = place_of_player(key, player.pk)
    if found is None:
        first = stored_page(board, player=None, value=None, cursor=None, size=size, viewer=viewer)
        return replace(first, jump=Jump(player, None, None))
    index = found.place.index % size
    page, before = page_around(_rows(key), _order(key), found.sort_key, index, size, _row_maker(key))
    leader = _first_value(page.rows) if before is None else _leader(key)
    rows, own_row = _ranked(key, page.rows, _start(key, found, index, before, page.rows), viewer)
    jump = Jump(player, None, found.place.rank)
    return BoardPage(board, rows, page.next_cursor, page.previous_cursor, own_row, found.board_size, jump, leader)


def _start(
    key: BoardKey, found: PlayerPlace, index: int, before: StoredRow | None, rows: Sequence[StoredRow]
) -> Place | None:
    """The place of the first of ``rows``, of which row ``index`` is ``found``; None if it has to be counted.

    ``before``: the row before the page, if any.
    """
    if before is None:
        return TOP
    if not index:
        return found.place
    rank_keys = attrgetter(*_better_by(key))
    if rank_keys(before) == rank_keys(rows[0]):
        return None  # the first row is tied with rows of the page before
    first = found.place.index - index
    return Place(1 + first, first)


def _find_value(key: BoardKey, value: float) -> tuple[Jump, Place | None, str | None]:
    """The rank that ``value`` would have, and the first place and the cursor of the page that begins there.

    Place and cursor are None for the first page.
    """
    rank_key = key.row.rank_key(value)
    rank = rank_of_value(key, rank_key)
    if rank == 1:
        return Jump(None, value, rank), None, None
    # Ties of the value are on that page, so its first row has the same rank whether or not there are any.
    first_of_key = _FIRST_OF_SUM if key.level == COMBINED else _FIRST_OF_KEY
    return Jump(None, value, rank), Place(rank, rank - 1), cursor_after((rank_key, *first_of_key), _order(key))


# --- rows -------------------------------------------------------------------------------------------------------------


def _order(key: BoardKey) -> tuple[str, ...]:
    return COMBINED_ORDER if key.level == COMBINED else ORDER


def _better_by(key: BoardKey) -> tuple[str, ...]:
    return COMBINED_BETTER if key.level == COMBINED else BETTER


def _all(key: BoardKey) -> QuerySet[PersonalBest] | QuerySet[CombinedBest]:
    if key.level == COMBINED:
        return CombinedBest.objects.filter(statistic=key.statistic, style=key.style)
    return PersonalBest.objects.filter(statistic=key.statistic, level=key.level, style=key.style)


def _rows(key: BoardKey) -> QuerySet[PersonalBest | CombinedBest, Row]:
    if key.level == COMBINED:
        return _all(key).values_list(*SumRow._fields)
    bests = _all(key)
    marks = {
        "precision_ms": F("replay__time_precision_ms"), "judgement": F("replay__judgement"), "bv": F("replay__bv"),
        "bvs": F("replay__bvs"), "game_style": F("replay__style"), "date_has_zone": date_has_zone("replay__"),
    }  # fmt: skip
    return bests.annotate(**marks).values_list(*BestRow._fields[:-1], *PLAYER_COLUMNS)


def _leader(key: BoardKey) -> float | None:
    return _all(key).order_by(*_order(key)).values_list("value", flat=True).first()


def _first_value(rows: Sequence[StoredRow]) -> float | None:
    return rows[0].value if rows else None


def _row_maker(key: BoardKey) -> Callable[[Row], StoredRow]:
    return SumRow._make if key.level == COMBINED else _best_row


def _best_row(row: Row) -> BestRow:
    return BestRow._make(with_player_ref(row))


def _ranked(
    key: BoardKey, rows: Sequence[StoredRow], start: Place | None, viewer: Player | None
) -> tuple[list[BoardRow], BoardRow | None]:
    """``rows`` with their ranks, and the row of ``viewer``; ``start``: the place of the first row, None if not known."""
    ranked = [*zip(_ranks(key, rows, start), rows, strict=True)]
    own = None if viewer is None else _own_row(key, viewer, ranked)
    found = _board_rows([*ranked, *([own] if own else [])])
    return [found[row.id] for row in rows if row.id in found], found.get(own[1].id) if own else None


def _ranks(key: BoardKey, rows: Sequence[StoredRow], start: Place | None) -> list[int]:
    """The ranks of ``rows``, which are consecutive; one statement, unless ``start`` is known."""
    if not rows:
        return []
    rank_keys = attrgetter(*_better_by(key))
    first = start or place_of(key, rows[0])
    ranks = [first.rank]
    for index, row in enumerate(rows[1:], start=1):
        tied = rank_keys(row) == rank_keys(rows[index - 1])
        ranks.append(ranks[-1] if tied else 1 + first.index + index)
    return ranks


def _own_row(key: BoardKey, viewer: Player, shown: Sequence[tuple[int, StoredRow]]) -> tuple[int, StoredRow] | None:
    for rank, row in shown:
        if row.player_id == viewer.pk:
            return rank, row
    found = next(iter(_rows(key).filter(player=viewer.pk)), None)  # not first(), which would add an ORDER BY
    if found is None:
        return None
    row = _row_maker(key)(found)
    return rank_of(key, row), row


def _board_rows(ranked: Sequence[tuple[int, StoredRow]]) -> dict[int, BoardRow]:
    """The rows by id; a sum whose player or part was just deleted is left out."""
    sums = [(rank, row) for rank, row in ranked if isinstance(row, SumRow)]
    return _sum_rows(sums) | {row.id: _board_row(rank, row) for rank, row in ranked if isinstance(row, BestRow)}


def _board_row(rank: int, best: BestRow) -> BoardRow:
    return BoardRow(
        rank, best.player, best.value, best.replay_id, best.achieved_at, best.precision_ms,
        provisional=best.judgement == PROVISIONAL, bv=best.bv, bvs=best.bvs, style=best.game_style,
        date_has_zone=best.date_has_zone,
    )  # fmt: skip


def _sum_rows(ranked: Sequence[tuple[int, SumRow]]) -> dict[int, BoardRow]:
    """The rows by id with their players and parts; a row whose player or part was just deleted is left out.

    Players and parts are fetched by id and not joined: while the planner's statistics are outdated, as in the minute
    after a large import, PostgreSQL joins these seven tables in an order that takes minutes.
    """
    if not ranked:
        return {}
    part_ids = [part_id for _rank, row in ranked for part_id in _part_ids(row)]
    bests = PersonalBest.objects.filter(pk__in=part_ids)
    players = player_refs([row.player_id for _rank, row in ranked])
    columns = (
        "pk", "value", "replay_id", "replay__time_precision_ms", "replay__judgement", "achieved_at",
        date_has_zone("replay__"),
    )  # fmt: skip
    parts = {
        pk: Part(value, replay_id, precision_ms, judgement == PROVISIONAL, *date)
        for pk, value, replay_id, precision_ms, judgement, *date in bests.values_list(*columns)
    }
    return {
        row.id: _sum_row(rank, row, players[row.player_id], [parts[part_id] for part_id in _part_ids(row)])
        for rank, row in ranked
        if row.player_id in players and all(part_id in parts for part_id in _part_ids(row))
    }


def _part_ids(row: SumRow) -> list[int]:
    return [getattr(row, f"{level}_id") for level in COMBINED_LEVELS]


def _sum_row(rank: int, row: SumRow, player: PlayerRef, parts: Iterable[Part]) -> BoardRow:
    by_level = dict(zip(COMBINED_LEVELS, parts, strict=True))
    precision_ms = coarsest(part.precision_ms for part in by_level.values())
    provisional = any(part.provisional for part in by_level.values())
    return BoardRow(rank, player, row.value, None, row.achieved_at, precision_ms, by_level, provisional)
