"""One small position through everything, so that every kernel of the tools is compiled before a visitor waits for it."""

from __future__ import annotations

from analysis.deduction import deduce
from analysis.probability import Position
from analysis.solver import Solver


def compile_tools() -> None:
    """Compile the kernels of probabilities, reasons and advice, or load them from the cache."""
    position = Position.of_rows(["1.", ".."], mines=1)
    deduce(position)
    Solver().choose(position)
