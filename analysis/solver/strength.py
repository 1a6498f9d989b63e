"""The strength of a solver: which methods it uses, and how far it looks ahead."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analysis.kernels.solver_after import FEATURES
from analysis.kernels.solver_guess import ANY, NEVER, NEXT_SAFETY, SAFEST, VALUE, Style
from analysis.kernels.solver_rules import MD1, MD2, NO_RULE

WORTH = Path(__file__).with_name("worth.csv")  # made by tests.bench.fit_solver


class Strength(StrEnum):
    """Players from the weakest to the strongest."""

    RANDOM = "random"  # opens anything
    NOVICE = "novice"  # MD(1), else anything
    SURRENDER = "surrender"  # MD(1) and MD(2), else gives up
    LOGIC = "logic"  # every certain cell, else gives up
    CAREFUL = "careful"  # MD(1) and MD(2), else anything
    EXACT = "exact"  # every certain cell, else anything
    SAFEST = "safest"  # every certain cell, else the least risk
    FAR = "far"  # and perfect play of endgames and pockets, and one guess ahead
    FULL = "full"  # and a fitted chance to win instead of the next risk alone


@dataclass(frozen=True, slots=True)
class Options:
    """The parameters of a solver.

    ``strength``: what all else follows from, unless it is given.
    ``seed``: of the guesses of those who do not think.
    ``endgames``: whether endgames and pockets are played perfectly; by default those who look ahead do.
    ``most_layouts``: perfect play when no more layouts are left on the whole board; 0 for never.
    ``pocket_layouts``: the same for a pocket.
    ``margin``, ``candidates``: a guess is looked for among at most so many cells, each at least ``margin`` times as safe as
    the safest.
    ``stuck``: one guess ahead, what a position without a certain cell is worth beside one with them, apart from the risk.
    ``fitted``: weight of the fitted chance to win, beside the chance to survive one more guess.
    """

    strength: Strength = Strength.FULL
    seed: int = 0
    endgames: bool | None = None
    most_layouts: int = 600
    pocket_layouts: int = 100
    margin: float = 0.9
    candidates: int = 10
    stuck: float = 0.85
    fitted: float = 0.8

    def style(self) -> Style:
        """The same for the kernels."""
        rule, exact, guess = _STYLES[self.strength]
        plays_endgames = guess >= NEXT_SAFETY if self.endgames is None else self.endgames
        return Style(
            rule,
            exact,
            guess,
            self.most_layouts if plays_endgames else 0,
            self.pocket_layouts if plays_endgames else 0,
            float(self.margin),
            self.candidates,
            float(self.stuck),
            float(self.fitted),
        )


_STYLES: dict[Strength, tuple[int, bool, int]] = {
    Strength.RANDOM: (NO_RULE, False, ANY),
    Strength.NOVICE: (MD1, False, ANY),
    Strength.SURRENDER: (MD2, False, NEVER),
    Strength.LOGIC: (MD2, True, NEVER),
    Strength.CAREFUL: (MD2, False, ANY),
    Strength.EXACT: (MD2, True, ANY),
    Strength.SAFEST: (MD2, True, SAFEST),
    Strength.FAR: (MD2, True, NEXT_SAFETY),
    Strength.FULL: (MD2, True, VALUE),
}


@cache
def fitted() -> NDArray[np.float64]:
    """The weights of ``solver_guess.worth``: float64, shape (units + 1, FEATURES + 2)."""
    weights = np.loadtxt(WORTH, delimiter=",", dtype=np.float64, ndmin=2)
    if weights.shape[1] != FEATURES + 2:
        raise ValueError(f"{WORTH.name} has {weights.shape[1]} columns, not {FEATURES + 2}")
    return np.ascontiguousarray(weights)
