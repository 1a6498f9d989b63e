"""Counting layouts of a front box by box, all layouts with the same future at once.

The boxes are walked in one order.  Two partial layouts that leave the active numbers with the same needs have the same
future, so they are one *state*; a state holds a row of weights, one for each number of mines used so far.  A layer is
the states after so many boxes; between two components a layer has one state.  Forward, a weight is how many ways lead
to it; backward, how many ways lead on from it, the cells off the front included; their products, summed over a layer,
say how likely each count of mines in a box is.

Only numbers >= 0 are added and multiplied, so nothing cancels.  Every layer is scaled by a power of two so that its
greatest weight is near 1, and each mine counts ``odds`` (also a power of two) so that neighbouring weights are of one
order.  A weight > 0 never becomes 0: it stops at ``FLOOR``, so *which* weights are zero is exact at any size of board,
and a cell is certain exactly if its other weights are zero.  The weights that were raised may not matter: a layer whose
sum of products is below ``FAINT`` is reported, and then somebody counts with integers.

``states`` is one int64 table, a row a state, with the columns below.  A key holds the needs of the active numbers, three
bits each, 21 in either word, at the *slots* that the numbers were given.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.probability_front import Front

LOW, HIGH = 0, 1  # the two words of the key
FEWEST, MOST = 2, 3  # mines used so far
WEIGHTS = 4  # where the row of weights begins
TARGETS = 5  # where its targets begin: the states that it becomes with LEAST, LEAST + 1 ... mines in the next box
LEAST = 6
COLUMNS = 7

SLOT_BITS = 3
SLOTS_A_WORD = 21
SLOTS = 2 * SLOTS_A_WORD

FLOOR = 1e-100
FAINT = 1e-60

DONE, NO_LAYOUT, TOO_WIDE = 0, 1, 2  # how a walk ends

MIX_LOW, MIX_HIGH = -0x61C8864680B583EB, 0x2545F4914F6CDD1D  # odd numbers without a pattern, for the hash

CHOOSE = np.array([[1.0 if k == 0 else 0.0 for k in range(9)] for _ in range(9)])
for _n in range(1, 9):
    for _k in range(1, 9):
        CHOOSE[_n, _k] = CHOOSE[_n - 1, _k - 1] + CHOOSE[_n - 1, _k]


class Layers(NamedTuple):
    """The result of a walk: layer i holds the states ``first[i]`` to ``first[i + 1]`` of the table.

    ``targets``: int32, states of the next layer.  ``weights``: float64, the rows of all states.
    ``exponent``: the weights of the last layer are 2**-exponent of the true ones.
    ``verdict``: ``DONE``; or ``NO_LAYOUT`` or ``TOO_WIDE``, and then ``stopped`` is the box where the walk ended.
    """

    first: NDArray[np.int64]
    states: NDArray[np.int64]
    targets: NDArray[np.int32]
    weights: NDArray[np.float64]
    exponent: int
    verdict: int
    stopped: int


@njit(cache=True)
def _plan_slots(order: NDArray[np.int64], front: Front) -> tuple[NDArray[np.int64], bool]:
    """A slot for each number, free again after its last box; and whether there were enough."""
    numbers, degree = front.numbers, front.degree
    slot = np.full(front.place.size, -1, np.int64)
    last = np.empty(front.place.size, np.int64)
    for place in range(order.size):
        for which in range(degree[order[place]]):
            last[numbers[order[place], which]] = place
    free = np.arange(SLOTS - 1, -1, -1)
    left = SLOTS
    for place in range(order.size):
        box = order[place]
        for which in range(degree[box]):
            number = numbers[box, which]
            if slot[number] < 0:
                if left == 0:
                    return slot, False
                left -= 1
                slot[number] = free[left]
        for which in range(degree[box]):
            number = numbers[box, which]
            if last[number] == place:
                free[left] = slot[number]
                left += 1
    return slot, True


@njit(cache=True)
def _longer_table(table: NDArray[np.int64], rows: int) -> NDArray[np.int64]:
    longer = np.empty((max(rows, 2 * table.shape[0]), table.shape[1]), np.int64)
    longer[: table.shape[0]] = table
    return longer


@njit(cache=True)
def _longer_targets(row: NDArray[np.int32], size: int) -> NDArray[np.int32]:
    longer = np.empty(max(size, 2 * row.size), np.int32)
    longer[: row.size] = row
    return longer


@njit(cache=True)
def _longer_weights(row: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    longer = np.empty(max(size, 2 * row.size), np.float64)
    longer[: row.size] = row
    return longer


@njit(cache=True)
def _table(size: int) -> NDArray[np.int32]:
    """An empty hash table: a power of two, at least ``size``."""
    power = 1
    while power < size:
        power *= 2
    return np.full(power, -1, np.int32)


@njit(cache=True)
def _describe(
    box: int, front: Front, slot: NDArray[np.int64], to_come: NDArray[np.int32], links: NDArray[np.int64],
    change: NDArray[np.int64],
) -> None:  # fmt: skip
    """Write the effect of a box on a state into ``links`` and ``change``.

    ``links``, a row a number: word of the key, shift, cells after this box.  ``change``: what is added to the two
    words for numbers that begin here, and what a mine takes from each word.
    """
    change[:] = 0
    for which in range(front.degree[box]):
        number = front.numbers[box, which]
        word = slot[number] // SLOTS_A_WORD
        shift = slot[number] % SLOTS_A_WORD * SLOT_BITS
        if to_come[number] == front.free[number]:
            change[word] += np.int64(front.need[number]) << shift
        change[2 + word] += 1 << shift
        to_come[number] -= front.size[box]
        links[which, 0] = word
        links[which, 1] = shift
        links[which, 2] = to_come[number]


@njit(cache=True)
def _branch(
    begin: int, end: int, states: NDArray[np.int64], targets: NDArray[np.int32], table: NDArray[np.int32],
    links: NDArray[np.int64], change: NDArray[np.int64], size_and_most: tuple[int, int],
) -> int:  # fmt: skip
    """Make the next layer of the states ``begin`` to ``end``, without weights; returns its end.

    ``table``: hash table of state numbers; entries below ``end`` are of older layers and count as empty.
    """
    size, most = size_and_most
    new_end = end
    target = states[begin, TARGETS]
    mask = table.size - 1
    for state in range(begin, end):
        states[state, TARGETS] = target
        low, high = states[state, LOW] + change[0], states[state, HIGH] + change[1]
        fewest, last = states[state, FEWEST], states[state, MOST]
        least, largest = 0, min(size, most - fewest)
        for which in range(links.shape[0]):
            need = ((high if links[which, 0] else low) >> links[which, 1]) & 7
            least = max(least, need - links[which, 2])
            largest = min(largest, need)
        states[state, LEAST] = least
        for mines in range(least, largest + 1):
            new_low, new_high = low - mines * change[2], high - mines * change[3]
            place = (new_low * MIX_LOW) ^ (new_high * MIX_HIGH)
            place = (place ^ (place >> 29) ^ (place >> 47)) & mask
            while True:
                new = table[place]
                if new < end:
                    new = new_end
                    new_end += 1
                    table[place] = new
                    states[new, LOW], states[new, HIGH] = new_low, new_high
                    states[new, FEWEST], states[new, MOST] = fewest + mines, last + mines
                    break
                if states[new, LOW] == new_low and states[new, HIGH] == new_high:
                    states[new, FEWEST] = min(states[new, FEWEST], fewest + mines)
                    states[new, MOST] = max(states[new, MOST], last + mines)
                    break
                place = (place + 1) & mask
            targets[target] = new
            target += 1
    states[end, TARGETS] = target  # where the first of the new layer begins; also where the last of this one ends
    return new_end


@njit(cache=True)
def _lay_out(begin: int, end: int, used: int, most: int, states: NDArray[np.int64]) -> int:
    """Give every state of a layer its row of weights from ``used`` on; returns the end of the last."""
    for state in range(begin, end):
        states[state, MOST] = min(states[state, MOST], most)
        states[state, WEIGHTS] = used
        used += states[state, MOST] - states[state, FEWEST] + 1
    return used


@njit(cache=True)
def _scale(weights: NDArray[np.float64]) -> int:
    """Bring the greatest weight to between 1/2 and 1 by a power of two, which is returned; see the module's text."""
    greatest = 0.0
    for place in range(weights.size):
        greatest = max(greatest, weights[place])
    exponent = math.frexp(greatest)[1]
    factor = math.ldexp(1.0, -exponent)
    for place in range(weights.size):
        weights[place] = max(weights[place] * factor, FLOOR) if weights[place] > 0 else 0.0
    return exponent


