"""Answers to requests about positions and recordings, as functions that run in another process.

Their arguments are arrays and bytes: a pickled position comes out with arrays that can be written to, for which numba
would compile every kernel once more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis import formats
from analysis.analyse import analyse
from analysis.deduction import Deduction, deduce
from analysis.errors import LimitExceeded
from analysis.film import film_of
from analysis.kernels import probability as kernels
from analysis.luck import Luck, luck_of
from analysis.probability import CLOSED, FLAG, OPEN, ImpossiblePosition, Position, Probabilities, probabilities
from analysis.review import Review, review_of
from analysis.solver import Move, Options, Rules, Solver
from analysis.solver.course import Course, Thought, course_of, think
from analysis.solver.match import Match

#: Weights of a front that are counted for a visitor: a second or two in all, and every reference position but none of
#: the boards that were made to be hard.
_MAX_WEIGHTS: Final = 1 << 21
#: Where floating point does not do, integers take a hundred times as long.
_MAX_EXACT_WEIGHTS: Final = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """``layouts``: the exact number of layouts.  ``advice``: the solver's move; ``None`` if it was not requested."""

    found: Probabilities
    layouts: int
    deduction: Deduction
    advice: Move | None


@dataclass(frozen=True, slots=True)
class Contradiction:
    """No layout agrees with ``numbers``, cells (row, column); ``without_mines``: whatever the number of mines is."""

    numbers: tuple[tuple[int, int], ...]
    without_mines: bool


Numbers: TypeAlias = NDArray[np.uint8]


def answer_position(numbers: Numbers, mines: int, *, trust_flags: bool, advice: bool) -> Answer | Contradiction | None:
    """All that is told about a position; ``None`` if counting its layouts takes too long.

    Milliseconds for positions of games, seconds for the hardest.
    """
    position = Position(numbers, mines)
    try:
        known = _known_about(position, trust_flags=trust_flags)
    except ImpossiblePosition as error:
        return _contradiction(position, error, trust_flags=trust_flags)
    if known is None:
        return None
    found, deduction = known
    move = Solver().choose(without_flags(position) if trust_flags else position) if advice else None
    return Answer(found, found.layouts(), deduction, move)


def solver_move(numbers: Numbers, mines: int, options: Options, rules: Rules) -> Thought | Contradiction | None:
    """A player's next move in a position; ``None`` if counting its layouts takes too long."""
    position = Position(numbers, mines)
    if _takes_too_long(position, trust_flags=False):
        return None
    try:
        return think(options, position, rules)
    except ImpossiblePosition as error:
        return _contradiction(position, error, trust_flags=False)
    except LimitExceeded:  # as in _known_about
        return None


def solver_game(match: Match, number: int) -> Course | None:
    """Game ``number`` of a match, move by move: a tenth of a second; ``None`` if counting layouts takes too long."""
    board, options = match.deal(number)
    try:
        return course_of(options, board, match.rules)
    except LimitExceeded:
        return None


def _contradiction(position: Position, error: ImpossiblePosition, *, trust_flags: bool) -> Contradiction:
    alone = kernels.odds_of(position.grid(), kernels.ANY_MINES, trust_flags, _MAX_WEIGHTS).verdict
    return Contradiction(error.numbers, alone == kernels.CONTRADICTION)


def known_position(numbers: Numbers, mines: int) -> tuple[Probabilities, Deduction] | None:
    """The mine probabilities of a position, and the deduction of its certain cells; ``None`` if that takes too long.

    Raises ``ImpossiblePosition`` if no layout agrees.
    """
    return _known_about(Position(numbers, mines), trust_flags=False)


def _known_about(position: Position, *, trust_flags: bool) -> tuple[Probabilities, Deduction] | None:
    if _takes_too_long(position, trust_flags=trust_flags):
        return None
    try:
        return probabilities(position, trust_flags=trust_flags), deduce(position, trust_flags=trust_flags)
    except LimitExceeded:  # reasons are sought without the count of mines, too, and a front may be wider without it
        return None


def _takes_too_long(position: Position, *, trust_flags: bool) -> bool:
    """Counting is tried with a smaller limit than that of the analysis first."""

    def verdict(weights: int) -> int:
        return int(kernels.odds_of(position.grid(), position.mines, trust_flags, weights).verdict)

    found = verdict(_MAX_WEIGHTS)
    return (verdict(_MAX_EXACT_WEIGHTS) if found == kernels.IMPRECISE else found) == kernels.WIDE


def luck_of_file(data: bytes, *, max_seconds: float) -> Luck:
    """``luck_of`` of the recording in a file."""
    return luck_of(formats.read(data), max_seconds=max_seconds)


def review_of_file(data: bytes, *, max_seconds: float) -> Review:
    """``review_of`` the recording in a file; ``max_seconds`` for its guesses, without which it has no remarks on them."""
    analysis = analyse(formats.read(data))
    luck = luck_of(analysis.recording, max_seconds=max_seconds)
    return review_of(analysis, film_of(analysis), luck)


def without_flags(position: Position) -> Position:
    """``position``, which is possible, with each flag replaced by an open cell, and one less in the numbers around it.

    The solver treats flags as closed cells; in this position their mines are accounted for.
    """
    flags = position.numbers == FLAG
    padded = np.pad(flags, 1).astype(np.int16)
    rows, columns = flags.shape
    flagged = sum(padded[down : down + rows, across : across + columns] for down in range(3) for across in range(3))
    numbers = position.numbers.astype(np.int16)
    numbers = np.where(numbers < min(CLOSED, FLAG, OPEN), numbers - flagged, numbers)
    numbers[flags] = OPEN
    return Position(numbers.astype(np.uint8), position.mines - int(flags.sum()))
