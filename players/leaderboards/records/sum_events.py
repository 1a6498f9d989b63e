"""Which games the sums in the record history were made of.

A ``RecordEvent`` of a combined board names the replay that completed the sum, and only that one.  The two other parts
were the player's bests of that moment, which the history tells as well: the value shows which of them.  So a sum goes
from the history with any of its games, and moves to another player only together with all of them.
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
    """An event of a combined board and the replays of its three parts; None if they cannot be told any more."""

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


#: More than the rounding of a sum, and less than what parts two results that matter.
_DUST: Final = 1e-6

#: Results that may be parts, by level, the oldest first.
_Results: TypeAlias = dict[str, list[_Row]]
_Places: TypeAlias = Mapping[tuple[int, str, str], _Results]


def sum_events(player_ids: Collection[int], gone: Iterable[Game] = ()) -> list[SumEvent]:
    """All events of combined boards of these players, in two statements.

    A part may stand in no event: a game that became the best when a better one went.  Only where that happened all
    ranked games of the player are read, and with them those of ``gone``, which may rank no longer.
    """
    if not player_ids:
        return []
    events = RecordEvent.objects.filter(player_id__in=player_ids).order_by("id")
    sums = [_Row(*row) for row in events.filter(level=COMBINED).values_list(*_Row._fields)]
    if not sums:
        return []
    singles = events.filter(kind=RecordEvent.Kind.PERSONAL, level__in=COMBINED_LEVELS, statistic__in=COMBINED_NAMES)
    bests = _by_place(map(_Row._make, singles.values_list(*_Row._fields)))
    parts = {row: _parts(row, bests) for row in sums}
    unknown = {row.player_id for row, found in parts.items() if found is None}
    if unknown:
        results = _by_place(_results((*ranked_games().of_players(unknown, COMBINED_LEVELS), *gone)))
        parts = {row: _parts(row, results) if found is None else found for row, found in parts.items()}
    return [SumEvent(row.id, found) for row, found in parts.items()]


def _by_place(rows: Iterable[_Row]) -> _Places:
    places: dict[tuple[int, str, str], _Results] = defaultdict(lambda: {level: [] for level in COMBINED_LEVELS})
    for row in rows:
        places[row.player_id, row.statistic, row.style][row.level].append(row)
    return places


def _results(games: Iterable[Game]) -> Iterator[_Row]:
    """The results of ``games`` that may be parts, as if each were an event before all others."""
    for game in games:
        for key, best in game.bests():
            if key.level in COMBINED_LEVELS and key.statistic in COMBINED_NAMES:
                yield _Row(0, *key, best.value, best.replay_id)


def _parts(total: _Row, places: _Places) -> frozenset[int] | None:
    """The replays whose values add up to ``total``, the latest before it first."""
    candidates = []
    for rows in places[total.player_id, total.statistic, total.style].values():
        own = [row for row in rows if row.replay_id == total.replay_id]
        candidates.append(own or [row for row in reversed(rows) if row.id < total.id])
    one, two, three = sorted(candidates, key=len)  # the first is the game's own level
    by_value = sorted(three, key=_value)
    for first, second in product(one, two):
        rest = total.new_value - first.new_value - second.new_value
        start = bisect_left(by_value, rest - _DUST, key=_value)
        stop = bisect_right(by_value, rest + _DUST, key=_value)
        for third in by_value[start:stop]:
            if rounded_sum(first.new_value, second.new_value, third.new_value) == total.new_value:
                return frozenset((first.replay_id, second.replay_id, third.replay_id))
    return None


def _value(row: _Row) -> float:
    return row.new_value
