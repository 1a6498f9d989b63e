"""Perfect play: published and brute-forced win chances of small boards, and a twin that tries everything."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from analysis.kernels.solver_guess import mines_left, whole_endgame
from analysis.kernels.solver_table import neighbours, table_of
from analysis.probability import CLOSED, Position, probabilities
from analysis.solver import Reason, Solver
from analysis.solver.boards import Cell
from tests.analysis.probability.oracles import cell_of, endgames, needs_oracles, small_positions
from tests.naive_probability import random_position
from tests.naive_solver import naive_wins

THOROUGH = 1000  # sets for each layout; 100 are enough for an empty board of 4x4 with four mines

#: Rows, columns, mines: layouts won from the best first cell.  Found by exhaustive search; 4x4 with 4 is published.
OPTIMA = {
    (2, 2, 1): 1, (2, 2, 2): 1, (2, 3, 1): 3, (2, 3, 2): 5, (2, 4, 2): 9, (2, 5, 2): 13, (3, 3, 1): 8, (3, 3, 2): 24,
    (3, 3, 3): 33, (3, 3, 4): 27, (3, 3, 5): 16, (3, 4, 2): 52, (3, 4, 3): 124, (3, 4, 4): 173, (3, 5, 3): 299,
    (4, 4, 1): 15, (4, 4, 2): 102, (4, 4, 3): 400, (4, 4, 4): 961,
}  # fmt: skip


@dataclass(frozen=True)
class Perfect:
    """Perfect play: a best cell to open, and the layouts that are won with it of all ``layouts``."""

    cell: Cell
    wins: int
    layouts: int

    @property
    def win(self) -> Fraction:
        return Fraction(self.wins, self.layouts)


def perfect_play(position: Position, most_layouts: int = 1000) -> Perfect | None:
    """Perfect play in ``position``, flags being closed cells; ``None`` if there are more layouts."""
    grid = position.grid()
    grid[position.closed] = CLOSED
    table = table_of(grid, neighbours(*grid.shape))
    cell, wins, layouts = whole_endgame(table, mines_left(table, position.mines), most_layouts, THOROUGH)
    safe = np.flatnonzero(probabilities(position).certain_safe)
    if safe.size:  # opening it costs nothing, whichever cell the search has looked at first
        cell = safe[0]
    row, column = divmod(int(cell), position.columns)
    return Perfect((row, column), int(wins), int(layouts)) if layouts and wins >= 0 else None


@pytest.mark.parametrize(("shape", "wins"), OPTIMA.items())
def test_optimal_win_chance_of_a_closed_board(shape: tuple[int, int, int], wins: int) -> None:
    rows, columns, mines = shape
    perfect = perfect_play(Position.of_rows(["." * columns] * rows, mines), most_layouts=2000)
    assert perfect is not None
    assert perfect.win == Fraction(wins, comb(rows * columns, mines))


@needs_oracles
@pytest.mark.parametrize("case", small_positions(), ids=lambda case: case["name"])
def test_small_positions_are_played_perfectly(case: dict[str, object]) -> None:
    perfect = perfect_play(Position.of_rows(case["board"], case["mines"]), most_layouts=1000)  # type: ignore[arg-type]
    assert perfect is not None
    assert perfect.win == Fraction(str(case["win"]))
    assert perfect.cell in [cell_of(text) for text in case["best"]]  # type: ignore[attr-defined]


@needs_oracles
def test_endgames_of_another_program_are_played_perfectly() -> None:
    played = 0
    for case in endgames():
        board = [row.replace("F", ".") for row in case["board"]]
        position = Position.of_rows(board, case["mines"])
        perfect = perfect_play(position, most_layouts=1000)
        if perfect is None or perfect.layouts != case["configs"]:
            continue  # its flags say more than its numbers
        played += 1
        assert perfect.win == Fraction(max(case["win"].values()), case["configs"]), case["name"]
    assert played >= 4


def test_perfect_play_wins_as_often_as_trying_everything() -> None:
    rng, compared = np.random.default_rng(5), 0
    while compared < 60:
        position = random_position(rng, max_closed=9)
        if position.closed.sum() == position.mines:
            continue
        wins = naive_wins(position)
        perfect = perfect_play(position)
        assert perfect is not None
        assert perfect.win == Fraction(max(wins.values()), perfect.layouts)
        assert wins[perfect.cell] == max(wins.values())
        compared += 1


def test_the_best_cell_need_not_be_the_safest() -> None:
    position = Position.of_rows([".....", ".1...", ".3...", "....."], 5)
    perfect = perfect_play(position)
    assert perfect is not None
    assert (perfect.cell, perfect.win) == ((0, 2), Fraction(285, 360))


def test_too_many_layouts_are_not_searched() -> None:
    assert perfect_play(Position.of_rows(["." * 10] * 10, 10)) is None


def test_a_pocket_is_played_by_itself() -> None:
    """Two cells in the corner share one mine, and no number that is still to come will see either."""
    rest = ["????........", "............", "............"]
    move = Solver().choose(Position.of_rows([".1??........", ".1??........", *rest], 8))
    assert (move.cells, move.reason, move.safe, move.win) == (((0, 0),), Reason.POCKET, 0.5, 0.5)


def test_an_area_whose_mines_are_not_known_is_no_pocket() -> None:
    """Nothing says how many mines the corner holds: the rest of the board will."""
    rest = ["????........", "............", "............"]
    move = Solver().choose(Position.of_rows([".???........", ".???........", *rest], 8))
    assert (move.reason, move.win) == (Reason.LOOK_AHEAD, None)
