"""ZiNi: the clicks of greedy flagging solutions that know the whole board.

Every safe cell that shows a number is a candidate.  Its *gain* is the 3BV that its chord would open, less the flags it
lacks, less one for the chord, less the price of opening it if it is closed.  A move changes gains within two cells of
what it touches and in the openings it opens, so gains are updated instead of counted again.

Gain and order are one number, the *key* of a cell: ``gain * GAIN + places from the end of the order``.  The greatest
key is the best gain, first in the order, and says which cell it is.  The cells stand in blocks of ``BLOCK``; ``leaders``
holds the greatest key of each, and a move looks for it again only in the blocks that it touched.  Both searches are
plain loops over neighbouring numbers, which the compiler turns into vector instructions.

Zero cells, mines and the frame start at the gain ``NEVER``, so deep that no update lifts them to 0; updates need not
ask what kind of cell they meet.

Arrays that the functions share, passed one by one because a tuple of them is slower (every call counts references):

todo : int16, framed; what a chord beside the cell would still do: open the opening of that number (> 0), or one of
    ``NOTHING``, ``BORDER``, ``SINGLE``, ``FLAG``
key : int32, framed and filled up to whole blocks
order : int32, the framed cells in the order that decides ties
moves : int32; the first number counts the moves behind it: a chord as its framed cell, a left click as minus its cell.
    With room for the count alone nothing is kept
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.grid import framed_numbers, inlined, isolated_cells, openings_of, steps_around, uncounted

NOTHING = 0  # an open cell, a flag, the frame
BORDER = -1  # open the cell, which is no 3BV
SINGLE = -2  # open the cell, which is one 3BV of its own
FLAG = -3  # flag the mine first

NEVER = -100  # at most 9 are added for 3BV, 8 for flags
OPENING_CLICK = 1  # price of opening a closed candidate before its chord
UNAFFORDABLE = 50  # a price that keeps closed candidates out of the choice altogether

GAIN = 1 << 17  # one gain within a key: more than the 257 * 257 framed cells of the largest board
BLOCK = 128  # fewer, and the compiler unrolls the search instead of vectorising it

TODO_BY_NUMBER = np.array([NOTHING, *[SINGLE] * 8, FLAG, NOTHING], np.int16)
GAIN_BY_NUMBER = np.array([NEVER, *range(-2, -10, -1), NEVER, NEVER], np.int8)
GAIN_AROUND = np.array([0, 0, -1, 1], np.int32)  # what becoming NOTHING means to the neighbours, by -todo


class Terrain(NamedTuple):
    """One board before the first click: ``todo``, ``gain`` (without the price of opening), ``width`` of a framed row.

    Opening k opens ``members[start[k] : start[k + 1]]``, zeros and border; see ``grid.openings_of``.
    """

    width: int
    todo: NDArray[np.int16]
    gain: NDArray[np.int8]
    start: NDArray[np.int32]
    members: NDArray[np.int32]


@uncounted
def _first_gains(number: NDArray[np.uint8], single: NDArray[np.uint8], gain: NDArray[np.int8]) -> None:
    """Fill in the gains before the first click, but for openings and the price.

    ``number``, ``single`` (1 = isolated cell), ``gain`` (``NEVER`` on the frame): shape (rows + 2, columns + 2).
    """
    for row in range(1, number.shape[0] - 1):
        above, here, below, of_row = single[row - 1], single[row], single[row + 1], gain[row]
        for left in range(number.shape[1] - 2):
            middle, right = left + 1, left + 2
            around = above[left] + above[middle] + above[right] + here[left] + here[middle] + here[right]
            around += below[left] + below[middle] + below[right]
            of_row[middle] = GAIN_BY_NUMBER[number[row, middle]] + around


@njit(cache=True)
def terrain_of(mines: NDArray[np.uint8]) -> Terrain:
    """The terrain of ``mines`` (uint8, shape (rows, columns), 1 = mine)."""
    rows, width = mines.shape[0], mines.shape[1] + 2
    number = framed_numbers(mines)
    todo, start, members = openings_of(number, width)  # zeros hold the number of their opening, the rest 0
    isolated = isolated_cells(number, members)
    for cell in range(number.size):
        todo[cell] += TODO_BY_NUMBER[number[cell]]
    framed = (rows + 2, width)
    gain = np.full(number.size, NEVER, np.int8)
    _first_gains(number.reshape(framed), isolated.view(np.uint8).reshape(framed), gain.reshape(framed))
    for cell in members:
        gain[cell] += 1
        if number[cell] != 0:
            todo[cell] = BORDER
    return Terrain(width, todo, gain, start, members)


@njit(cache=True)
def row_order(terrain: Terrain) -> NDArray[np.int32]:
    """The framed cells, topmost row first, then leftmost."""
    return np.arange(terrain.todo.size).astype(np.int32)


@njit(cache=True)
def column_order(terrain: Terrain) -> NDArray[np.int32]:
    """The framed cells, leftmost column first, then topmost."""
    rows = terrain.todo.size // terrain.width
    order = np.empty(terrain.todo.size, np.int32)
    for column in range(terrain.width):
        for row in range(rows):
            order[column * rows + row] = row * terrain.width + column
    return order


@uncounted
def _greatest(keys: NDArray[np.int32]) -> int:
    greatest = keys[0]
    for place in range(keys.size):  # by index: a loop over the values themselves is not vectorised
        greatest = max(greatest, keys[place])
    return int(greatest)


@inlined
def _refresh(first: int, last: int, key: NDArray[np.int32], leaders: NDArray[np.int32]) -> None:
    """Find the leaders again of the blocks from that of cell ``first`` to that of cell ``last``."""
    for block in range(max(first, 0) // BLOCK, min(last // BLOCK + 1, leaders.size)):
        leaders[block] = _greatest(key[block * BLOCK : (block + 1) * BLOCK])


@inlined
def _cover(cell: int, price: int, width: int, todo: NDArray[np.int16], key: NDArray[np.int32]) -> None:
    """Open a closed number or flag a mine.

    The same additions in every case: cheaper than branches, which the CPU would guess wrong here.
    """
    change = GAIN_AROUND[-todo[cell]] * GAIN
    todo[cell] = NOTHING
    key[cell] += price * GAIN + change
    for step in steps_around(width):
        key[cell + step] += change


@inlined
def _open_opening(members: NDArray[np.int32], price: int, todo: NDArray[np.int16], key: NDArray[np.int32]) -> int:
    """Open the zeros and the border of one closed opening; returns the last of its cells."""
    last = 0
    for cell in members:
        key[cell] += (price - 1) * GAIN if todo[cell] != NOTHING else -GAIN
        todo[cell] = NOTHING
        last = max(last, cell)
    return last


@inlined
def _keep(move: int, moves: NDArray[np.int32]) -> None:
    """Append a move, if moves are kept."""
    if moves.size > 1:
        moves[0] += 1
        moves[moves[0]] = move


@uncounted
def _chord_while_it_pays(
    price: int, width: int, order: NDArray[np.int32], start: NDArray[np.int32], members: NDArray[np.int32],
    todo: NDArray[np.int16], key: NDArray[np.int32], leaders: NDArray[np.int32], moves: NDArray[np.int32],
) -> int:  # fmt: skip
    """Play the best candidate until every gain is negative; returns the clicks."""
    clicks = 0
    steps = steps_around(width)
    while True:
        leader = _greatest(leaders)
        if leader < 0:
            return clicks
        cell = order[order.size - 1 - leader % GAIN]
        _keep(cell, moves)
        first, last = cell - 2 * width - 2, cell + 2 * width + 2  # cells whose gains may change
        clicks += 1
        if todo[cell] != NOTHING:
            clicks += 1
            _cover(cell, price, width, todo, key)
        for step in steps:
            beside = cell + step
            if todo[beside] < 0:
                clicks += todo[beside] == FLAG
                _cover(beside, price, width, todo, key)
            elif todo[beside] > 0:
                opening = todo[beside]
                opened = members[start[opening] : start[opening + 1]]
                first = min(first, opened[0] - width - 1)
                last = max(last, _open_opening(opened, price, todo, key))
        _refresh(first, last, key, leaders)


@uncounted
def _click_the_rest(
    price: int, width: int, order: NDArray[np.int32], start: NDArray[np.int32], members: NDArray[np.int32],
    todo: NDArray[np.int16], key: NDArray[np.int32], leaders: NDArray[np.int32], moves: NDArray[np.int32],
) -> int:  # fmt: skip
    """Left-click the 3BV that are left in their order, chording again where that begins to pay; returns the clicks."""
    clicks = 0
    if price == OPENING_CLICK:  # a left click raises no gain, so only the number of them counts
        for cell in range(todo.size):
            if todo[cell] == SINGLE:
                clicks += 1
                _keep(-cell, moves)
    else:
        for cell in order:
            if todo[cell] == SINGLE:
                clicks += 1
                _keep(-cell, moves)
                _cover(cell, price, width, todo, key)
                if key[cell] >= 0:  # it was closed and unaffordable; no other gain rises by a left click
                    _refresh(cell, cell, key, leaders)
                    clicks += _chord_while_it_pays(price, width, order, start, members, todo, key, leaders, moves)
    for opening in range(1, start.size - 1):
        if todo[members[start[opening]]] != NOTHING:
            clicks += 1
            _keep(-members[start[opening]], moves)
    return int(clicks)


@uncounted
def _play(
    price: int, openings_first: bool, width: int, order: NDArray[np.int32], start: NDArray[np.int32],
    members: NDArray[np.int32], todo: NDArray[np.int16], key: NDArray[np.int32], leaders: NDArray[np.int32],
    moves: NDArray[np.int32],
) -> int:  # fmt: skip
    """Clicks of one solution, from ``todo`` and ``key`` as they are before the first click, the price not yet paid."""
    for cell in range(key.size):
        key[cell] -= price * GAIN
    clicks = 0
    if openings_first:
        for opening in range(1, start.size - 1):
            clicks += 1
            _keep(-members[start[opening]], moves)
            _open_opening(members[start[opening] : start[opening + 1]], price, todo, key)
    _refresh(int(0), key.size - 1, key, leaders)
    clicks += _chord_while_it_pays(price, width, order, start, members, todo, key, leaders, moves)
    clicks += _click_the_rest(price, width, order, start, members, todo, key, leaders, moves)
    return int(clicks)


@njit(cache=True)
def _first_keys(gain: NDArray[np.int8], order: NDArray[np.int32]) -> NDArray[np.int32]:
    """The keys before the first click, without the price of opening."""
    key = np.full((order.size // BLOCK + 1) * BLOCK, NEVER * GAIN, np.int32)
    for place in range(order.size):
        cell = order[place]
        key[cell] = int(gain[cell]) * GAIN + order.size - 1 - place
    return key


@njit(cache=True)
def solve(terrain: Terrain, order: NDArray[np.int32], price: int, openings_first: bool) -> int:
    """Clicks of one solution: chords while they pay, then left clicks on the 3BV that are left.

    Parameters
    ----------
    terrain : Terrain
    order : int32, shape (framed cells,); equal gains: first in it
    price : ``OPENING_CLICK``, or ``UNAFFORDABLE`` to chord open cells only
    openings_first : left-click every opening before anything else
    """
    key = _first_keys(terrain.gain, order)
    leaders = np.empty(key.size // BLOCK, np.int32)
    width, start, members, todo = terrain.width, terrain.start, terrain.members, terrain.todo.copy()
    moves = np.zeros(1, np.int32)
    return int(_play(price, openings_first, width, order, start, members, todo, key, leaders, moves))


@njit(cache=True)
def moves_of(mines: NDArray[np.uint8], by_column: bool, price: int, openings_first: bool) -> NDArray[np.int32]:
    """The moves of the solution that :func:`count` counts.

    Returns
    -------
    int32, shape (moves,): cells (row * columns + column) that are chorded, after a left click if they are closed and a
    flag on each mine around them that has none; a left click alone as -1 - cell
    """
    terrain = terrain_of(mines)
    order = column_order(terrain) if by_column else row_order(terrain)
    key = _first_keys(terrain.gain, order)
    leaders = np.empty(key.size // BLOCK, np.int32)
    width, start, members, todo = terrain.width, terrain.start, terrain.members, terrain.todo.copy()
    moves = np.zeros(2 * todo.size + 2, np.int32)  # no cell is chorded twice, nor clicked twice
    _play(price, openings_first, width, order, start, members, todo, key, leaders, moves)
    moves = moves[1 : moves[0] + 1].copy()
    for place in range(moves.size):
        framed = abs(moves[place])
        cell = (framed // width - 1) * (width - 2) + framed % width - 1
        moves[place] = cell if moves[place] > 0 else -1 - cell
    return moves


@njit(cache=True)
def greedy_and_human(terrain: Terrain, order: NDArray[np.int32], human_price: int) -> tuple[int, int]:
    """The solution that begins anywhere and the one that opens every opening first, at the same order.

    ``human_price``: the price of opening in the second; see :func:`solve`.
    """
    first_key = _first_keys(terrain.gain, order)
    leaders = np.empty(first_key.size // BLOCK, np.int32)
    todo, key = terrain.todo.copy(), first_key.copy()
    width, start, members = terrain.width, terrain.start, terrain.members
    moves = np.zeros(1, np.int32)
    greedy = _play(int(OPENING_CLICK), bool(0), width, order, start, members, todo, key, leaders, moves)
    todo[:] = terrain.todo
    return greedy, _play(human_price, bool(1), width, order, start, members, todo, first_key, leaders, moves)


@njit(cache=True)
def all_counts(mines: NDArray[np.uint8]) -> tuple[int, int, int, int]:
    """``gzini``, ``hzini``, ``gzini_ref`` and ``hzini_ref`` of ``mines`` (uint8, shape (rows, columns), 1 = mine)."""
    terrain = terrain_of(mines)
    gzini, hzini = greedy_and_human(terrain, row_order(terrain), int(OPENING_CLICK))
    gzini_ref, hzini_ref = greedy_and_human(terrain, column_order(terrain), int(UNAFFORDABLE))
    return gzini, hzini, gzini_ref, hzini_ref
