"""Boards that many people open: made before anybody has to wait for them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from django.utils import timezone

from players.boards import ON_LEVEL, SUB_STEPS
from players.frames import ACTIVE, WHOLE, frame_of
from players.live.definitions import LevelBoard, SubBoard
from players.live.kept import forget_kept, kept_standing, kept_steps
from players.models import ALL_STYLES

#: The statistics whose boards of the present are opened most.
_STATISTICS: Final = ("time", "bvs")
#: How long one call may keep a worker from its uploads.
BUDGET_SECONDS: Final = 3.0


def make_popular(seconds: float = BUDGET_SECONDS) -> int:
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
    forget_kept()
    return done


def _subs() -> Iterator[Callable[[], object]]:
    """The counts that the page offers."""
    for level, steps in SUB_STEPS.items():
        for n in steps:
            yield partial(kept_standing, SubBoard(level, n, ALL_STYLES, WHOLE))


def _periods() -> Iterator[Callable[[], object]]:
    """This year, this month and these two weeks."""
    today = timezone.now().date()
    for period in (f"{today:%Y}", f"{today:%Y-%m}", ACTIVE):
        for level in ON_LEVEL:
            for statistic in _STATISTICS:
                yield partial(kept_standing, LevelBoard(level, statistic, ALL_STYLES, frame_of({"period": period})))


def _steps() -> Iterator[Callable[[], object]]:
    """Times as of any day."""
    for level in ON_LEVEL:
        yield partial(kept_steps, LevelBoard(level, "time", ALL_STYLES, WHOLE))
