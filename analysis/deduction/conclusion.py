"""A conclusion of the deduction: its rule, numbers, sets of cells, and sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from analysis.probability.position import Cell
from analysis.sources import N_


class Rule(StrEnum):
    """Rules by which a conclusion is reached, easiest first.

    A is the set of closed, undecided cells around a number; (A) the mines in it, |A| its size.
    """

    MD1 = "md1"  # (A) = 0: all of A is safe; (A) = |A|: all of A are mines
    MD2 = "md2"  # (A) - (B) = |A \ B|: A \ B are mines, B \ A is safe
    NMD3 = "nmd3"  # (B) - (A) - (C) = |B \ (A u C)|, A and C apart: these are mines, A \ B and C \ B are safe
    CASES = "cases"  # every layout that the numbers allow agrees
    COUNT = "count"  # so does every layout with the right count of mines
    GUESS = "guess"  # nothing is safe for certain

    @property
    def rank(self) -> int:
        """0 for the easiest."""
        return list(Rule).index(self)


@dataclass(frozen=True, slots=True)
class CellSet:
    """The undecided cells around the number in ``number``, of which ``mines`` are mines; to be drawn as ``name``."""

    name: str
    number: Cell
    shown: int
    cells: tuple[Cell, ...]
    mines: int


NUMBER = N_("the %(shown)d in row %(row)d, column %(column)d")

#: What a step says, by rule and by what it concludes.
SENTENCES: dict[tuple[Rule, str], str] = {
    (Rule.MD1, "mines"): N_(
        "A (%(A)s) has %(A_mines)d mines left and %(A_cells)d closed cells, so all of them are mines."
    ),
    (Rule.MD1, "safe"): N_("A (%(A)s) already has all its mines, so the other cells around it are safe."),
    (Rule.MD2, "mines"): N_(
        "A (%(A)s) needs %(A_mines)d more and B (%(B)s) needs %(B_mines)d more. The difference has to be in the "
        "%(A_only)d cells only A touches, so they are mines."
    ),
    (Rule.MD2, "safe"): N_(
        "A (%(A)s) and B (%(B)s) both need %(A_mines)d more, and B touches every cell that A touches. So the cells "
        "only B touches are safe."
    ),
    (Rule.MD2, "both"): N_(
        "A (%(A)s) needs %(A_mines)d more and B (%(B)s) needs %(B_mines)d more. The difference has to be in the "
        "%(A_only)d cells only A touches, so they are mines, and the cells only B touches are safe."
    ),
    (Rule.NMD3, "mines"): N_(
        "B (%(B)s) needs %(B_mines)d more. A (%(A)s) and C (%(C)s) share no cell and provide at most %(A_mines)d + "
        "%(C_mines)d. The rest has to be in the %(B_only)d cells only B touches, so they are mines."
    ),
    (Rule.NMD3, "safe"): N_(
        "B (%(B)s) needs %(B_mines)d more, as many as A (%(A)s) and C (%(C)s) together. A and C share no cell, and "
        "together they touch every cell that B touches, so the other cells they touch are safe."
    ),
    (Rule.NMD3, "both"): N_(
        "B (%(B)s) needs %(B_mines)d more. A (%(A)s) and C (%(C)s) share no cell and provide at most %(A_mines)d + "
        "%(C_mines)d. The rest has to be in the %(B_only)d cells only B touches, so they are mines. The cells next to "
        "A or C but not next to B are safe."
    ),
    (Rule.CASES, "mines"): N_("In every layout that fits, %(mines)d more cells are mines."),
    (Rule.CASES, "safe"): N_("In every layout that fits, %(safe)d more cells are safe."),
    (Rule.CASES, "both"): N_("In every layout that fits, %(mines)d more cells are mines and %(safe)d are safe."),
    (Rule.COUNT, "mines"): N_("Mines in total: %(total)d, so %(mines)d more cells must be mines."),
    (Rule.COUNT, "safe"): N_("Mines in total: %(total)d, so %(safe)d more cells must be safe."),
    (Rule.COUNT, "both"): N_(
        "Mines in total: %(total)d, so %(mines)d more cells must be mines and %(safe)d must be safe."
    ),
    (Rule.GUESS, "guess"): N_(
        "No cell is provably safe. The safest of the %(closed)d closed cells has a %(risk)s%% chance of being a mine."
    ),
}


#: The sentences of one cell, and the value that is 1 then.
SINGULAR: dict[tuple[Rule, str], tuple[str, str]] = {
    (Rule.MD1, "mines"): ("A_mines", N_("A (%(A)s) has 1 mine left and 1 closed cell, so that cell is a mine.")),
    (Rule.MD2, "mines"): (
        "A_only",
        N_(
            "A (%(A)s) needs %(A_mines)d more and B (%(B)s) needs %(B_mines)d more. The difference has to be in the "
            "one cell only A touches, so it's a mine."
        ),
    ),
    (Rule.MD2, "both"): (
        "A_only",
        N_(
            "A (%(A)s) needs %(A_mines)d more and B (%(B)s) needs %(B_mines)d more. The difference has to be in the "
            "one cell only A touches, so it's a mine, and the cells only B touches are safe."
        ),
    ),
    (Rule.NMD3, "mines"): (
        "B_only",
        N_(
            "B (%(B)s) needs %(B_mines)d more. A (%(A)s) and C (%(C)s) share no cell and provide at most %(A_mines)d + "
            "%(C_mines)d. The rest has to be in the one cell only B touches, so it's a mine."
        ),
    ),
    (Rule.NMD3, "both"): (
        "B_only",
        N_(
            "B (%(B)s) needs %(B_mines)d more. A (%(A)s) and C (%(C)s) share no cell and provide at most %(A_mines)d "
            "+ %(C_mines)d. The rest has to be in the one cell only B touches, so it's a mine. The cells next to A or "
            "C but not next to B are safe."
        ),
    ),
    (Rule.CASES, "mines"): ("mines", N_("In every layout that fits, 1 more cell is a mine.")),
    (Rule.CASES, "safe"): ("safe", N_("In every layout that fits, 1 more cell is safe.")),
    (Rule.COUNT, "mines"): ("mines", N_("Mines in total: %(total)d, so 1 more cell must be a mine.")),
    (Rule.COUNT, "safe"): ("safe", N_("Mines in total: %(total)d, so 1 more cell must be safe.")),
}


@dataclass(frozen=True, slots=True)
class Conclusion:
    """One conclusion.

    ``sets``: the sets it rests on, named as in the sentence; empty where all numbers were needed.  ``mines``, ``safe``:
    cells (row, column) that it decides, in rising order.  ``guesses``, ``risk``: for a guess, the cells least likely
    to be mines, and that chance.  ``counts``: values of the sentence that are not about one set.
    """

    rule: Rule
    sets: tuple[CellSet, ...] = ()
    mines: tuple[Cell, ...] = ()
    safe: tuple[Cell, ...] = ()
    guesses: tuple[Cell, ...] = ()
    risk: float | None = None
    counts: tuple[tuple[str, int | str], ...] = ()

    @property
    def numbers(self) -> tuple[Cell, ...]:
        return tuple(of.number for of in self.sets)

    @property
    def marks(self) -> dict[str, tuple[Cell, ...]]:
        """The cells to be marked on a board, by the name of the mark: ``a``, ``b`` and ``c`` for the sets, ``number``,
        ``mine``, ``safe`` and ``guess``; only marks with cells.
        """
        marks = {one.name.lower(): one.cells for one in self.sets}
        marks |= {"number": self.numbers, "mine": self.mines, "safe": self.safe, "guess": self.guesses}
        return {name: cells for name, cells in marks.items() if cells}

    @property
    def kind(self) -> str:
        """Kind of conclusion: ``mines``, ``safe``, ``both`` or ``guess``."""
        if self.rule is Rule.GUESS:
            return "guess"
        return "both" if self.mines and self.safe else "mines" if self.mines else "safe"

    @property
    def template(self) -> str:
        """The sentence with places for :meth:`values`; a key of the translation catalogue."""
        counted, singular = SINGULAR.get((self.rule, self.kind), ("", ""))
        if counted and self.values()[counted] == 1:
            return singular
        return SENTENCES[self.rule, self.kind]

    def values(self, translate: Callable[[str], str] = str) -> dict[str, int | str]:
        """Return the values that fill the template; rows and columns count from 1."""
        values: dict[str, int | str] = dict(self.counts) | {"mines": len(self.mines), "safe": len(self.safe)}
        for of in self.sets:
            row, column = of.number
            values[of.name] = translate(NUMBER) % {"shown": of.shown, "row": row + 1, "column": column + 1}
            values[f"{of.name}_mines"] = of.mines
            values[f"{of.name}_cells"] = len(of.cells)
            others = {cell for other in self.sets if other is not of for cell in other.cells}
            values[f"{of.name}_only"] = len(set(of.cells) - others)
        return values

    def sentence(self, translate: Callable[[str], str] = str) -> str:
        """The step in words, in the language of ``translate`` (such as ``gettext``)."""
        return translate(self.template) % self.values(translate)
