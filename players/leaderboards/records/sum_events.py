"""The three games of each sum in the record history.

A ``RecordEvent`` of a combined board has the replay that completed the sum, and only that one.  The two other parts were
personal bests of the player at that time, which are in the record history as well; they are found as the ones that add
up to the value.  With them, a sum can be deleted with any of its games, and moved to another player only with all.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final, NamedTuple, TypeAlias

from players.leaderboards.bests.combined import rounded_sum
from players.leaderboards.boards import COMBINED, COMBINED_LEVELS, COMBINED_NAMES, Game
from players.leaderboards.ranked_games import ranked_games
from players.models import RecordEvent


@dataclass(frozen=True, slots=True)
class SumEvent:
    """An event of a combined board and the replays of its three parts; None if they cannot be found any more."""

    id: int
    replay_ids: frozenset[int] | None


class _Row(NamedTuple):
    id: int
    player_id: int
    statistic: str
    level: str
    style: str
    new_value: float
    replay_id: int


#: Larger than the rounding errors of a sum, smaller than the differences between results.
_TOLERANCE: Final = 1e-6

#: Results that may be parts of a sum, by level, oldest first.
_ByLevel: TypeAlias = dict[str, list[_Row]]
#: The same by player, statistic and style.
_ByKey: TypeAlias = Mapping[tuple[int, str, str], _ByLevel]


def sum_events(player_ids: Collection[int], removed: Iterable[Game] = ()) -> list[SumEvent]:
    """All events of combined boards of these players, in two statements.

    A part without an event of its own is a game that became the best when a better one was removed.  Only for players
    with such parts all ranked games are read; ``removed`` are added to them, since they may no longer be ranked.
    """
    if not player_ids:
        return []
    events = RecordEvent.objects.filter(player_id__in=player_ids).order_by("id")
    sums = [_Row(*row) for row in events.filter(level=COMBINED).values_list(*_Row._fields)]
    if not sums:
        return []
    singles = events.filter(kind=RecordEvent.Kind.PERSONAL, level__in=COMBINED_LEVELS, statistic__in=COMBINED_NAMES)
    bests = _by_key(map(_Row._make, singles.values_list(*_Row._fields)))
    parts = {row: _parts(row, bests) for row in sums}
    unknown = {row.player_id for row, found in parts.items() if found is None}
    if unknown:
        results = _by_key(_results((*ranked_games().of_players(unknown, COMBINED_LEVELS), *removed)))
        parts = {row: _parts(row, results) if found is None else found for row, found in parts.items()}
    return [SumEvent(row.id, found) for row, found in parts.items()]


def _by_key(rows: Iterable[_Row]) -> _ByKey:
    by_key: dict[tuple[int, str, str], _ByLevel] = defaultdict(lambda: {level: [] for level in COMBINED_LEVELS})
    for row in rows:
        by_key[row.player_id, row.statistic, row.style][row.level].append(row)
    return by_key


def _results(games: Iterable[Game]) -> Iterator[_Row]:
    """The results of ``games`` that may be parts, as rows with id 0, which is before every event."""
    for game in games:
        for key, best in game.bests():
            if key.level in COMBINED_LEVELS and key.statistic in COMBINED_NAMES:
                yield _Row(0, *key, best.value, best.replay_id)


def _parts(event: _Row, by_key: _ByKey) -> frozenset[int] | None:
    """The replays of three results before ``event``, one of each level, that add up to its value; the latest first."""
    candidates = []
    for rows in by_key[event.player_id, event.statistic, event.style].values():
        own = [row for row in rows if row.replay_id == event.replay_id]
        candidates.append(own or [row for row in reversed(rows) if row.id < event.id])
    one, two, three = sorted(candidates, key=len)  # the first is the level of the event's own replay
    by_value = sorted(three, key=_value)
    for first, second in product(one, two):
        rest = event.new_value - first.new_value - second.new_value
        start = bisect_left(by_value, rest - _TOLERANCE, key=_value)
        stop = bisect_right(by_value, rest + _TOLERANCE, key=_value)
        for third in by_value[start:stop]:
            if rounded_sum(first.new_value, second.new_value, third.new_value) == event.new_value:
                return frozenset((first.replay_id, second.replay_id, third.replay_id))
    return None


def _value(row: _Row) -> float:
    return row.new_value
