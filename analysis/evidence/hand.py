"""Movements and clicks: measurements of a game, and what no mouse or hand of the files we know has done.

Each bound is far from all 230 shared files, but they are of few people: a finding is a question to a moderator.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis.analyse import Analysis
from analysis.click_machine import Result
from analysis.errors import excerpt
from analysis.kernels.click_machine import LEFT_PRESS, LEFT_RELEASE, NORMAL_CELL_PX, RIGHT_PRESS
from analysis.kernels.track import ACTS, EQUAL_STEPS, EVENTS, HELD_MS, HOLDS, JUMPS, follow
from analysis.recording import EventArray, Finding, Kind, Recording

Numbers: TypeAlias = NDArray[np.int64]

_PAUSE_MS: Final = 50  # between two ticks of one movement


@dataclass(frozen=True, eq=False)
class Track:
    """The events up to the deciding one, without flags from before the first event.

    ``events``, ``equal_steps``: how many there are, and how many at the time of the one before.
    ``acts``, ``jumps``: presses and releases, and how many of them do not stand where the event before them stands.
    ``holds``, ``held_ms``: presses of the left button that end in its release, and their time in all.
    ``ticks``: the distinct times in ms.  ``speeds``: of the moving cursor, in px a ms at 16 px a cell.
    """

    events: int
    equal_steps: int
    acts: int
    jumps: int
    holds: int
    held_ms: int
    ticks: Numbers
    speeds: NDArray[np.float64]

    @classmethod
    def of(cls, analysis: Analysis) -> Track:
        recording = analysis.recording
        counts, ticks, speeds = follow(recording.events, analysis.game.end_index, _PAUSE_MS)
        found = counts.tolist()
        return cls(
            events=found[EVENTS],
            equal_steps=found[EQUAL_STEPS],
            acts=found[ACTS],
            jumps=found[JUMPS],
            holds=found[HOLDS],
            held_ms=found[HELD_MS],
            ticks=ticks,
            speeds=speeds * (NORMAL_CELL_PX / recording.cell_px),
        )


#: Of 8,119 files none has eight button events away from the cursor.  An MVF record has place and buttons at once, so there it is
#: always 0.  None of these players uses a touchscreen or a pen, so it is a remark.
_MISSES: Final = 10
_SHARE: Final = 0.15

#: Records a 3BV of a won game: at least 19.5 in 8,098 files of Arbiter; Clone 0.96 has a game with 11.3.
_RECORDS_PER_BV: Final = 10.0
_RECORDS_PER_BV_MVF: Final = 5.0


def path_findings(analysis: Analysis, track: Track) -> Iterator[Finding]:
    """Yield findings if the path of the cursor is missing, wholly or in part."""
    recording, game = analysis.recording, analysis.game
    acts, jumps = track.acts, track.jumps
    if jumps >= _MISSES and jumps > _SHARE * acts:
        yield Finding("button_jumps", {"jumps": jumps, "acts": acts, "most_percent": round(100 * _SHARE)})
    per_bv = track.events / max(analysis.facts.bv, 1)
    least = _RECORDS_PER_BV_MVF if recording.format == "mvf" else _RECORDS_PER_BV
    # A single click may win at once, without a path.
    if game.result is Result.WON and analysis.facts.bv >= 2 and per_bv < least:
        yield Finding("no_path", {"events_per_3bv": round(per_bv, 1), "least": round(least)})


def right_press_findings(recording: Recording, end_index: int) -> Iterator[Finding]:
    """Clone 0.97 counts every right press made while the left button is up."""
    stated = recording.extra.get("RightPresses")
    if recording.format != "mvf" or stated is None:
        return
    kind = recording.events["kind"][: end_index + 1]
    left_down = np.cumsum((kind == LEFT_PRESS).astype(np.int64) - (kind == LEFT_RELEASE))
    found = int(np.count_nonzero((kind == RIGHT_PRESS) & (left_down <= 0)))
    if str(found) != stated:
        yield Finding("rcl_differs", {"claimed": excerpt(stated), "actual": found})


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
