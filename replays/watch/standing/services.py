from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

import numpy as np
from django.db.models import F, Sum
from django.utils import timezone
from numpy.typing import NDArray

from analysis.statistics import LUCK_VERSION, Statistic, StatKind
from players.db import bulk
from players.leaderboards.boards import ON_LEVEL
from players.models import ALL_STYLES, PersonalBest, SecondCount
from replays.models import Replay, StatisticQuantiles
from replays.watch.standing.selectors import compared

#: A table has no more values than this; of fewer games it has every value.
MOST_VALUES: Final = 1_001
#: Of a level with more games only every second, third, ... is read: a share of so many is exact to 0.3 %.
MOST_GAMES: Final = 200_000
_CHUNK: Final = 5_000


def make_quantiles() -> None:
    """Read each level in one pass over its games."""
    for level in ON_LEVEL:
        _make(level)


def _make(level: str) -> None:
    rows = compared(level)
    games = SecondCount.objects.filter(level=level, style=ALL_STYLES).aggregate(games=Sum("games"))["games"] or 0
    values = _values(level, rows, every=1 + games // MOST_GAMES)
    players = PersonalBest.objects.filter(level=level, statistic="time", style=ALL_STYLES).count()
    now = timezone.now()
    made = [
        (level, row.name, len(column), players, evenly_spaced(column).astype("<f8").tobytes(), now)
        for row, column in zip(rows, (column[~np.isnan(column)] for column in values), strict=True)
    ]
    bulk.upsert(StatisticQuantiles, ("level", "statistic"), ("games", "players", "values", "made_at"), made)


def _values(level: str, rows: Sequence[Statistic], *, every: int) -> NDArray[np.float64]:
    """Return statistics as rows and ranked games as columns; NaN where not defined, or of a former definition."""
    games = Replay.objects.filter(ranked=True, level=level)
    if every > 1:
        games = games.annotate(part=F("pk") % every).filter(part=0)
    found = games.values_list(*(row.name for row in rows), "luck_version").iterator(chunk_size=_CHUNK)
    chunks = [np.array(chunk, np.float64).T for chunk in _chunks(found)]
    if not chunks:
        return np.empty((len(rows), 0))
    *columns, versions = np.hstack(chunks)
    is_luck = np.array([[row.kind is StatKind.LUCK] for row in rows])
    return np.where(is_luck & (versions < LUCK_VERSION), np.nan, np.array(columns))


def _chunks(rows: Iterator[tuple[float | None, ...]]) -> Iterator[list[tuple[float | None, ...]]]:
    while chunk := list(islice(rows, _CHUNK)):
        yield chunk


def evenly_spaced(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sorted ``values``, or ``MOST_VALUES`` of them at even distances, the first and the last included."""
    ordered = np.sort(values)
    if len(ordered) <= MOST_VALUES:
        return ordered
    places = np.round(np.linspace(0, len(ordered) - 1, MOST_VALUES)).astype(np.intp)
    chosen: NDArray[np.float64] = ordered[places]
    return chosen
