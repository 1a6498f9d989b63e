"""ZiNi: the clicks of greedy flagging solutions that know the whole board.

Every safe cell that shows a number is a candidate.  Its *gain* is the 3BV that its chord would open, less the flags it
lacks, less one for the chord, less the price of opening it if it is closed.  A move changes gains within two cells of
what it touches and around the openings it opens, so gains are kept up to date instead of counted again, and a
tournament knows the best.

Zero cells, mines and the frame start at ``NEVER``, so deep that no update lifts them to 0; updates need not ask what
kind of cell they meet.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.grid import MINE, framed_numbers, isolated_cells, label_groups, steps_around
from analysis.kernels.tournament import OUT, first_leader, set_value, tournament_of

NEVER = -1000
OPENING_CLICK = 1  # price of opening a closed candidate before its chord
UNAFFORDABLE = 100  # a price that keeps closed cells out of the choice altogether


class Terrain(NamedTuple):
    """What stays the same through all solutions of one board; arrays are over the framed cells unless noted.

    ``isolated``: cells that are one 3BV each.  ``opening``: 1..op in zero cells, else 0.  The cells around opening k
    are ``border[border_start[k] : border_start[k + 1]]``, each once.  ``gain``: int16, at the start and before the
    price of opening.
    """

    width: int
    number: NDArray[np.uint8]
    isolated: NDArray[np.bool_]
    opening: NDArray[np.int32]
    border_start: NDArray[np.int32]
    border: NDArray[np.int32]
    gain: NDArray[np.int16]


class Solution(NamedTuple):
    """A solution under way.

    ``gain``, ``closed``, ``flagged``, ``rank``: over the framed cells; ``closed`` speaks of candidates only, ``rank``
    is the candidate's place in the order that decides ties.  ``opened``: by opening, index 0 unused.
    ``best``: tournament of the gains, negative ones counting as ``OUT``.
    """

    price: int
    gain: NDArray[np.int16]
    closed: NDArray[np.bool_]
    flagged: NDArray[np.bool_]
    opened: NDArray[np.bool_]
    rank: NDArray[np.int32]
    best: NDArray[np.int8]


@njit(cache=True)
def _borders(
    opening: NDArray[np.int32], number: NDArray[np.uint8], width: int, openings: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The border cells of every opening, grouped by opening: (``border_start``, ``border``) of :class:`Terrain`.

    A cell borders two openings at most: of two zeros beside one numbered cell that do not touch, one must stand in a
    corner with every mine of the cell in the two corners next to it, and a third zero would touch either.
    """
    steps = steps_around(width)
    beside_of = np.zeros((number.size, 2), np.int32)
    border_start = np.zeros(openings + 2, np.int32)
    for cell in range(number.size):
        if 0 < number[cell] < MINE:
            for step in steps:
                near = opening[cell + step]
                if near == 0 or near == beside_of[cell, 0] or near == beside_of[cell, 1]:
                    continue
                beside_of[cell, 0 if beside_of[cell, 0] == 0 else 1] = near
                border_start[near + 1] += 1
    border_start[:] = np.cumsum(border_start)
    end = border_start.copy()
    border = np.empty(border_start[-1], np.int32)
    for cell in range(number.size):
        for near in beside_of[cell]:
            if near > 0:
                border[end[near]] = cell
                end[near] += 1
    return border_start, border


@njit(cache=True)
def terrain_of(mines: NDArray[np.uint8]) -> Terrain:
    """The terrain of ``mines`` (uint8, shape (rows, columns), 1 = mine)."""
    width = mines.shape[1] + 2
    steps = steps_around(width)
    number = framed_numbers(mines)
    opening, openings = label_groups(number == 0, width)
    isolated = isolated_cells(number, width)
    border_start, border = _borders(opening, number, width, openings)
    gain = np.full(number.size, NEVER, np.int16)
    for cell in range(number.size):
        if 0 < number[cell] < MINE:
            gain[cell] = -number[cell] - 1
    for cell in range(number.size):
        if isolated[cell]:
            gain[cell] += 1
            for step in steps:
                gain[cell + step] += 1
    for cell in border:
        gain[cell] += 1
    return Terrain(width, number, isolated, opening, border_start, border, gain)


@njit(cache=True)
def row_order(terrain: Terrain) -> NDArray[np.int32]:
    """The candidates, topmost row first, then leftmost."""
    return np.flatnonzero((terrain.number > 0) & (terrain.number < MINE)).astype(np.int32)


@njit(cache=True)
def column_order(terrain: Terrain) -> NDArray[np.int32]:
    """The candidates, leftmost column first, then topmost."""
    order = np.empty(terrain.number.size, np.int32)
    candidates = 0
    for column in range(terrain.width):
        for cell in range(column, terrain.number.size, terrain.width):
            if 0 < terrain.number[cell] < MINE:
                order[candidates] = cell
                candidates += 1
    return order[:candidates].copy()


