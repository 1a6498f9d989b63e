"""Six numbers of a game that belong to its player's mouse and hand.

They are compared with the same player's other games of the same level, never with a fixed limit: a new mouse moves most
of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from analysis.evidence.track import Track
from analysis.recording import Recording

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
    """The numbers of one game, whose deciding event is at ``end_index``."""
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
