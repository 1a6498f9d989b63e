"""Games of the solver move by move, with what could be known before each move and the reasons of certain cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from analysis.board import board_facts
from analysis.deduction import Conclusion, Rule, deduce_from
from analysis.kernels.solver_endgame import mix
from analysis.probability import CLOSED, Position, Probabilities, probabilities
from analysis.recording import Board
from analysis.solver.boards import Cell, Rules
from analysis.solver.solver import Move, Reason, Solver
from analysis.solver.strength import Options, Strength

#: The most difficult rule of the deduction that a player knows; the others count all layouts.
_KNOWN_RULES = {
    Strength.NOVICE: Rule.MD1,
    Strength.SURRENDER: Rule.MD2,
    Strength.CAREFUL: Rule.MD2,
}


@dataclass(frozen=True, slots=True, eq=False)
class Thought:
    """A player's next move, and why.

    ``known``: the exact chances, which only strong players know; ``None`` before the first click.  ``steps``: the
    deduction of the cells of a certain move; empty for other moves.
    """

    move: Move
    known: Probabilities | None
    steps: tuple[Conclusion, ...] = ()

    @property
    def clicks(self) -> list[tuple[Cell, Conclusion | None]]:
        """The cells of the move in the order of thought, each with the step that decides it."""
        if not self.steps:
            return [(cell, None) for cell in self.move.cells]
        return [(cell, step) for step in self.steps for cell in step.safe]


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """A thought in a game.  ``opened``: by each click of ``thought`` that was made, the cells that it opened; no cells
    for a mine.  A cell that an earlier click of the turn opened is not clicked.
    """

    thought: Thought
    opened: tuple[tuple[Cell, tuple[Cell, ...]], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """A whole game.  ``numbers``: those of the safe cells, as in ``BoardFacts``; ``won`` is false also if the player gave up."""

    board: Board
    numbers: NDArray[np.uint8]
    turns: tuple[Turn, ...]
    won: bool


def think(options: Options, known: Probabilities, rules: Rules = Rules.XP) -> Thought:
    """Choose a move as ``Solver.choose_from`` does, and raise as it does."""
    move = Solver(options).choose_from(known, rules)
    if move.reason is Reason.FIRST:
        return Thought(move, None)
    if move.reason is not Reason.CERTAIN:
        return Thought(move, known)
    up_to = _KNOWN_RULES.get(options.strength, Rule.COUNT)
    steps = deduce_from(known, up_to=up_to).steps
    return Thought(move, known, tuple(step for step in steps if step.safe))


def course_of(options: Options, board: Board, rules: Rules) -> Course:
    """Play the game of ``Solver(options).play(board, rules=rules)`` move by move; milliseconds a move.

    Raises ``LimitExceeded`` if the front of a position is too wide to count.
    """
    numbers = board_facts(board).numbers
    seen = np.full(numbers.shape, CLOSED, np.uint8)
    turns: list[Turn] = []
    while (seen == CLOSED).sum() > board.mine_count:
        thought = think(options, probabilities(Position(seen, board.mine_count)), rules)
        opened = tuple(_clicks(thought, board, numbers, seen))
        turns.append(Turn(thought, opened))
        if thought.move.reason is Reason.GIVE_UP or board.mines[opened[-1][0]]:
            break
        if thought.move.reason not in (Reason.FIRST, Reason.CERTAIN):
            options = replace(options, seed=_next_seed(options.seed))
    return Course(board, numbers, tuple(turns), int((seen == CLOSED).sum()) == board.mine_count)


def _clicks(
    thought: Thought, board: Board, numbers: NDArray[np.uint8], seen: NDArray[np.uint8]
) -> Iterator[tuple[Cell, tuple[Cell, ...]]]:
    """Click the cells of a thought that are closed; opens cells in ``seen``."""
    for cell, _ in thought.clicks:
        if board.mines[cell]:
            yield cell, ()
        elif seen[cell] == CLOSED:
            yield cell, tuple(_open(numbers, seen, cell))


def _open(numbers: NDArray[np.uint8], seen: NDArray[np.uint8], cell: Cell) -> Iterator[Cell]:
    """Open a cell, and everything around zeros."""
    rows, columns = numbers.shape
    waiting = [cell]
    while waiting:
        row, column = waiting.pop()
        if seen[row, column] != CLOSED:
            continue
        seen[row, column] = numbers[row, column]
        yield row, column
        if numbers[row, column] == 0:
            waiting += [
                (down, across)
                for down in range(max(0, row - 1), min(rows, row + 2))
                for across in range(max(0, column - 1), min(columns, column + 2))
            ]


def _next_seed(seed: int) -> int:
    """The seed that makes ``choose`` draw the random number of the next guess of a whole game."""
    return int(np.uint64(mix(np.uint64(seed % 2**64))).astype(np.int64))
