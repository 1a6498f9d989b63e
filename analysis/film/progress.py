"""Progress of two games at each moment, so that they can be compared: a curve, its inverse, splits.

The *progress* of a game is what it has solved of its board: 3BV if both games have the same board, else the share of the
3BV.  Between two acts that solve something it grows evenly, so an act that solves several 3BV at once shares them out
over the time since the act before that solved something.  Times are ms since the opening.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis.film.film import Film

Floats: TypeAlias = NDArray[np.float64]

#: Column of ``Film.counters``.
_BVDONE: Final = 8
#: Most points of a split graph.
MAX_POINTS: Final = 400
#: Times that come out of interpolation are rounded to 1/1000 ms, so that a game compared with itself never stands a
#: rounding error before an act.
_PARTS_OF_MS: Final = 1_000


@dataclass(frozen=True, slots=True, eq=False)
class Progress:
    """``done``: float64 (k,), strictly rising from 0; ``times``: float64 (k,), ms, never falling from 0: when so much was
    done.  ``end``: ms, when the game ended, not before the last of ``times``.
    """

    times: Floats
    done: Floats
    end: float

    @property
    def most(self) -> float:
        return float(self.done[-1])


@dataclass(frozen=True, slots=True, eq=False)
class Splits:
    """At equal progress: ``done``, and when each of the two games had done so much, in ms; all float64 (k,)."""

    done: Floats
    first: Floats
    second: Floats

    @property
    def lead(self) -> Floats:
        return self.second - self.first


def progress_of(film: Film, *, as_share: bool = False) -> Progress:
    """The progress of a game.

    ``as_share``: as a share of the 3BV of the board, 0 to 1, instead of 3BV.
    """
    all_times = film.events["time_ms"][film.places].astype(np.float64) - film.start_ms
    all_done = film.counters[:, _BVDONE].astype(np.float64)
    rises = np.flatnonzero(np.diff(all_done, prepend=0.0) > 0)
    times = np.concatenate([[0.0], np.maximum(all_times[rises], 0.0)])
    done = np.concatenate([[0.0], all_done[rises]])
    total = film.facts.bv
    if as_share and total:
        done /= total
    return Progress(times, done, max(float(film.time_ms), float(times[-1])))


def time_of(progress: Progress, done: Floats) -> Floats:
    """When so much was first done, in ms; the end of the game where it never was."""
    found = np.interp(done, progress.done, progress.times)
    return np.where(done > progress.most, progress.end, _rounded(found))


def splits(first: Progress, second: Progress, *, as_share: bool) -> Splits:
    """When each game had done as much, for every 3BV or every hundredth that both reached; at most ``MAX_POINTS``."""
    most = min(first.most, second.most)
    count = round(most * 100) if as_share else round(most)
    steps = np.arange(count + 1, dtype=np.float64)
    if len(steps) > MAX_POINTS:
        steps = np.unique(np.round(np.linspace(0, count, MAX_POINTS)))
    done = np.minimum(steps / 100, most) if as_share else steps
    return Splits(done, time_of(first, done), time_of(second, done))


def _rounded(times: Floats) -> Floats:
    """Half up, as the browser does."""
    rounded: Floats = np.floor(times * _PARTS_OF_MS + 0.5) / _PARTS_OF_MS
    return rounded
