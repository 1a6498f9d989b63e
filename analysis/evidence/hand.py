"""Clicks and movements that no hand of the files we know has made.

Each bound is far from all 230 shared files, but they are of few people: a finding is a question to a moderator.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from analysis.analyse import Analysis
from analysis.kernels.click_machine import NORMAL_CELL_PX
from analysis.recording import EventArray, Finding, Kind

_PRESSES: Final = [Kind.LEFT_PRESS, Kind.RIGHT_PRESS, Kind.MIDDLE_PRESS, Kind.SHIFT_LEFT_PRESS]
#: Fewer presses tell nothing.
_LEAST_PRESSES: Final = 6
#: The share of intervals within 10 ms (the clock of Arbiter) of the median: 0.42 at most in real files.  Fewer tell nothing.
_LEAST_INTERVALS: Final = 10
_EVEN_MS: Final = 10
_EVEN_SHARE: Final = 0.8
#: Presses a second from the first to the last; 7.2 at most in real files.
_MOST_PRESSES: Final = 16
#: The share of movements, of two cells and three events or more, within 1.5 px of a line: 0.4 at most in real files.
_LEAST_MOVES: Final = 4
_MOVE_PX: Final = 2 * NORMAL_CELL_PX
_MOVE_EVENTS: Final = 3
_STRAIGHT_PX: Final = 1.5
_STRAIGHT_SHARE: Final = 0.8


def hand_findings(analysis: Analysis) -> Iterator[Finding]:
    """Yield ``even_clicks``, ``quick_clicks`` and ``straight_moves``."""
    events = analysis.recording.events[: analysis.game.end_index + 1]
    presses = np.flatnonzero(np.isin(events["kind"], _PRESSES))
    if len(presses) < _LEAST_PRESSES:
        return
    times = events["time_ms"][presses].astype(np.int64)
    yield from _even(np.diff(times))
    rate = (len(times) - 1) * 1000 / max(int(times[-1] - times[0]), 1)
    if rate > _MOST_PRESSES:
        yield Finding("quick_clicks", {"rate": round(rate), "most": _MOST_PRESSES})
    yield from _straight(events, presses, NORMAL_CELL_PX / analysis.recording.cell_px)


def _even(intervals: NDArray[np.int64]) -> Iterator[Finding]:
    if len(intervals) < _LEAST_INTERVALS:
        return
    even = int(np.count_nonzero(np.abs(intervals - np.median(intervals)) <= _EVEN_MS))
    if even >= _EVEN_SHARE * len(intervals):
        yield Finding("even_clicks", {"even": even, "intervals": len(intervals), "limit_ms": _EVEN_MS})


def _straight(events: EventArray, presses: NDArray[Any], scale: float) -> Iterator[Finding]:
    x, y = events["x_px"] * scale, events["y_px"] * scale
    starts, ends = presses[:-1], presses[1:]
    right, down = x[ends] - x[starts], y[ends] - y[starts]
    length = np.hypot(right, down)
    counted = (length >= _MOVE_PX) & (ends - starts > _MOVE_EVENTS)
    moves = int(np.count_nonzero(counted))
    if moves < _LEAST_MOVES:
        return
    inside = np.arange(starts[0], ends[-1])
    move = np.searchsorted(starts, inside, side="right") - 1
    across = (x[inside] - x[starts][move]) * down[move] - (y[inside] - y[starts][move]) * right[move]
    off = np.maximum.reduceat(np.abs(across), starts - starts[0])
    straight = int(np.count_nonzero(counted & (off <= _STRAIGHT_PX * length)))
    if straight >= _STRAIGHT_SHARE * moves:
        yield Finding("straight_moves", {"straight": straight, "moves": moves})
