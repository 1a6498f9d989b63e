"""The best play when few layouts are left: how many of them a perfect player wins.

A position of an endgame is the set of layouts that are still possible: whoever has opened all cells that are safe in
every one of them knows nothing else.  So the answer of a set is remembered under the set alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.grid import MINE

NODES, GAVE_UP, BEST_CELL = 0, 1, 2  # places in ``Search.counts``
BEGIN, END, CELL, NUMBER, WINS, TO_COME, BEST, TURN, TURNS, TELLS, FRAME = range(11)  # columns of ``Walk.frames``

_ROOM = 4  # entries of the table for each node allowed (a power of two)
_SETS_IN_HAND = 16  # the sets of a line of play shrink quickly; if they do not, the search gives up


class Search(NamedTuple):
    """The layouts and what is known about sets of them.

    ``shown``: uint8, shape (layouts, cells), what the cell shows, ``MINE`` in mines.
    ``names``: uint64, a random name of each layout; the name of a set is the exclusive or of them.
    ``sets``, ``wins``: the hash table; 0 is an empty place (no set of two or more layouts is likely to be called 0).
    ``pool``: int32, layouts of the sets that are being looked at.
    ``counts``: nodes so far, whether the search gave up, the best cell of the root.
    """

    shown: NDArray[np.uint8]
    names: NDArray[np.uint64]
    sets: NDArray[np.uint64]
    wins: NDArray[np.int32]
    pool: NDArray[np.int32]
    counts: NDArray[np.int64]


class Walk(NamedTuple):
    """The line of play that is being looked at, a row a depth.

    ``frames``: int64: the set ``pool[BEGIN:END]``; the cell that is tried (its place among the active ones), the next
    number of it, wins with it so far and layouts to come; the most wins of a cell so far; which turn of how many in
    ``order`` it is; whether the cell is certain and only ``TELLS`` something.
    ``active``: int32, cells that may differ within the set, ``sizes`` of them.  ``order``: int32, which of them to try.
    ``tally``: int32, shape (depth, cells, 10), layouts of the set by what the active cell shows.
    """

    frames: NDArray[np.int64]
    active: NDArray[np.int32]
    sizes: NDArray[np.int64]
    order: NDArray[np.int32]
    tally: NDArray[np.int32]


@njit(cache=True)
def mix(value: np.uint64) -> np.uint64:
    """A random-looking number for each number (the finalizer of splitmix64)."""
    value = value + np.uint64(0x9E3779B97F4A7C15)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@njit(cache=True)
def _tally(search: Search, begin: int, end: int, active: NDArray[np.int32], tally: NDArray[np.int32]) -> None:
    """Write to ``tally`` how many layouts of a set show each number (or a mine) in each active cell."""
    tally[: active.size] = 0
    for place in range(begin, end):
        row = search.shown[search.pool[place]]
        for index in range(active.size):
            tally[index, row[active[index]]] += 1


@njit(cache=True)
def _kinds(tally: NDArray[np.int32], size: int, active: NDArray[np.int32]) -> tuple[int, NDArray[np.int32]]:
    """A cell that is safe in the whole set and tells something (its place, or -1); the places of undecided cells."""
    undecided = np.empty(active.size, np.int32)
    found = 0
    for index in range(active.size):
        if tally[index, MINE] == 0:
            kinds = 0
            for number in range(MINE):
                kinds += tally[index, number] > 0
            if kinds > 1:
                return index, undecided[:0]
        elif tally[index, MINE] < size:
            undecided[found] = index
            found += 1
    return -1, undecided[:found]


@njit(cache=True)
def _part(search: Search, begin: int, end: int, cell: int, number: int) -> int:
    """Put the layouts of a set that show ``number`` in ``cell`` behind the set; returns their end."""
    last = end
    for place in range(begin, end):
        layout = search.pool[place]
        search.pool[last] = layout  # overwritten by the next one unless it shows the number
        last += search.shown[layout, cell] == number
    return last


@njit(cache=True)
def _find(search: Search, name: np.uint64) -> int:
    """The place of a set in the table, or the empty place where it belongs."""
    mask = search.sets.size - 1
    place = np.int64(name & np.uint64(mask))
    while search.sets[place] not in (np.uint64(0), name):
        place = (place + 1) & mask
    return int(place)


@njit(cache=True)
def _order(tally: NDArray[np.int32], undecided: NDArray[np.int32]) -> NDArray[np.int32]:
    """Undecided cells worth opening, those safe in most layouts first.

    A cell that shows the same number wherever it is safe tells nothing, so it can wait to the end: such cells count
    only if there are no others.
    """
    alive, found = np.empty(undecided.size, np.int32), 0
    for index in undecided:
        kinds = 0
        for number in range(MINE):
            kinds += tally[index, number] > 0
        alive[found] = index
        found += kinds > 1
    chosen = alive[:found] if found > 0 else undecided
    for place in range(1, chosen.size):
        index, back = chosen[place], place
        while back > 0 and tally[chosen[back - 1], MINE] > tally[index, MINE]:
            chosen[back] = chosen[back - 1]
            back -= 1
        chosen[back] = index
    return chosen


@njit(cache=True)
def _enter(search: Search, walk: Walk, depth: int, begin: int, end: int) -> int:
    """Begin with a set at ``depth``; returns its wins if they are known, else -1."""
    size = end - begin
    if size == 1:
        return 1
    search.counts[NODES] += 1
    too_far = depth + 1 >= walk.frames.shape[0] or end + size >= search.pool.size
    if too_far or search.counts[NODES] * _ROOM > search.sets.size:
        search.counts[GAVE_UP] = 1
        return 0
    frame, active = walk.frames[depth], walk.active[depth, : walk.sizes[depth]]
    tally = walk.tally[depth]
    _tally(search, begin, end, active, tally)
    telling, undecided = _kinds(tally, size, active)
    frame[BEGIN], frame[END], frame[BEST], frame[TURN], frame[TELLS] = begin, end, 0, 0, telling >= 0
    frame[CELL] = -1
    if telling >= 0:
        walk.active[depth + 1, : active.size] = active
        walk.sizes[depth + 1] = active.size
        walk.order[depth, 0] = telling
        frame[TURNS] = 1
        return -1
    known = _find(search, _name_of(search, begin, end))
    if search.sets[known] != 0:
        return int(search.wins[known])
    for place in range(undecided.size):
        walk.active[depth + 1, place] = active[undecided[place]]
    walk.sizes[depth + 1] = undecided.size
    order = _order(tally, undecided)
    walk.order[depth, : order.size] = order
    frame[TURNS] = order.size
    return -1


@njit(cache=True)
def _name_of(search: Search, begin: int, end: int) -> np.uint64:
    name = np.uint64(0)
    for place in range(begin, end):
        name ^= search.names[search.pool[place]]
    return name


@njit(cache=True)
def _next_part(search: Search, walk: Walk, depth: int) -> int:
    """The next part of a set to look at, put behind it: its end; -1 if the set is done, ``BEST`` being its wins."""
    frame, tally, active = walk.frames[depth], walk.tally[depth], walk.active[depth]
    size = frame[END] - frame[BEGIN]
    while True:
        if frame[CELL] >= 0:
            index = frame[CELL]
            while frame[NUMBER] < MINE and frame[WINS] + frame[TO_COME] > frame[BEST]:
                number = frame[NUMBER]
                frame[NUMBER] += 1
                if tally[index, number] > 0:
                    frame[TO_COME] -= tally[index, number]
                    return _part(search, frame[BEGIN], frame[END], active[index], number)
            if frame[WINS] + frame[TO_COME] > frame[BEST]:
                frame[BEST] = frame[WINS]
                if depth == 0:
                    search.counts[BEST_CELL] = active[index]
            frame[TURN] += 1
        turn = frame[TURN]
        if turn == frame[TURNS] or size - tally[walk.order[depth, turn], MINE] <= frame[BEST]:
            return -1
        frame[CELL], frame[NUMBER], frame[WINS] = walk.order[depth, turn], 0, 0
        frame[TO_COME] = size - tally[frame[CELL], MINE]


@njit(cache=True)
def _leave(search: Search, walk: Walk, depth: int) -> int:
    """Remember a set that is done; returns its wins."""
    frame = walk.frames[depth]
    if not frame[TELLS]:
        name = _name_of(search, frame[BEGIN], frame[END])
        known = _find(search, name)
        search.sets[known] = name
        search.wins[known] = frame[BEST]
    return int(frame[BEST])


@njit(cache=True)
def _search(search: Search, walk: Walk, layouts: int) -> int:
    """Wins of the set of all layouts; recursion by hand, because numba cannot reload a recursive function."""
    depth, wins = 0, _enter(search, walk, int(0), int(0), layouts)
    while search.counts[GAVE_UP] == 0:
        if wins >= 0:  # the set at `depth` is done
            depth -= 1
            if depth < 0:
                return wins
            walk.frames[depth, WINS] += wins
        begin = walk.frames[depth, END]
        end = _next_part(search, walk, depth)
        if end < 0:
            wins = _leave(search, walk, depth)
        else:
            depth += 1
            wins = _enter(search, walk, depth, begin, end)
    return 0


@njit(cache=True)
def best_play(shown: NDArray[np.uint8], max_nodes: int) -> tuple[int, int]:
    """The best cell among those that are not certain, and how many layouts are won with it.

    Parameters
    ----------
    shown : uint8, shape (layouts, cells), as of ``solver_layouts.shown_in``
    max_nodes : give up after so many sets

    Returns
    -------
    cell : column of ``shown``; -1 if the search gave up, or if there is but one layout
    wins : layouts won by perfect play; -1 if the search gave up
    """
    layouts, cells = shown.shape
    room = 1
    while room < _ROOM * (max_nodes + 1):
        room *= 2
    names = np.empty(layouts, np.uint64)
    for layout in range(layouts):
        names[layout] = mix(np.uint64(layout))
    pool = np.empty(_SETS_IN_HAND * layouts + 64, np.int32)
    pool[:layouts] = np.arange(layouts)
    count = np.zeros(3, np.int64)
    count[BEST_CELL] = -1
    search = Search(shown, names, np.zeros(room, np.uint64), np.empty(room, np.int32), pool, count)
    deep = min(layouts, 2 * cells) + 2
    walk = Walk(
        np.empty((deep, FRAME), np.int64),
        np.empty((deep, cells), np.int32),
        np.empty(deep, np.int64),
        np.empty((deep, cells), np.int32),
        np.empty((deep, cells, MINE + 1), np.int32),
    )
    walk.active[0] = np.arange(cells)
    walk.sizes[0] = cells
    wins = _search(search, walk, layouts)
    if count[GAVE_UP]:
        return -1, -1
    return int(count[BEST_CELL]), wins
