"""A tournament of small integers: who leads, and among equals who comes first.

``best`` is a binary tree in an array: node i has the children 2i and 2i + 1, the contestants are the leaves
``best[size // 2:]`` in the order that decides ties, and every node holds the greater of its children; so ``best[1]``
is the greatest of all.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

OUT = np.int8(-1)  # the value of a contestant who must not win


@njit(cache=True)
def tournament_of(values: NDArray[np.int8]) -> NDArray[np.int8]:
    """The tree over ``values`` (int8, shape (n,)), filled up with ``OUT`` to a power of two."""
    leaves = 1
    while leaves < values.size:
        leaves *= 2
    best = np.full(2 * leaves, OUT, np.int8)
    best[leaves : leaves + values.size] = values
    for node in range(leaves - 1, 0, -1):
        best[node] = max(best[2 * node], best[2 * node + 1])
    return best


@njit(cache=True)
def set_value(best: NDArray[np.int8], contestant: int, value: int) -> None:
    """Give ``contestant`` a new value; climbs only as far as a lead changes."""
    node = best.size // 2 + contestant
    best[node] = value
    node //= 2
    while node > 0:
        lead = max(best[2 * node], best[2 * node + 1])
        if best[node] == lead:
            return
        best[node] = lead
        node //= 2


@njit(cache=True)
def first_leader(best: NDArray[np.int8]) -> int:
    """The first contestant that holds the greatest value."""
    leaves = best.size // 2
    node = 1
    while node < leaves:
        node *= 2
        if best[node] != best[1]:
            node += 1
    return node - leaves