@njit(cache=True)
def _carry_forward(
    begin: int, end: int, states: NDArray[np.int64], targets: NDArray[np.int32], weights: NDArray[np.float64],
    ways: NDArray[np.float64],
) -> None:  # fmt: skip
    """Add the weights of a layer to those of its targets; ``ways[k]``: weight of k mines in the box."""
    for state in range(begin, end):
        first, fewest, last = states[state, WEIGHTS], states[state, FEWEST], states[state, MOST]
        mines = states[state, LEAST]
        for target in targets[states[state, TARGETS] : states[state + 1, TARGETS]]:
            into = states[target, WEIGHTS] + fewest + mines - states[target, FEWEST]
            factor = ways[mines]
            for place in range(min(last + mines, states[target, MOST]) - fewest - mines + 1):
                weights[into + place] += factor * weights[first + place]
            mines += 1


@njit(cache=True)
def ways_of(size: int, odds: float) -> NDArray[np.float64]:
    """Weight of 0, 1 ... ``size`` mines in a box of that size."""
    ways = np.empty(size + 1, np.float64)
    power = 1.0
    for mines in range(size + 1):
        ways[mines] = CHOOSE[size, mines] * power
        power *= odds
    return ways


@njit(cache=True)
def forward(front: Front, order: NDArray[np.int64], odds: float, most: int, max_weights: int) -> Layers:
    """Walk over the boxes.

    Parameters
    ----------
    front, order : as ``probability_order.chain_of`` gives them
    odds : weight of a mine, a power of two
    most : mines that the boxes may hold together
    max_weights : give up when the walk would keep more
    """
    boxes = order.size
    slot, enough = _plan_slots(order, front)
    first = np.zeros(boxes + 2, np.int64)
    states, targets = np.empty((256, COLUMNS), np.int64), np.empty(512, np.int32)
    weights, table = np.empty(2048, np.float64), _table(int(128))
    if not enough:
        return Layers(first, states, targets, weights, 0, TOO_WIDE, order[0])
    to_come = front.free.astype(np.int32)
    links, change = np.empty((8, 3), np.int64), np.empty(4, np.int64)
    begin, end, used, exponent = int(0), int(1), int(1), 0
    states[0] = 0
    weights[0] = 1.0
    for place in range(boxes):
        box = order[place]
        size = int(front.size[box])
        room = (end - begin) * (size + 1)
        if end + room + 1 > states.shape[0]:
            states = _longer_table(states, end + room + 1)
        if states[begin, TARGETS] + room > targets.size:
            targets = _longer_targets(targets, states[begin, TARGETS] + room)
        if 2 * room > table.size:
            table = _table(2 * room)
        _describe(box, front, slot, to_come, links, change)
        new_end = _branch(begin, end, states, targets, table, links[: front.degree[box]], change, (size, most))
        if new_end == end:
            return Layers(first, states, targets, weights, 0, NO_LAYOUT, box)
        new_used = _lay_out(end, new_end, used, most, states)
        if new_used > max_weights:
            return Layers(first, states, targets, weights, 0, TOO_WIDE, box)
        if new_used > weights.size:
            weights = _longer_weights(weights, new_used)
        weights[used:new_used] = 0.0
        _carry_forward(begin, end, states, targets, weights, ways_of(size, odds))
        exponent += _scale(weights[used:new_used])
        begin, end, used = end, new_end, new_used
        first[place + 1] = begin
    first[boxes + 1] = end
    return Layers(first, states, targets, weights, exponent, DONE, -1)


