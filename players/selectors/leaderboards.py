"""Pages of leaderboards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db.models import F, QuerySet

from players.boards import (
    COMBINED,
    COMBINED_LEVELS,
    COMBINED_ORDER,
    ON_LEVEL,
    ORDER,
    BoardKey,
    board_key,
    checked_style,
)
from players.games import replays
from players.keyset import Page, PagedQuestion
from players.models import CombinedBest, PersonalBest, Player
from players.persons import OF_PLAYER, Person, ask_persons, with_person
from players.questions import Later, Row, asked_of, together
from players.selectors.ranks import DEFAULT_SIZE, TOP, Start, page_size, rank_of, ranks_of


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
    return told_page(key, listed(key).page(cursor, page_size(size), **names_of(key)), start if cursor else TOP, viewer)


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
    return leaderboard_page(key, cursor=cursor, start=start, size=size, viewer=viewer)


def told_page(key: BoardKey, page: Page[Any], start: Start | None, viewer: Player | None) -> BoardPage:
    """``page`` (of :func:`listed`) with ranks and all that is shown; ``start``: where it begins, if that is known."""
    ranks = ranks_of(key, page.rows, start)
    places = [*zip(ranks, page.rows, strict=True)]
    own = None if viewer is None else _own_place(key, viewer, places)
    if key.level != COMBINED:
        rows = [_row(*place) for place in places]
        return BoardPage(key, rows, page.next_cursor, page.previous_cursor, own and _row(*own))
    found = _combined_rows([*places, *([own] if own else [])])
    rows = [found[row.id] for row in page.rows if row.id in found]
    own_row = found.get(own[1].id) if own else None
    return BoardPage(key, rows, page.next_cursor, page.previous_cursor, own_row)


# --- the rows of boards -----------------------------------------------------------------------------------------------


class Place(NamedTuple):
    """A row of ``PersonalBest`` with what a page shows of its player and of its replay's clock."""

    id: int
    player_id: int
    rank_key: float
    value: float
    replay_id: int
    achieved_at: datetime
    precision_ms: int | None
    player: Person


class SumPlace(NamedTuple):
    """A row of ``CombinedBest``."""

    id: int
    player_id: int
    rank_key: float
    expert_key: float
    intermediate_key: float
    value: float
    achieved_at: datetime
    beginner_id: int
    intermediate_id: int
    expert_id: int


def listed(key: BoardKey) -> PagedQuestion[Any]:
    """The rows of boards, as :class:`Place` or :class:`SumPlace`, asked with :func:`names_of` the board."""
    return _SUMS if key.level == COMBINED else _PLACES


def names_of(key: BoardKey) -> dict[str, str]:
    """What the rows of a board are found by; those of sums are all of one level."""
    names = {"statistic": key.statistic, "style": key.style}
    return names if key.level == COMBINED else names | {"level": key.level}


def _places(**names: Any) -> QuerySet[Any, Any]:
    rows = PersonalBest.objects.filter(**names).annotate(precision_ms=F("replay__time_precision_ms"))
    return rows.values_list(*Place._fields[:-1], *OF_PLAYER)


def _place(row: Row) -> Place:
    return Place._make(with_person(row))


def _sums(**names: Any) -> QuerySet[Any, Any]:
    return CombinedBest.objects.filter(**names).values_list(*SumPlace._fields)


_PLACES: Final = PagedQuestion(_places, _place, ORDER)
_SUMS: Final = PagedQuestion(_sums, SumPlace._make, COMBINED_ORDER)


def _own_place(key: BoardKey, viewer: Player, shown: Sequence[tuple[int, Any]]) -> tuple[int, Any] | None:
    """Rank and row of ``viewer``: from the page if it shows them, else asked for."""
    for rank, row in shown:
        if row.player_id == viewer.pk:
            return rank, row
    rows = (_sums if key.level == COMBINED else _places)(**names_of(key), player=viewer.pk)
    found = next(iter(rows), None)  # unique; first() would sort it
    if found is None:
        return None
    row = SumPlace._make(found) if key.level == COMBINED else _place(found)
    return rank_of(key, row), row


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


def _row(rank: int, best: Place) -> BoardRow:
    return BoardRow(rank, best.player, best.value, best.replay_id, best.achieved_at, best.precision_ms)


def _combined_rows(places: Sequence[tuple[int, SumPlace]]) -> dict[int, BoardRow]:
    """The places by id with their players and parts; one of which a part has gone this very moment is left out.

    Fetched by id and not joined: while its statistics are old, as in the minute after a large import, the planner of
    PostgreSQL joins these seven tables in an order that takes minutes.
    """
    with together():
        persons_asked = ask_persons([row.player_id for _rank, row in places])
        parts_asked = _ask_parts([part for _rank, row in places for part in _part_ids(row)])
        persons, parts = persons_asked(), parts_asked()
    return {
        row.id: _combined_row(rank, row, persons[row.player_id], _parts_of(row, parts))
        for rank, row in places
        if row.player_id in persons and all(part in parts for part in _part_ids(row))
    }


def _ask_parts(ids: Sequence[int]) -> Later[dict[int, tuple[float, int, int | None]]]:
    """Value, replay and precision of its clock of these personal bests, those that are there, by id."""
    rows = asked_of(_PARTS, ids)
    return lambda: {pk: (value, replay_id, precision_ms) for pk, value, replay_id, precision_ms in rows()}


_PARTS: Final = f"""
    SELECT best.id, best.value, best.replay_id, game.time_precision_ms
    FROM {PersonalBest._meta.db_table} AS best JOIN {replays().model._meta.db_table} AS game ON game.id = best.replay_id
    WHERE best.id IN ({{ids}})
"""  # noqa: S608 - our own names


def _part_ids(best: SumPlace) -> list[int]:
    return [getattr(best, f"{level}_id") for level in COMBINED_LEVELS]


def _parts_of(best: SumPlace, parts: Mapping[int, Any]) -> dict[str, Any]:
    return {level: parts[part] for level, part in zip(COMBINED_LEVELS, _part_ids(best), strict=True)}


def _combined_row(rank: int, best: SumPlace, player: Person, parts: dict[str, Any]) -> BoardRow:
    precision_ms = coarsest(precision for _value, _replay_id, precision in parts.values())
    return BoardRow(rank, player, best.value, None, best.achieved_at, precision_ms, parts)


def coarsest(precisions_ms: Iterable[int | None]) -> int | None:
    """The precision of a sum of times: that of its coarsest clock; None if no clock is known."""
    return max((precision for precision in precisions_ms if precision is not None), default=None)
