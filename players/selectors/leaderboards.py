"""Pages of leaderboards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db.models import F, QuerySet

from players.boards import COMBINED, COMBINED_LEVELS, ON_LEVEL, BoardKey, board_key, checked_style
from players.keyset import Page, PagedQuestion, page_of
from players.models import CombinedBest, PersonalBest, Player
from players.persons import OF_PLAYER, Person, ask_persons
from players.questions import Row
from players.selectors.ranks import COMBINED_ORDER, DEFAULT_SIZE, ORDER, TOP, Start, page_size, rank_of, ranks_of


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One place of a board.

    ``parts`` (combined boards): level -> (value, replay id, clock precision in ms).  ``replay_id`` is then None.
    ``precision_ms``: of the replay's clock, or of the coarsest one of a sum; None if unknown.  Only shown times need it.
    """

    rank: int
    player: Person
    value: float
    replay_id: int | None
    achieved_at: datetime
    precision_ms: int | None = None
    parts: dict[str, tuple[float, int, int | None]] = field(default_factory=dict)

    @property
    def games(self) -> int:
        """The value of a sub-N board, which counts games."""
        return int(self.value)


@dataclass(frozen=True, slots=True)
class BoardPage:
    """Some places of one board, and the viewer's own place wherever it is."""

    key: BoardKey
    rows: list[BoardRow]
    next_cursor: str | None
    previous_cursor: str | None
    own_row: BoardRow | None


def rows_of(key: BoardKey) -> QuerySet[Any, Any]:
    """All rows of the board ``key``, of ``PersonalBest`` or ``CombinedBest``, in no order."""
    if key.level == COMBINED:
        return CombinedBest.objects.filter(statistic=key.statistic, style=key.style)
    return PersonalBest.objects.filter(statistic=key.statistic, level=key.level, style=key.style)


def leaderboard_page(
    key: BoardKey,
    *,
    cursor: str | None = None,
    start: Start | None = None,
    size: int = DEFAULT_SIZE,
    viewer: Player | None = None,
) -> BoardPage:
    """The places of ``key`` from ``cursor`` on, and that of ``viewer``; raises ``BadCursor``.

    ``start``: the place to which ``cursor`` leads, if it is known.
    """
    page = _PLACES.page(cursor, page_size(size), statistic=key.statistic, level=key.level, style=key.style)
    ranks = ranks_of(key, page.rows, start if cursor else TOP)
    rows = [_row(*place) for place in zip(ranks, page.rows, strict=True)]
    if viewer is None:
        return board_page(key, page, rows, None)
    own = own_place(key, _shown(key.statistic, key.level, key.style), _place, viewer, page.rows, ranks)
    return board_page(key, page, rows, own and _row(*own))


class _Place(NamedTuple):
    """A row of ``PersonalBest`` with what a page shows of its player and of its replay's clock."""

    id: int
    rank_key: float
    value: float
    replay_id: int
    achieved_at: datetime
    precision_ms: int | None
    player: Person


def _shown(statistic: str, level: str, style: str) -> QuerySet[Any, Any]:
    """The columns of :class:`_Place`, those of the player last."""
    rows = PersonalBest.objects.filter(statistic=statistic, level=level, style=style)
    return rows.annotate(precision_ms=F("replay__time_precision_ms")).values_list(*_Place._fields[:-1], *OF_PLAYER)


def _place(row: Row) -> _Place:
    *own, pk, name, country, is_bot = row
    return _Place._make([*own, Person(pk, name, country, is_bot)])


_PLACES: Final = PagedQuestion(_shown, _place, ORDER)


def combined_page(
    statistic: str,
    style: str,
    *,
    cursor: str | None = None,
    start: Start | None = None,
    size: int = DEFAULT_SIZE,
    viewer: Player | None = None,
) -> BoardPage:
    """As :func:`leaderboard_page`, by the sum of three levels; raises ``UnknownBoard`` as well."""
    key = board_key(COMBINED, statistic, style)
    board = rows_of(key)
    page = page_of(board, COMBINED_ORDER, cursor, page_size(size))
    ranks = ranks_of(key, page.rows, start if cursor else TOP)
    own = None if viewer is None else own_place(key, board, _itself, viewer, page.rows, ranks)
    found = _combined_rows([*zip(ranks, page.rows, strict=True), *([own] if own else [])])
    shown = [found[row.pk] for row in page.rows if row.pk in found]
    return board_page(key, page, shown, found.get(own[1].pk) if own else None)


