"""Compile kernels of workers and bots, so that numba's cache holds them: ``python -m config.site.warm_up PART``."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

from analysis.bots import demo_games
from analysis.solver.warmup import compile_tools
from replays.processing.warmup import compile_analysis, compile_luck

_ANY_DAY = datetime(2024, 1, 1, tzinfo=UTC)


def _analysis() -> None:
    """The analysis; then the solver, whose probabilities the other part has compiled by then; and bots, who ask it."""
    compile_analysis()
    compile_tools()
    list(demo_games(1, 3, until=_ANY_DAY))


#: What may be compiled side by side: the parts have no kernel of much weight in common.
PARTS = {"analysis": _analysis, "luck": compile_luck}


if __name__ == "__main__":
    PARTS[sys.argv[1]]()