@njit(cache=True)
def _carry_back(
    begin: int, end: int, layers: Layers, ways: NDArray[np.float64], later: NDArray[np.float64],
    here: NDArray[np.float64], found: NDArray[np.float64],
) -> None:  # fmt: skip
    """The weights of what follows a layer (``here``) from those of the next (``later``).

    ``found``, shape (9, any), zero: the products of forward and backward weights by mines in the box.
    """
    states, targets, weights = layers.states, layers.targets, layers.weights
    base, later_base = states[begin, WEIGHTS], states[end, WEIGHTS]
    for state in range(begin, end):
        first, fewest, last = states[state, WEIGHTS], states[state, FEWEST], states[state, MOST]
        mines = states[state, LEAST]
        for target in targets[states[state, TARGETS] : states[state + 1, TARGETS]]:
            of = states[target, WEIGHTS] + fewest + mines - states[target, FEWEST] - later_base
            factor = ways[mines]
            products = found[mines]
            for place in range(min(last + mines, states[target, MOST]) - fewest - mines + 1):
                onward = factor * later[of + place]
                here[first - base + place] += onward
                products[place] += onward * weights[first + place]
            mines += 1


@njit(cache=True)
def backward(
    front: Front, order: NDArray[np.int64], odds: float, layers: Layers, last: NDArray[np.float64]
) -> tuple[NDArray[np.float64], bool]:
    """Compute the chance of each count of mines in every box.

    Parameters
    ----------
    front, order, odds, layers : as given to and by :func:`forward`
    last : float64, weights of what follows the only state of the last layer, for each number of mines of its row;
        changed in place

    Returns
    -------
    chances : float64, shape (boxes, 9)
    precise : False if some layer is ``FAINT``; the zeros among the chances are right even then
    """
    chances = np.zeros((order.size, 9), np.float64)
    states, first = layers.states, layers.first
    longest = 1
    for state in range(first[order.size + 1]):
        longest = max(longest, states[state, MOST] - states[state, FEWEST] + 1)
    found = np.empty((9, longest), np.float64)
    later, precise = last, True
    _scale(later)
    for place in range(order.size - 1, -1, -1):
        begin, end = first[place], first[place + 1]
        box = order[place]
        size = int(front.size[box])
        here = np.zeros(states[end, WEIGHTS] - states[begin, WEIGHTS], np.float64)
        found[: size + 1] = 0.0
        _carry_back(begin, end, layers, ways_of(size, odds), later, here, found)
        _scale(here)
        for mines in range(size + 1):
            for product in found[mines]:
                chances[box, mines] += product
        total = chances[box].sum()
        precise &= total >= FAINT
        if total > 0:
            chances[box] /= total
        later = here
    return chances, precise
