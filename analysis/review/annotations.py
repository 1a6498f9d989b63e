"""One remark about a moment of a game."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from analysis.deduction import Rule

Cell: TypeAlias = tuple[int, int]


class Weight(StrEnum):
    """Severity of a remark, from the worst down; a fact is no fault."""

    ERROR = "error"
    MISTAKE = "mistake"
    SLIP = "slip"
    HINT = "hint"
    FACT = "fact"


class Kind(StrEnum):
    """Subject of a remark; ``analysis.review`` defines each."""

    CERTAIN_MINE = "certain_mine"
    NEEDLESS_GUESS = "needless_guess"
    WORSE_GUESS = "worse_guess"
    BEST_GUESS = "best_guess"
    WASTED_LEFT = "wasted_left"
    WASTED_RIGHT = "wasted_right"
    WASTED_DOUBLE = "wasted_double"
    FLAG_REMOVED = "flag_removed"
    WRONG_FLAG = "wrong_flag"
    UNUSED_FLAG = "unused_flag"
    MISSED_CHORD = "missed_chord"
    SLOW = "slow"
    DETOUR = "detour"
    ONE_AND_A_HALF = "one_and_a_half"


#: Every kind with its weight, from the worst down.
KINDS: Final[dict[Kind, Weight]] = {
    Kind.CERTAIN_MINE: Weight.ERROR,
    Kind.NEEDLESS_GUESS: Weight.ERROR,
    Kind.WORSE_GUESS: Weight.MISTAKE,
    Kind.WASTED_LEFT: Weight.SLIP,
    Kind.WASTED_RIGHT: Weight.SLIP,
    Kind.WASTED_DOUBLE: Weight.SLIP,
    Kind.WRONG_FLAG: Weight.SLIP,
    Kind.FLAG_REMOVED: Weight.SLIP,
    Kind.UNUSED_FLAG: Weight.SLIP,
    Kind.MISSED_CHORD: Weight.HINT,
    Kind.DETOUR: Weight.HINT,
    Kind.BEST_GUESS: Weight.FACT,
    Kind.SLOW: Weight.FACT,
    Kind.ONE_AND_A_HALF: Weight.FACT,
}


class Reason(StrEnum):
    """Reason why a click had no effect."""

    OUTSIDE = "outside"
    ON_OPEN = "on_open"
    ON_FLAG = "on_flag"
    ON_CLOSED = "on_closed"
    FLAGS_DIFFER = "flags_differ"
    NOTHING_CLOSED = "nothing_closed"


@dataclass(frozen=True, slots=True)
class Annotation:
    """A remark about the moment ``time_ms`` since the opening (below 0 before it).

    ``event``: the place in ``recording.events`` of the event that it is about; a slow stretch or a detour ends
    there, and ``time_ms`` is where it begins.
    ``cell``: (row, column) of the click, None outside the board.  ``cells``: others that it is about: what a guess
    opened, what a missed chord would have opened.  ``risk``, ``least_risk``, ``rule``, ``survived``: of guesses, as in
    ``analysis.luck.Click``.  ``span_ms``: length of a slow stretch.  ``ratio``: way of a detour by the straight way.
    """

    kind: Kind
    event: int
    time_ms: int
    cell: Cell | None
    cells: tuple[Cell, ...] = ()
    reason: Reason | None = None
    risk: float | None = None
    least_risk: float | None = None
    rule: Rule | None = None
    survived: bool = True
    span_ms: int | None = None
    ratio: float | None = None

    @property
    def weight(self) -> Weight:
        return KINDS[self.kind]
