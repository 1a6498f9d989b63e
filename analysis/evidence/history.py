"""Six numbers of a game that belong to its player's mouse and hand, and whether a game looks retimed by them.

They are compared with the same player's other games of the same level, never with a fixed limit: a new mouse moves most
of them.  A mouse keeps its rate and a hand its habits.  Times that were scaled by a twentieth or more move both, which shows
against some twenty other games of the same player and level from the same weeks, and not without them.  This orders a queue,
and is no more: of honest Intermediate and Expert games each test alone marks some 1 %, and far fewer fail two at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from analysis.evidence.hand import Track
from analysis.recording import Finding, Level, Recording

_FEWEST_TICKS: Final = 100  # of a spectrum, and of a speed
_WINDOW: Final = 8_192  # ticks of one spectrum
_WINDOWS: Final = 4
_LOWEST_HZ: Final = 20.0  # below stand the strokes of the hand


@dataclass(frozen=True, slots=True)
class History:
    """``None`` where a game is too short or too still for the number.

    ``line_hz``, ``line_strength``: the strongest line from 20 Hz up in the spectrum of events a tick, and its power as
    a multiple of the mean; a clock of 10 ms shows the rate of the mouse folded into 0 to 50 Hz.  ``equal_steps``: share
    of events at the time of the event before.  ``hold_ms``: mean time for which the left button is held.
    ``speed_95_px_per_ms``: 95 % quantile of the speed of the moving cursor, at 16 px a cell.  ``button_place``: share of
    button events that stand where the event before them stands.
    """

    line_hz: float | None = None
    line_strength: float | None = None
    equal_steps: float | None = None
    hold_ms: float | None = None
    speed_95_px_per_ms: float | None = None
    button_place: float | None = None


def history_of(recording: Recording, end_index: int, track: Track) -> History:
    line_hz, line_strength = _line(recording, end_index, track)
    return History(
        line_hz=line_hz,
        line_strength=line_strength,
        equal_steps=track.equal_steps / (track.events - 1) if track.events > 1 else None,
        hold_ms=track.held_ms / track.holds if track.holds else None,
        speed_95_px_per_ms=_speed_95(track.speeds),
        button_place=1 - track.jumps / track.acts if track.acts else None,
    )


def _line(recording: Recording, end_index: int, track: Track) -> tuple[float | None, float | None]:
    """The line of the mouse: the spectra of windows of the game, added."""
    if len(track.ticks) < _FEWEST_TICKS:
        return None, None
    step_ms = recording.time_precision_ms
    tick = recording.events["time_ms"][: end_index + 1] - track.ticks[0]
    tick = tick[(tick >= 0) & (tick < _WINDOW * _WINDOWS * step_ms)] // step_ms
    length = int(tick.max()) + 1
    size = min(_WINDOW, 1 << (length - 1).bit_length())
    windows = -(-length // size)
    counts = np.zeros(windows * size, np.float32)
    counts[:length] = np.bincount(tick, minlength=length)
    counts[:length] -= counts[:length].mean()
    power = (np.abs(np.fft.rfft(counts.reshape(windows, size))) ** 2).sum(axis=0)
    bin_hz = 1000 / step_ms / size
    band = power[int(np.ceil(_LOWEST_HZ / bin_hz)) :]
    mean = float(band.mean()) if len(band) else 0.0
    if mean <= 0:
        return None, None
    best = int(band.argmax())
    return (len(power) - len(band) + best) * bin_hz, float(band[best]) / mean


def _speed_95(speeds: NDArray[np.float64]) -> float | None:
    if len(speeds) < _FEWEST_TICKS:
        return None
    place = len(speeds) * 95 // 100
    return float(np.partition(speeds, place)[place])


#: Beginner games are too short for these tests.
LEVELS: Final = frozenset({Level.INTERMEDIATE, Level.EXPERT})
#: So many other games are needed.
FEWEST_GAMES: Final = 20
_FEWEST_LINES: Final = 10
#: A line is clear if it is so many times as strong as the mean of its spectrum.
_CLEAR: Final = 20.0
#: A mouse keeps its rate to a thousandth of a cycle a tick of 10 ms.
_SAME_LINE_HZ: Final = 0.2
_STEPS_Z: Final = 4.0
_HOLD_Z: Final = 3.0


def retimed_likely(level: Level, game: History, others: Sequence[History]) -> Finding | None:
    """The finding that two independent habits of ``game`` are not those of ``others``, if so.

    ``others``: of games of the same player and level, from 30 days before to 30 days after.
    """
    if level not in LEVELS or len(others) < FEWEST_GAMES:
        return None
    unlike = [
        name
        for name, differs in (
            ("polling_rate", _other_line(game, others)),
            ("equal_steps", _far(game, others, lambda one: one.equal_steps, _STEPS_Z)),
            ("hold", _far(game, others, lambda one: one.hold_ms, _HOLD_Z)),
        )
        if differs
    ]
    if len(unlike) < 2:
        return None
    return Finding("retimed_likely", {"count": len(others), "first": unlike[0], "second": unlike[1]})


def _other_line(game: History, others: Sequence[History]) -> bool:
    """Return whether ``game`` has a clear line that differs from those of all other games that have a clear one."""
    lines = [line for one in others if (line := _clear_line(one)) is not None]
    own = _clear_line(game)
    return own is not None and len(lines) >= _FEWEST_LINES and min(abs(own - line) for line in lines) > _SAME_LINE_HZ


def _clear_line(one: History) -> float | None:
    return one.line_hz if one.line_strength is not None and one.line_strength >= _CLEAR else None


def _far(game: History, others: Sequence[History], number_of: Callable[[History], float | None], z: float) -> bool:
    """Return whether a number of ``game`` lies more than ``z`` standard deviations from the mean of the others."""
    own = number_of(game)
    numbers = np.array([number for one in others if (number := number_of(one)) is not None])
    if own is None or len(numbers) < FEWEST_GAMES:
        return False
    deviation = float(numbers.std(ddof=1))
    return deviation > 0 and abs(own - float(numbers.mean())) > z * deviation
