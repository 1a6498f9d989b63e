"""Players who changed places with a player on boards since some event of the record history.

Nothing is stored for it: a player's value at that time is the ``old_value`` of their first event after it, or their value
now if there is none.  Somebody *passed* the player who was not ahead then and is ahead now, and the other way round.
Provisional games have no events until they are final, so they count from then on.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import QuerySet

from players.db.select import Row
from players.leaderboards.boards import COMBINED, BoardKey
from players.leaderboards.ranks.count import rank_of_value
from players.models import CombinedBest, PersonalBest, RecordEvent
from players.people.player_refs import PlayerRef, player_refs

#: So many of the newest events of a board are read; beyond that the counts are lower bounds.
MOST_EVENTS: Final = 2_000
MOST_NAMED: Final = 5


@dataclass(frozen=True, slots=True)
class Passings:
    """The players who passed a player on one board, and those that the player passed.

    The counts are of all, the lists hold some: of those who passed the ones with the newest records, of those who were
    passed the nearest.  ``is_new``: the player was not on the board before; then nobody is counted.  ``complete``:
    whether all events were read.
    """

    passed_by: list[PlayerRef]
    passed_by_count: int
    passed: list[PlayerRef]
    passed_count: int
    is_new: bool
    complete: bool

    @property
    def happened(self) -> bool:
        return bool(self.is_new or self.passed_count or self.passed_by_count)


@dataclass(frozen=True, slots=True)
class _Change:
    """The rank keys of a player then (infinity: not on the board) and now."""

    before: float
    now: float


@dataclass(frozen=True, slots=True)
class _Found:
    """The same as :class:`Passings`, with the ids of the named players."""

    passed_by: list[int]
    passed_by_count: int
    passed: list[int]
    passed_count: int
    is_new: bool
    complete: bool


def passings(player_id: int, values: Mapping[BoardKey, float], since_event: int) -> dict[BoardKey, Passings]:
    """Find the passings since an event on each board; ``values``: the player's value on each of them now.

    Two statements, and one for each board; three more for each board on which the player improved.
    """
    rows = {key: list(_events(key, since_event)) for key in values}
    first = _first_values(_own_events(player_id, since_event))
    found = {key: _found(key, player_id, value, first, rows[key]) for key, value in values.items()}
    refs = player_refs({pk for one in found.values() for pk in (*one.passed_by, *one.passed)})
    return {
        key: Passings(
            _named(one.passed_by, refs),
            one.passed_by_count,
            _named(one.passed, refs),
            one.passed_count,
            one.is_new,
            one.complete,
        )
        for key, one in found.items()
    }


def _events(key: BoardKey, since_event: int) -> QuerySet[RecordEvent, Row]:
    """Player, old and new value of the events of a board, newest first."""
    events = RecordEvent.objects.filter(kind=RecordEvent.Kind.PERSONAL, id__gt=since_event, **key._asdict())
    return events.order_by("-id").values_list("player_id", "old_value", "new_value")[: MOST_EVENTS + 1]


def _own_events(player_id: int, since_event: int) -> QuerySet[RecordEvent, Row]:
    events = RecordEvent.objects.filter(kind=RecordEvent.Kind.PERSONAL, player=player_id, id__gt=since_event)
    return events.order_by("-id").values_list("level", "statistic", "style", "old_value")


def _first_values(rows: Iterable[Row]) -> dict[BoardKey, float | None]:
    """The player's value before the first event on each board; ``rows``: newest first."""
    return {BoardKey(level, statistic, style): old for level, statistic, style, old in rows}


def _found(
    key: BoardKey, player_id: int, value: float, first: Mapping[BoardKey, float | None], rows: Sequence[Row]
) -> _Found:
    now = before = key.row.rank_key(value)
    complete = len(rows) <= MOST_EVENTS
    if key in first:
        old = first[key]
        if old is None:
            return _Found([], 0, [], 0, is_new=True, complete=complete)
        before = max(now, key.row.rank_key(old))
    changes = _changes(key, player_id, rows[:MOST_EVENTS])
    came_from_behind = {pk: change for pk, change in changes.items() if change.before >= before}
    passed_by = [pk for pk, change in came_from_behind.items() if change.now < now]
    others = {pk for pk, change in came_from_behind.items() if now <= change.now < before}
    passed, count = _passed(key, player_id, now, before, others) if before > now else ([], 0)
    return _Found(passed_by[:MOST_NAMED], len(passed_by), passed, count, is_new=False, complete=complete)


def _changes(key: BoardKey, player_id: int, rows: Sequence[Row]) -> dict[int, _Change]:
    """The changes of the other players, those with the newest events first."""
    changes: dict[int, _Change] = {}
    for other_id, old, new in rows:
        if other_id == player_id:
            continue
        before = math.inf if old is None else key.row.rank_key(old)
        newest = changes.get(other_id)
        changes[other_id] = _Change(before, key.row.rank_key(new) if newest is None else newest.now)
    return changes


def _passed(key: BoardKey, player_id: int, now: float, before: float, others: set[int]) -> tuple[list[int], int]:
    """Find the players between the old and the new place, nearest first, without ``others``, who came from behind."""
    rows = _rows(key).filter(rank_key__gte=now, rank_key__lt=before).exclude(player=player_id).order_by("rank_key")
    nearest = rows.values_list("player_id", flat=True)[: MOST_NAMED + len(others)]
    between = rank_of_value(key, before) - rank_of_value(key, now) - 1  # one is the player
    return [pk for pk in nearest if pk not in others][:MOST_NAMED], max(0, between - len(others))


def _rows(key: BoardKey) -> QuerySet[PersonalBest] | QuerySet[CombinedBest]:
    if key.level == COMBINED:
        return CombinedBest.objects.filter(statistic=key.statistic, style=key.style)
    return PersonalBest.objects.filter(**key._asdict())


def _named(ids: Sequence[int], refs: Mapping[int, PlayerRef]) -> list[PlayerRef]:
    """Return the players of ``ids``, without those that were deleted meanwhile."""
    return [refs[pk] for pk in ids if pk in refs]
