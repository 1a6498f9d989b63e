"""Making the filtered boards that are opened most, before a visitor has to wait for them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from django.utils import timezone

from players.leaderboards.board import Board
from players.leaderboards.boards import CORPSES_ON, OFFERED_N, ON_LEVEL
from players.leaderboards.filtered.store import bests_by_date, clear_memory, sorted_board_of
from players.leaderboards.filters import ACTIVE, LOST_GAMES, X5, BoardFilter, board_filter, parse_period

#: The statistics of which the boards of current periods are made.
_STATISTICS: Final = ("time", "bvs")
#: How long one call may delay the uploads that wait for the same worker.
BUDGET_SECONDS: Final = 3.0


def make_popular_boards(seconds: float = BUDGET_SECONDS) -> int:
    """Make the popular boards that are not in the shared cache yet, and update the others.

    The boards are put into the shared cache and dropped from the memory of this process.  It stops after ``seconds``,
    since uploads wait meanwhile; the next call continues.  Returns how many boards are ready.
    """
    until = time.monotonic() + seconds
    done = 0
    for make in (*_subs(), *_averages(), *_periods(), *_steps(), *_corpses()):
        if time.monotonic() > until:
            break
        make()
        done += 1
    clear_memory()
    return done


def _subs() -> Iterator[Callable[[], object]]:
    for level, offered in OFFERED_N.items():
        for n in offered:
            yield partial(sorted_board_of, Board(level, f"sub{n}"))


def _averages() -> Iterator[Callable[[], object]]:
    """Averages of the best five games (X.5), to which board pages link."""
    for level in ON_LEVEL:
        yield partial(sorted_board_of, Board(level, "time", filters=BoardFilter(best_of=X5)))


def _periods() -> Iterator[Callable[[], object]]:
    today = timezone.now().date()
    for period in (f"{today:%Y}", f"{today:%Y-%m}", ACTIVE):
        within = board_filter({"period": parse_period(period)})
        for level in ON_LEVEL:
            for statistic in _STATISTICS:
                yield partial(sorted_board_of, Board(level, statistic, filters=within))


def _steps() -> Iterator[Callable[[], object]]:
    """Bests by date, for boards as of a day."""
    for level in ON_LEVEL:
        yield partial(bests_by_date, Board(level, "time"))


def _corpses() -> Iterator[Callable[[], object]]:
    for level, rows in CORPSES_ON.items():
        for row in rows:
            yield partial(sorted_board_of, Board(level, row.name, filters=LOST_GAMES))