@dataclass(frozen=True, slots=True)
class Top:
    """The first places of one board."""

    key: BoardKey
    rows: list[BoardRow]


def top_places(*, style: str, size: int, statistic: str = "time") -> list[Top]:
    """The first places of ``statistic`` on each ranked level that has it, the combined board first."""
    checked_style(style)
    keys = [board_key(level, statistic, style) for level, rows in ON_LEVEL.items() if _has(rows, statistic)]
    combined = combined_page(statistic, style, size=size)
    return [Top(combined.key, combined.rows), *(Top(key, leaderboard_page(key, size=size).rows) for key in keys)]


def _has(rows: Sequence[Any], statistic: str) -> bool:
    return any(row.name == statistic for row in rows)


def own_place(
    key: BoardKey,
    rows: QuerySet[Any, Any],
    make: Callable[[Any], Any],
    viewer: Player,
    shown: Sequence[Any],
    ranks: Sequence[int],
) -> tuple[int, Any] | None:
    """Rank and row of ``viewer``: from the page if it shows them, else asked for, and made by ``make``."""
    for rank, row in zip(ranks, shown, strict=True):
        if _player_id(row) == viewer.pk:
            return rank, row
    found = next(iter(rows.filter(player=viewer)), None)  # unique; first() would sort it
    if found is None:
        return None
    row = make(found)
    return rank_of(key, row), row


def _player_id(row: Any) -> int:
    return row.player.pk if isinstance(row, _Place) else row.player_id


def _itself(row: CombinedBest) -> CombinedBest:
    return row


def board_page(key: BoardKey, page: Page[Any], rows: list[BoardRow], own: BoardRow | None) -> BoardPage:
    """``rows`` with the cursors of ``page``."""
    return BoardPage(key, rows, page.next_cursor, page.previous_cursor, own)


def _row(rank: int, best: _Place) -> BoardRow:
    return BoardRow(rank, best.player, best.value, best.replay_id, best.achieved_at, best.precision_ms)


def _combined_rows(places: Sequence[tuple[int, CombinedBest]]) -> dict[int, BoardRow]:
    """The places by id with their players and parts; one of which a part has gone this very moment is left out.

    Fetched by id and not joined: while its statistics are old, as in the minute after a large import, the planner of
    PostgreSQL joins these seven tables in an order that takes minutes.
    """
    persons = ask_persons([row.player_id for _rank, row in places])()
    ids = [part for _rank, row in places for part in _part_ids(row)]
    bests = PersonalBest.objects.filter(pk__in=ids).values_list("pk", "value", "replay_id", "replay__time_precision_ms")
    parts = {pk: tuple(part) for pk, *part in bests}
    return {
        row.pk: _combined_row(rank, row, persons[row.player_id], _parts_of(row, parts))
        for rank, row in places
        if row.player_id in persons and all(part in parts for part in _part_ids(row))
    }


def _part_ids(best: CombinedBest) -> list[int]:
    return [getattr(best, f"{level}_id") for level in COMBINED_LEVELS]


def _parts_of(best: CombinedBest, parts: Mapping[int, Any]) -> dict[str, Any]:
    return {level: parts[part] for level, part in zip(COMBINED_LEVELS, _part_ids(best), strict=True)}


def _combined_row(rank: int, best: CombinedBest, player: Person, parts: dict[str, Any]) -> BoardRow:
    precision_ms = coarsest(precision for _value, _replay_id, precision in parts.values())
    return BoardRow(rank, player, best.value, None, best.achieved_at, precision_ms, parts)


def coarsest(precisions_ms: Iterable[int | None]) -> int | None:
    """The precision of a sum of times: that of its coarsest clock; None if no clock is known."""
    return max((precision for precision in precisions_ms if precision is not None), default=None)
