"""Live boards that many people open: made before anybody has to wait for them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from django.utils import timezone

from players.leaderboards.boards import ON_LEVEL, SUB_STEPS
from players.leaderboards.filters import ACTIVE, UNFILTERED, board_filter, parse_period
from players.leaderboards.live.definitions import LevelBoard, SubBoard
from players.leaderboards.live.store import clear_memory, live_standing, live_steps
from players.models import ALL_STYLES

#: The statistics whose boards of the present are opened most.
_STATISTICS: Final = ("time", "bvs")
#: How long one call may keep a worker from its uploads.
BUDGET_SECONDS: Final = 3.0


def make_popular_boards(seconds: float = BUDGET_SECONDS) -> int:
    """Make those of the popular boards that the cache does not hold, and bring the others up to date.

    Everything goes into the cache that processes share; nothing stays in the memory of this one.  It stops after
    ``seconds``, since uploads wait meanwhile; the next call finds what is made already and goes on.  Returns how many
    boards are ready.
    """
    until = time.monotonic() + seconds
    done = 0
    for make in (*_subs(), *_periods(), *_steps()):
        if time.monotonic() > until:
            break
        make()
        done += 1
    clear_memory()
    return done


def _subs() -> Iterator[Callable[[], object]]:
    """The counts that the page offers."""
    for level, steps in SUB_STEPS.items():
        for n in steps:
            yield partial(live_standing, SubBoard(level, n, ALL_STYLES, UNFILTERED))


def _periods() -> Iterator[Callable[[], object]]:
    """This year, this month and these two weeks."""
    today = timezone.now().date()
    for period in (f"{today:%Y}", f"{today:%Y-%m}", ACTIVE):
        within = board_filter({"period": parse_period(period)})
        for level in ON_LEVEL:
            for statistic in _STATISTICS:
                yield partial(live_standing, LevelBoard(level, statistic, ALL_STYLES, within))


def _steps() -> Iterator[Callable[[], object]]:
    """Times as of any day."""
    for level in ON_LEVEL:
        yield partial(live_steps, LevelBoard(level, "time", ALL_STYLES, UNFILTERED))
