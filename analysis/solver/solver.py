"""Solvers: whole games, and single moves."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from analysis.errors import Inconsistent
from analysis.kernels import solver as kernels
from analysis.kernels import solver_guess as guess
from analysis.kernels.probability_front import CLOSED
from analysis.probability import FLAG, Position, Probabilities, probabilities
from analysis.recording import Board
from analysis.solver.boards import Cell, Rules, start_of
from analysis.solver.strength import Options


class Reason(StrEnum):
    FIRST = "first"  # the first click of a game
    CERTAIN = "certain"  # no layout has a mine there
    CHANCE = "chance"  # a guess of a player who does not think
    SAFETY = "safety"  # the least risk
    LOOK_AHEAD = "look-ahead"  # the best of what every possible number leads to
    ENDGAME = "endgame"  # perfect play
    POCKET = "pocket"  # perfect play of cells that nothing else will ever tell about
    NOTHING = "nothing"  # all closed cells are mines
    GIVE_UP = "give-up"  # nothing found certain, by a player who does not guess


_REASONS: dict[int, Reason] = {
    guess.BY_CHANCE: Reason.CHANCE,
    guess.BY_SAFETY: Reason.SAFETY,
    guess.BY_LOOK_AHEAD: Reason.LOOK_AHEAD,
    guess.BY_ENDGAME: Reason.ENDGAME,
    guess.BY_POCKET: Reason.POCKET,
}


@dataclass(frozen=True, slots=True)
class Move:
    """Cells to open next.

    ``cells``: (row, column), in rising order; several only if all are certain, none if there is nothing to open or the
    player gives up.  ``safe``: chance that each is safe.
    ``win``: chance to win with perfect play, of the game (``ENDGAME``) or of the pocket (``POCKET``); else ``None``.
    """

    cells: tuple[Cell, ...]
    reason: Reason
    safe: float
    win: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """The result of a game.

    ``moves``: cells clicked; ``guesses``: those that were not certain, the first click not among them.
    ``opened``, ``to_open``: safe cells open at the end, and on the board.
    ``counted``: how often the layouts of a position in play were counted.
    ``numbers``: uint8, shape (rows, columns), read-only, what was seen at the end, in the codes of ``Position``.
    """

    won: bool
    moves: int
    guesses: int
    opened: int
    to_open: int
    counted: int
    numbers: NDArray[np.uint8]

    @property
    def explored(self) -> float:
        return self.opened / self.to_open


class Solver:
    """A player; see the package.  ``options``: how strong it is."""

    def __init__(self, options: Options | None = None) -> None:
        self.options = options or Options()
        self._style = self.options.style()

    def play(self, board: Board, start: Cell | None = None, rules: Rules = Rules.XP) -> Played:
        """Play a whole game; the same game whenever board, start and options are the same.

        Raises ``Inconsistent`` if the first click breaks the promise of the rules: no such game exists.

        Parameters
        ----------
        board : Board; its mines are used to answer clicks only
        start : the first click; ``start_of(…, rules)`` unless given
        rules : what the first click promises
        """
        shape = (board.rows, board.columns, board.mine_count)
        row, column = start_of(shape, rules) if start is None else start
        if not (0 <= row < board.rows and 0 <= column < board.columns):
            raise Inconsistent(f"The first cell ({row}, {column}) is not on the board.", row=row, column=column)
        around = board.mines[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
        if board.mines[row, column] or (rules is not Rules.XP and around.any()):
            raise Inconsistent("The first click breaks the promise of the rules.", row=row, column=column)
        mines = board.mines.copy()
        game, grid = kernels.play(mines, row * board.columns + column, self.options.seed, self._style)
        grid.setflags(write=False)
        return Played(
            won=bool(game.won),
            moves=int(game.moves),
            guesses=int(game.guesses),
            opened=int(game.opened),
            to_open=board.rows * board.columns - board.mine_count,
            counted=int(game.counted),
            numbers=grid,
        )

    def choose(self, position: Position, rules: Rules = Rules.XP, *, trust_flags: bool = False) -> Move:
        """Choose the next move.  Parameters as for :meth:`choose_from`, errors as of ``probabilities``."""
        return self.choose_from(probabilities(position, trust_flags=trust_flags), rules)

    def choose_from(self, known: Probabilities, rules: Rules = Rules.XP) -> Move:
        """Choose the next move in the position of ``known``.

        ``rules``: where nothing is open yet, what the first click promises.
        Raises ``LimitExceeded`` if the front is too wide to count without its flags.
        """
        position, trust_flags = known.position, known.trust_flags
        if position.closed.all() and position.mines < position.closed.size:
            start = start_of((position.rows, position.columns, position.mines), rules)
            if not (trust_flags and position.numbers[start] == FLAG):
                return Move((start,), Reason.FIRST, 1.0)
        if trust_flags:
            position = position.without_flags()
        closed = position.closed
        if closed.sum() == position.mines:
            return Move((), Reason.NOTHING, 1.0)
        grid = position.grid()
        grid[closed] = CLOSED
        cells, why, win = kernels.choose(grid, position.mines, self.options.seed, self._style)
        if why != guess.BY_PROOF and self._style.guess == guess.NEVER:
            return Move((), Reason.GIVE_UP, 1.0)
        chosen = tuple(divmod(int(cell), position.columns) for cell in cells)
        reason = Reason.CERTAIN if why == guess.BY_PROOF else _REASONS[int(why)]
        is_perfect = reason in (Reason.ENDGAME, Reason.POCKET)
        risk = max(float(known.mine[cell]) for cell in chosen)
        return Move(chosen, reason, 1.0 - risk, float(win) if is_perfect else None)