@njit(cache=True)
def _begin(terrain: Terrain, order: NDArray[np.int32], price: int) -> Solution:
    """A solution before its first click."""
    gain = terrain.gain.copy()
    closed = np.zeros(gain.size, np.bool_)
    rank = np.zeros(gain.size, np.int32)
    contest = np.empty(order.size, np.int8)
    for place in range(order.size):
        cell = order[place]
        gain[cell] -= price
        closed[cell] = True
        rank[cell] = place
        contest[place] = max(gain[cell], OUT)
    opened = np.zeros(terrain.border_start.size - 1, np.bool_)
    return Solution(price, gain, closed, np.zeros(gain.size, np.bool_), opened, rank, tournament_of(contest))


@njit(cache=True)
def _change(solution: Solution, cell: int, difference: int) -> None:
    """Change the gain of ``cell``."""
    before = solution.gain[cell]
    after = before + difference
    solution.gain[cell] = after
    if before >= 0 or after >= 0:
        set_value(solution.best, solution.rank[cell], max(after, OUT))


@njit(cache=True)
def _open_number(terrain: Terrain, solution: Solution, cell: int) -> None:
    """Open one closed cell that shows a number."""
    solution.closed[cell] = False
    if not terrain.isolated[cell]:
        _change(solution, cell, solution.price)
        return
    _change(solution, cell, solution.price - 1)
    for step in steps_around(terrain.width):
        _change(solution, cell + step, -1)


@njit(cache=True)
def _open_opening(terrain: Terrain, solution: Solution, opening: int) -> None:
    """Open a closed opening with its border."""
    solution.opened[opening] = True
    for place in range(terrain.border_start[opening], terrain.border_start[opening + 1]):
        cell = terrain.border[place]
        difference = -1
        if solution.closed[cell]:
            solution.closed[cell] = False
            difference += solution.price
        _change(solution, cell, difference)


@njit(cache=True)
def _chord(terrain: Terrain, solution: Solution, cell: int) -> int:
    """Open ``cell`` if need be, flag the mines around it and chord it; returns the clicks."""
    steps = steps_around(terrain.width)
    clicks = 1
    if solution.closed[cell]:
        clicks += 1
        _open_number(terrain, solution, cell)
    for step in steps:
        beside = cell + step
        if terrain.number[beside] == MINE:
            if not solution.flagged[beside]:
                solution.flagged[beside] = True
                clicks += 1
                for further in steps:
                    _change(solution, beside + further, 1)
        elif solution.closed[beside]:
            _open_number(terrain, solution, beside)
        elif terrain.opening[beside] > 0 and not solution.opened[terrain.opening[beside]]:
            _open_opening(terrain, solution, terrain.opening[beside])
    return clicks


@njit(cache=True)
def _chord_while_it_pays(terrain: Terrain, solution: Solution, order: NDArray[np.int32]) -> int:
    """Chord the best candidate until every gain is negative; returns the clicks."""
    clicks = 0
    while solution.best[1] >= 0:
        clicks += _chord(terrain, solution, order[first_leader(solution.best)])
    return clicks


@njit(cache=True)
def _open_all_openings(terrain: Terrain, solution: Solution) -> int:
    """Click every opening; returns the clicks."""
    for opening in range(1, solution.opened.size):
        _open_opening(terrain, solution, opening)
    return int(solution.opened.size - 1)


@njit(cache=True)
def _closed_3bv(terrain: Terrain, solution: Solution) -> int:
    """The 3BV that nothing has opened yet: so many left clicks end the game."""
    single = np.count_nonzero(solution.closed & terrain.isolated)
    return int(single + solution.opened.size - 1 - np.count_nonzero(solution.opened))


@njit(cache=True)
def greedy(terrain: Terrain, order: NDArray[np.int32], openings_first: bool) -> int:
    """Clicks of greedy ZiNi, or of human ZiNi with ``openings_first``; equal gains: first in ``order``.

    Left clicks on 3BV never raise a gain, so once every gain is negative the rest is clicked one by one.
    """
    solution = _begin(terrain, order, OPENING_CLICK)
    clicks = _open_all_openings(terrain, solution) if openings_first else 0
    clicks += _chord_while_it_pays(terrain, solution, order)
    return clicks + _closed_3bv(terrain, solution)


@njit(cache=True)
def reference_human(terrain: Terrain, order: NDArray[np.int32]) -> int:
    """Clicks of human ZiNi as its originators' code has it: only open cells are chorded.

    Here a left click can make a chord pay (the cell that it opens becomes a candidate), so the gains are looked at
    again after each.
    """
    solution = _begin(terrain, order, UNAFFORDABLE)
    clicks = _open_all_openings(terrain, solution)
    clicks += _chord_while_it_pays(terrain, solution, order)
    for cell in order:
        if solution.closed[cell] and terrain.isolated[cell]:
            _open_number(terrain, solution, cell)
            clicks += 1 + _chord_while_it_pays(terrain, solution, order)
    return clicks


@njit(cache=True)
def all_counts(mines: NDArray[np.uint8]) -> tuple[int, int, int, int]:
    """``gzini``, ``hzini``, ``gzini_ref`` and ``hzini_ref`` of ``mines`` (uint8, shape (rows, columns), 1 = mine)."""
    terrain = terrain_of(mines)
    by_row = row_order(terrain)
    by_column = column_order(terrain)
    return (
        greedy(terrain, by_row, False),
        greedy(terrain, by_row, True),
        greedy(terrain, by_column, False),
        reference_human(terrain, by_column),
    )
