"""Answers to requests about positions and recordings, as functions that run in another process.

Their arguments are arrays and bytes: a pickled position comes out with arrays that can be written to, for which numba
would compile every kernel once more.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis import formats
from analysis.analyse import analyse
from analysis.deduction import Deduction, deduce_from
from analysis.errors import LimitExceeded
from analysis.film import film_of
from analysis.kernels import probability as kernels
from analysis.luck import Luck, luck_of
from analysis.probability import FLAG, ImpossiblePosition, Limits, Position, Probabilities, probabilities
from analysis.probability.conflict import NO_LAYOUT
from analysis.review import Review, review_of
from analysis.solver import Move, Options, Rules, Solver
from analysis.solver.course import Course, Thought, course_of, think
from analysis.solver.match import Match

#: What is counted for a visitor: a second or two in all, and every reference position but none of the boards that were
#: made to be hard.
_LIMITS: Final = Limits(1 << 21, exact_weights=1 << 16)


class FlagUse(StrEnum):
    """Ways in which flags went into an answer."""

    TRUSTED = "trusted"  # as mines
    IGNORED = "ignored"  # as closed cells, on request
    CONTRADICTORY = "contradictory"  # as closed cells: as mines they contradict the numbers or the count of mines


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """``layouts``: the exact number of layouts.  ``advice``: the solver's move; ``None`` if it was not requested."""

    flags: FlagUse
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

    Milliseconds for positions of games, seconds for the hardest.  ``trust_flags``: flags are mines, unless as mines they
    contradict the numbers or the count of mines.
    """
    position = Position(numbers, mines)
    flags = _flag_use(position, trust_flags=trust_flags)
    try:
        known = _known_about(position, trust_flags=flags is FlagUse.TRUSTED)
    except ImpossiblePosition as error:
        return _contradiction(position, error)
    if known is None:
        return None
    found, deduction = known
    move = Solver().choose_from(found) if advice else None
    return Answer(flags, found, found.layouts(), deduction, move)


def solver_move(
    numbers: Numbers, mines: int, options: Options, rules: Rules, *, trust_flags: bool
) -> tuple[FlagUse, Thought] | Contradiction | None:
    """A player's next move in a position; ``None`` if counting its layouts takes too long."""
    position = Position(numbers, mines)
    flags = _flag_use(position, trust_flags=trust_flags)
    try:
        known = probabilities(position, trust_flags=flags is FlagUse.TRUSTED, limits=_LIMITS)
        return flags, think(options, known, rules)
    except ImpossiblePosition as error:
        return _contradiction(position, error)
    except LimitExceeded:  # as in _known_about
        return None


def solver_game(match: Match, number: int) -> Course | None:
    """Game ``number`` of a match, move by move: a tenth of a second; ``None`` if counting layouts takes too long."""
    board, options = match.deal(number)
    try:
        return course_of(options, board, match.rules)
    except LimitExceeded:
        return None


def _flag_use(position: Position, *, trust_flags: bool) -> FlagUse:
    if not trust_flags:
        return FlagUse.IGNORED
    if not (position.numbers == FLAG).any():
        return FlagUse.TRUSTED
    verdict = kernels.odds_of(position.grid(), position.mines, True, _LIMITS.weights).verdict
    return FlagUse.CONTRADICTORY if verdict in NO_LAYOUT else FlagUse.TRUSTED


def _contradiction(position: Position, error: ImpossiblePosition) -> Contradiction:
    """Return what contradicts what; flags are not among it, since they are ignored where they contradict anything."""
    alone = kernels.odds_of(position.grid(), kernels.ANY_MINES, False, _LIMITS.weights).verdict
    return Contradiction(error.numbers, alone == kernels.CONTRADICTION)


def known_position(
    numbers: Numbers, mines: int, *, trust_flags: bool
) -> tuple[FlagUse, Probabilities, Deduction] | None:
    """The mine probabilities of a position, and the deduction of its certain cells; ``None`` if that takes too long.

    Only for showing: luck and judging (``analysis.luck``) never take a flag as evidence.
    Raises ``ImpossiblePosition`` if no layout agrees.
    """
    position = Position(numbers, mines)
    flags = _flag_use(position, trust_flags=trust_flags)
    known = _known_about(position, trust_flags=flags is FlagUse.TRUSTED)
    return known and (flags, *known)


def _known_about(position: Position, *, trust_flags: bool) -> tuple[Probabilities, Deduction] | None:
    try:
        known = probabilities(position, trust_flags=trust_flags, limits=_LIMITS)
        return known, deduce_from(known)
    except LimitExceeded:  # reasons are sought without the count of mines, too, and a front may be wider without it
        return None


def luck_of_file(data: bytes, *, max_seconds: float) -> Luck:
    return luck_of(formats.read(data), max_seconds=max_seconds)


def review_of_file(data: bytes, *, max_seconds: float) -> Review:
    """``review_of`` the recording in a file; ``max_seconds`` for its guesses, without which it has no remarks on them."""
    analysis = analyse(formats.read(data))
    luck = luck_of(analysis.recording, max_seconds=max_seconds)
    return review_of(analysis, film_of(analysis), luck)
