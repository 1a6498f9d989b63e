"""The part of a deduction that somebody needs who looks for a safe cell."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.deduction.conclusion import Conclusion
from analysis.probability.position import Cell


def needed_steps(steps: Sequence[Conclusion]) -> tuple[Conclusion, ...]:
    """Leave out the steps that only find mines on which no safe cell rests.

    A step rests on what was known of the cells around its numbers; one without numbers rests on no other step.
    """
    needed: set[Cell] = set()
    kept = []
    for step in reversed(steps):
        if step.safe or step.guesses or not needed.isdisjoint(step.mines):
            kept.append(step)
            needed.update(
                (row + down, column + right)
                for row, column in step.numbers
                for down in (-1, 0, 1)
                for right in (-1, 0, 1)
            )
    return tuple(reversed(kept))
