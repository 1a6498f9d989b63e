"""Times that do not look like those of the named program's clock.  A remark: it was learnt from few people's files.

- Arbiter writes whole hundredths: 100 % of 29.5 million records of one player.
- Clone 0.97 writes whole hundredths of whatever timer the computer has: 15.625 ms in two games, 15.600 ms in games of 2013.  Any
  steady timer is one; what is looked for are times that were multiplied as a whole (``analysis.evidence.timers``).
- A program that writes milliseconds leaves no grid.  Hundredths that were scaled by 0.57 to 0.99 and rounded to
  milliseconds do: a *comb*, which is looked for between 101 and 175 Hz.  It is a strength of 0.95 to 1 there (1 = every
  tick on the grid); honest files of Metasweeper and Vienna MineSweeper reach 0.2, with one that has a mouse of 124.1 Hz 0.76.
  Two bands are left out: around 125 Hz, the rate of common mice, and around 128 Hz, twice the timer of old Windows.  Clone
  2006 and 2007 are left out altogether: honest games of both have combs of 0.97, at 125.0 and at 100.6 Hz.  A program that
  takes the mouse once a frame would have one at the rate of the screen, 120 or 144 Hz.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from analysis.evidence.timers import scaled_share, steady_share
from analysis.evidence.track import Numbers, Track
from analysis.recording import Finding, Recording

_HUNDREDTH_MS: Final = 10
_ARBITER: Final = ("Minesweeper Arbiter", "Arbiter")
_CLONE: Final = ("Minesweeper Clone 0.97", "0.97 beta")
_WITHOUT_COMB: Final = frozenset({"avf", "mvf"})

_SCALED_SHARE: Final = 0.96
_STEADY_SHARE: Final = 0.985
_TIMER_TICKS: Final = 150

_COMB: Final = 0.9
_COMB_SUSPECTED: Final = 0.75  # the peak of a comb between two bins is 0.9 times as high
_COMB_TICKS: Final = 40
_COMB_HZ: Final = (100.6, 175.0)
_HONEST_HZ: Final = ((123.5, 126.5), (127.3, 128.7))
_FIRST_MS: Final = 8_192  # looked at first
_LAST_MS: Final = 131_072  # beyond, nothing is added


def lattice_finding(recording: Recording, track: Track) -> Finding | None:
    """Return the finding of a clock that does not look like that of the named program."""
    if recording.software.startswith(_ARBITER):
        wrong = int(np.count_nonzero(track.ticks % _HUNDREDTH_MS))
        return Finding("lattice", {"wrong": wrong, "all": len(track.ticks)}) if wrong else None
    if recording.software.startswith(_CLONE):
        return Finding("lattice") if _is_scaled(track.ticks) else None
    if recording.format in _WITHOUT_COMB or len(track.ticks) < _COMB_TICKS:
        return None
    hertz, strength = comb(track.ticks)
    if strength < _COMB:
        return None
    return Finding("lattice", {"grid_ms": round(1000 / hertz, 3), "strength": round(strength, 2)})


def _is_scaled(ticks_ms: Numbers) -> bool:
    hundredths = np.unique(ticks_ms // _HUNDREDTH_MS)
    if len(hundredths) < _TIMER_TICKS or hundredths[0] < 0:
        return False
    return scaled_share(hundredths) >= _SCALED_SHARE and steady_share(hundredths) < _STEADY_SHARE


def comb(ticks_ms: Numbers) -> tuple[float, float]:
    """The strongest grid in the searched band: its frequency in Hz, and the share of the ticks that are in phase with it.

    Most files are done after their first seconds: a grid is in every part of a file.
    """
    since = ticks_ms - ticks_ms[0]
    first = since[since < _FIRST_MS]
    if len(first) >= _COMB_TICKS:
        hertz, strength = _peak(first, _FIRST_MS)
        if strength < _COMB_SUSPECTED:
            return hertz, strength
    whole = since[since < _LAST_MS]
    hertz, _ = _peak(whole, _LAST_MS)
    return _refined(whole, hertz)


def _peak(since_ms: Numbers, span_ms: int) -> tuple[float, float]:
    size = 2 * min(span_ms, 1 << int(since_ms[-1]).bit_length())
    present = np.zeros(size, np.float32)
    present[since_ms] = 1
    strengths = np.abs(np.fft.rfft(present)) / len(since_ms)
    hertz = np.arange(len(strengths)) * (1000 / size)
    searched = (hertz >= _COMB_HZ[0]) & (hertz <= _COMB_HZ[1])
    for low, high in _HONEST_HZ:
        searched &= (hertz < low) | (hertz > high)
    strengths[~searched] = 0
    best = int(strengths.argmax())
    return float(hertz[best]), float(strengths[best])


def _refined(since_ms: Numbers, hertz: float) -> tuple[float, float]:
    """The strength at the best of some frequencies around ``hertz``, which is that of a bin."""
    step = 1000 / (2 << int(since_ms[-1]).bit_length())
    tried = hertz + step * np.linspace(-1, 1, 17)
    turns = np.exp(2j * np.pi / 1000 * tried[:, np.newaxis] * since_ms)
    strengths = np.abs(turns.sum(axis=1)) / len(since_ms)
    best = int(strengths.argmax())
    return float(tried[best]), float(strengths[best])
