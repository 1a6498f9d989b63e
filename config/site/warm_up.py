"""Compile every kernel of workers and bots, so that numba's cache holds them: ``python -m config.site.warm_up``."""

from __future__ import annotations

from datetime import UTC, datetime

from analysis.bots import demo_games
from replays.warmup import compile_kernels

_ANY_DAY = datetime(2024, 1, 1, tzinfo=UTC)


def main() -> None:
    compile_kernels()
    list(demo_games(1, 3, until=_ANY_DAY))


if __name__ == "__main__":
    main()
