"""The strength of a solver: which methods it uses, and how far it looks ahead."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from analysis.kernels.solver_guess import ANY, NEVER, NEXT_SAFETY, SAFEST, Style
from analysis.kernels.solver_rules import MD1, MD2, NO_RULE


class Strength(StrEnum):
    """Players from the weakest to the strongest."""

    RANDOM = "random"  # opens anything
    NOVICE = "novice"  # MD(1), else anything
    SURRENDER = "surrender"  # MD(1) and MD(2), else gives up
    LOGIC = "logic"  # every certain cell, else gives up
    CAREFUL = "careful"  # MD(1) and MD(2), else anything
    EXACT = "exact"  # every certain cell, else anything
    SAFEST = "safest"  # every certain cell, else the least risk
    FULL = "full"  # and perfect play of endgames and pockets, and one guess ahead


@dataclass(frozen=True, slots=True)
class Options:
    """The parameters of a solver.

    ``seed``: of the guesses of those who do not think.
    ``most_layouts``: at full strength, play perfectly when no more layouts are left on the whole board.
    """

    strength: Strength = Strength.FULL
    seed: int = 0
    most_layouts: int = 600

    def style(self) -> Style:
        rule, exact, guess = _STYLES[self.strength]
        return Style(rule, exact, guess, self.most_layouts if guess == NEXT_SAFETY else 0)


_STYLES: dict[Strength, tuple[int, bool, int]] = {
    Strength.RANDOM: (NO_RULE, False, ANY),
    Strength.NOVICE: (MD1, False, ANY),
    Strength.SURRENDER: (MD2, False, NEVER),
    Strength.LOGIC: (MD2, True, NEVER),
    Strength.CAREFUL: (MD2, False, ANY),
    Strength.EXACT: (MD2, True, ANY),
    Strength.SAFEST: (MD2, True, SAFEST),
    Strength.FULL: (MD2, True, NEXT_SAFETY),
}
