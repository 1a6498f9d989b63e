"""Whole games: certain cells first, then guesses, until the game is won or lost."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.grid import MINE as TRUE_MINE
from analysis.kernels.probability import ANSWERED, IMPRECISE, MAX_WEIGHTS, WIDE, Odds, odds_of
from analysis.kernels.probability_front import CLOSED, FLAG, MINE, SAFE
from analysis.kernels.solver_endgame import mix
from analysis.kernels.solver_guess import (
    ANY,
    BY_CHANCE,
    BY_PROOF,
    NEVER,
    Style,
    best_guess,
)
from analysis.kernels.solver_rules import apply_rules
from analysis.kernels.solver_table import (
    OPENED,
    SAFE_END,
    Table,
    closed_left,
    look_again,
    neighbours,
    open_cell,
    table_of,
)


class Game(NamedTuple):
    """Course of a game.  ``opened``: safe cells open at the end; ``counted``: how often layouts were counted."""

    won: bool
    opened: int
    moves: int
    guesses: int
    counted: int


@njit(cache=True)
def true_numbers(mines: NDArray[np.uint8], near: NDArray[np.int32]) -> NDArray[np.uint8]:
    """The number of each cell (flat), ``MINE`` on mines."""
    flat = mines.reshape(mines.size)
    numbers = np.empty(mines.size, np.uint8)
    for cell in range(mines.size):
        count = 0
        for place in range(near[cell, 8]):
            count += flat[near[cell, place]]
        numbers[cell] = TRUE_MINE if flat[cell] else count
    return numbers


@njit(cache=True)
def _open_found(table: Table, numbers: NDArray[np.uint8]) -> int:
    """Open the cells that were found safe; returns how many had not been opened by another."""
    opened = 0
    while table.counts[SAFE_END] > 0:
        table.counts[SAFE_END] -= 1
        cell = table.safe[table.counts[SAFE_END]]
        opened += table.seen[cell] > 8
        open_cell(table, numbers, cell)
    return opened


@njit(cache=True)
def _not_counted() -> Odds:
    return Odds(
        WIDE, -1, np.empty((0, 0), np.float64), np.empty((0, 0), np.int8), np.nan, np.empty(0, np.float64), 0, 0.0
    )


@njit(cache=True)
def _mark_certain(table: Table, odds: Odds) -> None:
    """Mark what counting found: mines become ``FLAG``, safe cells join ``table.safe``."""
    status = odds.status.reshape(table.seen.size)
    for cell in range(table.seen.size):
        if table.seen[cell] == CLOSED and status[cell] == MINE:
            table.seen[cell] = FLAG
            look_again(table, cell)
        elif table.seen[cell] == CLOSED and status[cell] == SAFE:
            table.safe[table.counts[SAFE_END]] = cell
            table.counts[SAFE_END] += 1


@njit(cache=True)
def open_certain(table: Table, numbers: NDArray[np.uint8], mines: int, style: Style) -> tuple[Odds, int, int]:
    """Open certain cells until there are none, or the game is won.

    Returns
    -------
    odds : of the position that is left; ``WIDE`` if they were not counted
    moves : cells clicked
    counted : how often layouts were counted
    """
    moves, counted = 0, 0
    while True:
        apply_rules(table, style.rule)
        if table.counts[SAFE_END] == 0:
            if not style.exact or table.counts[OPENED] == numbers.size - mines:
                return _not_counted(), moves, counted
            # Not the constants themselves: for literals numba would compile all of it a second time.
            odds = odds_of(table.grid, mines, np.bool_(True), np.int64(MAX_WEIGHTS))  # type: ignore[arg-type]
            counted += 1
            if odds.verdict not in (ANSWERED, IMPRECISE):
                return odds, moves, counted
            _mark_certain(table, odds)
            if table.counts[SAFE_END] == 0:
                return odds, moves, counted
        moves += _open_found(table, numbers)


@njit(cache=True)
def _random_guess(table: Table, draw: np.uint64) -> int:
    """A closed cell that is not known to be a mine, by a random number; there must be one."""
    which = np.int64(draw % np.uint64(closed_left(table)))
    for cell in range(table.seen.size):
        which -= table.seen[cell] == CLOSED
        if which < 0:
            return cell
    return -1


# What follows runs in Python and calls kernels, a few times in a game: a kernel around them would link all of them again,
# which takes numba longer than any game.


def _mixed(number: int) -> np.uint64:
    """:func:`mix` of any whole number; negative ones count as those 2**64 above."""
    return np.uint64(mix(np.uint64(number % (1 << 64))))


def _guess(table: Table, odds: Odds, mines: int, style: Style, draw: np.uint64) -> tuple[int, int, float]:
    """The cell to open without proof, why, and what it is worth; see ``best_guess``."""
    if style.guess <= ANY or odds.verdict not in (ANSWERED, IMPRECISE):
        return _random_guess(table, draw), BY_CHANCE, np.nan
    return best_guess(table, odds, mines, style)


def play(mines: NDArray[np.uint8], first: int, seed: int, style: Style) -> tuple[Game, NDArray[np.uint8]]:
    """Play a game.

    Parameters
    ----------
    mines : uint8, shape (rows, columns), contiguous and writable (one compilation); not written to
    first : the cell to begin with, safe
    seed : of the guesses of players who do not think
    style : the player

    Returns
    -------
    game : Game
    grid : uint8, shape (rows, columns), what is seen at the end
    """
    near = neighbours(mines.shape[0], mines.shape[1])
    table = table_of(np.full(mines.shape, CLOSED, np.uint8), near)
    numbers, mine_count = true_numbers(mines, near), int(mines.sum())
    cell, draw = first, _mixed(seed)
    moves, guesses, counted = 1, 0, 0
    won = False
    while open_cell(table, numbers, cell):
        odds, clicked, looks = open_certain(table, numbers, mine_count, style)
        moves += clicked
        counted += looks
        won = bool(table.counts[OPENED] == numbers.size - mine_count)
        if won or style.guess == NEVER:
            break
        cell, _, _ = _guess(table, odds, mine_count, style, draw)
        draw = _mixed(int(draw))
        guesses += 1
        moves += 1
    return Game(won, int(table.counts[OPENED]), moves, guesses, counted), table.grid


def choose(grid: NDArray[np.uint8], mines: int, seed: int, style: Style) -> tuple[NDArray[np.int32], int, float]:
    """Choose a player's next cells in a position that has a layout and a cell to open.

    Parameters
    ----------
    grid : uint8, shape (rows, columns), contiguous: open numbers, ``CLOSED`` and ``OPEN``; marks are left in it
    mines, seed, style : as for :func:`play`

    Returns
    -------
    cells : int32, rising; all cells found certain, or one guess
    why : ``BY_PROOF`` ... ``BY_POCKET``
    value : see ``best_guess``
    """
    table = table_of(grid, neighbours(grid.shape[0], grid.shape[1]))
    apply_rules(table, style.rule)
    odds = _not_counted()
    if style.exact:
        odds = odds_of(grid, mines, True, MAX_WEIGHTS)
        if odds.verdict in (ANSWERED, IMPRECISE):
            _mark_certain(table, odds)
    found = int(table.counts[SAFE_END])
    if found > 0:
        return np.sort(table.safe[:found]), BY_PROOF, 1.0
    cell, why, value = _guess(table, odds, mines, style, _mixed(seed))
    return np.full(1, cell, np.int32), why, value
