"""Deducing: the easiest rule first; only numbers whose sets have changed are examined again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.deduction.conclusion import Conclusion, Rule
from analysis.deduction.rules import LOCAL
from analysis.deduction.sets import Sets
from analysis.probability.odds import Probabilities, certain_at_any_count, probabilities
from analysis.probability.position import FLAG, Cell, Position

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Deduction:
    """Conclusions that follow from a position without opening anything.

    ``steps``: in the order of thought; a guess, if one is needed, comes last.  ``safe``, ``mines``: bool, shape
    (rows, columns), the closed cells that the steps decide; trusted flags are not among them.
    """

    steps: tuple[Conclusion, ...]
    safe: Mask
    mines: Mask


def deduce(position: Position, *, up_to: Rule = Rule.GUESS, trust_flags: bool = False) -> Deduction:
    """Draw every conclusion that the rules up to ``up_to`` allow; ``trust_flags`` and errors as for ``probabilities``."""
    return deduce_from(probabilities(position, trust_flags=trust_flags), up_to=up_to)


def deduce_from(exact: Probabilities, *, up_to: Rule = Rule.GUESS) -> Deduction:
    """Draw every conclusion that the rules up to ``up_to`` allow in the position of ``exact``.

    A rule is tried where no easier one helps, so each cell is decided by about the easiest way that shows it.

    Raises ``LimitExceeded`` if the front is too wide to count without the number of mines.
    """
    position, trust_flags = exact.position, exact.trust_flags
    safe, mines = np.zeros_like(position.closed), np.zeros_like(position.closed)
    steps: list[Conclusion] = []

    def take(step: Conclusion | None) -> None:
        if step is not None:
            steps.append(step)
            for cell in step.safe:
                safe[cell] = True
            for cell in step.mines:
                mines[cell] = True

    for step in _local_steps(Sets(position, trust_flags=trust_flags), up_to):
        take(step)
    flags = (position.numbers == FLAG) & trust_flags
    if up_to.rank >= Rule.CASES.rank:
        by_numbers, mines_by_numbers = certain_at_any_count(position, trust_flags=trust_flags)
        take(_remaining(Rule.CASES, by_numbers & ~safe, mines_by_numbers & ~mines & ~flags, position))
    if up_to.rank >= Rule.COUNT.rank:
        take(_remaining(Rule.COUNT, exact.certain_safe & ~safe, exact.certain_mine & ~mines & ~flags, position))
    if up_to.rank >= Rule.GUESS.rank and not safe.any():
        take(_guess(exact, flags | mines))
    for array in (safe, mines):
        array.setflags(write=False)
    return Deduction(tuple(steps), safe, mines)


def _local_steps(sets: Sets, up_to: Rule) -> Iterator[Conclusion]:
    """MD(1), MD(2) and NMD(3) until none of them finds more.

    ``waiting``: for each rule the numbers that it has not looked at since their sets changed.
    """
    allowed = [rule for rule in LOCAL if rule.rank <= up_to.rank]
    waiting: dict[Rule, dict[int, None]] = {rule: dict.fromkeys(sets.cells) for rule in allowed}
    while True:
        rule = next((rule for rule in allowed if waiting[rule]), None)
        if rule is None:
            return
        number = next(iter(waiting[rule]))
        step = LOCAL[rule](sets, number)
        if step is None:
            del waiting[rule][number]
            continue
        yield step
        for changed in sets.decide(_bits(sets, step.mines), _bits(sets, step.safe)):
            for queue in waiting.values():
                queue[changed] = None


def _bits(sets: Sets, cells: tuple[Cell, ...]) -> int:
    return sum(1 << row * sets.columns + column for row, column in cells)


def _remaining(rule: Rule, safe: Mask, mines: Mask, position: Position) -> Conclusion | None:
    """One step with the cells that are decided only by counting the layouts of all numbers."""
    if not safe.any() and not mines.any():
        return None
    return Conclusion(rule, mines=_cells(mines), safe=_cells(safe), counts=(("total", position.mines),))


def _guess(exact: Probabilities, known: Mask) -> Conclusion | None:
    """The step with the cells of least risk if no cell is safe; ``None`` if all closed cells are known to be mines."""
    open_to_guess = exact.position.closed & ~known
    if not open_to_guess.any():
        return None
    risk = float(exact.mine[open_to_guess].min())
    best = open_to_guess & (exact.mine <= risk * (1 + 1e-9))  # equal chances may differ in their last digits
    counts = (("closed", int(open_to_guess.sum())), ("risk", f"{100 * risk:.1f}"))
    return Conclusion(Rule.GUESS, guesses=_cells(best), risk=risk, counts=counts)


def _cells(mask: Mask) -> tuple[Cell, ...]:
    return tuple((int(row), int(column)) for row, column in np.argwhere(mask))
