"""One small position through everything, so that every kernel of the tools is compiled before a visitor waits for it."""

from __future__ import annotations

from replays.tools.answers import answer
from replays.tools.matches import Match
from replays.tools.positions import Asked


def compile_tools() -> None:
    """Compile the kernels of probabilities and of the solver, or load them from the cache."""
    answer(Asked(("1.", ".."), 1))
    Match.warm_up()
