"""The rank of each result when it was added, for a whole board at once.

Players come one after the other, each with all of their games.  So who is better than a result are the earlier players
who ended better, and nobody else; the player's own older result makes room for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tests.bench.load.population import Floats, Ints


@dataclass(slots=True)
class Places:
    """Results of earlier blocks' players on one board.  ``keys``: a row for each column that sorts it, best first."""

    keys: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 0)))

    def ranks(self, keys: Sequence[Floats], owner: Ints, final: Ints) -> Ints:
        """The rank of each result of the next block; its players have a place here from then on.

        ``keys``: of the results, a row for each column, the first decides; smaller is better.  ``owner``: whose they
        are, numbered from 0 in the order of the results; ``final``: the last result of each owner.
        """
        news = np.stack(keys)
        earlier = self.keys.reshape(len(news), -1)
        before = earlier.shape[1]
        everything = np.concatenate([earlier, news], axis=1)
        place, order = _dense(everything)
        ended, came = place[:before], place[before:]
        ahead = np.searchsorted(ended, came) + better_before(came[final], owner, came)
        remaining = np.ones(everything.shape[1], dtype=bool)
        remaining[before:] = False
        remaining[before + final] = True
        self.keys = everything[:, order[remaining[order]]]
        return np.asarray(1 + ahead)


def _dense(keys: NDArray[np.float64]) -> tuple[Ints, Ints]:
    """For each column of ``keys`` its place among the different ones, and the order that sorts them."""
    order = np.lexsort(keys[::-1])
    in_order = keys[:, order]
    steps = np.any(in_order[:, 1:] != in_order[:, :-1], axis=0)
    place = np.empty(keys.shape[1], dtype=np.int64)
    place[order] = np.concatenate([np.zeros(min(1, len(order)), dtype=np.int64), np.cumsum(steps)])
    return place, order


def better_before(values: Ints, count: Ints, limit: Ints) -> Ints:
    """For each ``count`` and ``limit``: how many of the first ``count`` of ``values`` are below ``limit``.

    A number is a sum of powers of two, so the first ``count`` values are a few whole blocks, one for each power.  With
    the values of every block of one size in order, one search finds the answer in each of them:
    O((n + m) log² n) for n values and m questions.
    """
    found = np.zeros(len(count), dtype=np.int64)
    if not len(values):
        return found
    span = max(int(values.max()), int(limit.max(initial=0))) + 1
    numbers = np.arange(len(values))
    for power in range(len(values).bit_length()):
        query = np.flatnonzero((count >> power) & 1)
        if len(query):
            in_blocks = np.sort((numbers >> power) * span + values)
            block = (count[query] >> power) - 1
            found[query] += np.searchsorted(in_blocks, block * span + limit[query]) - (block << power)
    return found
