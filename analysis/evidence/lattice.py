"""The grid of a clock in the times of a game: the named program's own must be there, that of a stretched one must not.

- Arbiter writes whole hundredths: 100 % of 29.5 million records.
- Clone 0.97 writes whole hundredths of a timer of 15.625 ms, so that 16 of every 25 hundredths ever occur: 99.94 % of the
  ticks of two games, and 64 to 67 % (16 of 25) of any times that were scaled and rounded.
- A program that writes milliseconds leaves no grid.  Hundredths that were scaled by 0.57 to 0.99 and rounded to
  milliseconds do: a *comb*, which is looked for between 101 and 175 Hz.  It is a strength of 0.95 to 1 there (1 = every
  tick on the grid); honest files of Metasweeper and Vienna MineSweeper reach 0.2, with one that has a mouse of 124.1 Hz 0.76.
  Two bands are left out: around 125 Hz, the rate of common mice, and around 128 Hz, twice the timer of old Windows.  Clone
  2006 and 2007 are left out altogether: honest games of both have combs of 0.97, at 125.0 and at 100.6 Hz.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from analysis.evidence.track import Numbers, Track
from analysis.recording import Finding, Recording

_HUNDREDTH_MS: Final = 10
_ARBITER: Final = ("Minesweeper Arbiter", "Arbiter")
_CLONE: Final = ("Minesweeper Clone 0.97", "0.97 beta")
_WITHOUT_COMB: Final = frozenset({"avf", "mvf"})

_TIMER_MS: Final = 15.625
_CYCLE: Final = 25  # hundredths in which the timer repeats
_CLONE_SHARE: Final = 0.9
_CLONE_TICKS: Final = 60

_COMB: Final = 0.9
_COMB_SUSPECTED: Final = 0.75  # the peak of a comb between two bins is 0.9 times as high
_COMB_TICKS: Final = 40
_COMB_HZ: Final = (100.6, 175.0)
_HONEST_HZ: Final = ((123.5, 126.5), (127.3, 128.7))
_FIRST_MS: Final = 8_192  # looked at first
_LAST_MS: Final = 131_072  # beyond, nothing is added


def _timer_hundredths() -> NDArray[np.bool_]:
    """For each phase of the timer (a row) the hundredths of a cycle in which it may tick."""
    phases = np.zeros((_CYCLE, _CYCLE), np.bool_)
    for phase in range(_CYCLE):
        ticks_ms = np.arange(16) * _TIMER_MS + (phase + 0.5) * _TIMER_MS / _CYCLE
        phases[phase, (ticks_ms // _HUNDREDTH_MS).astype(np.intp) % _CYCLE] = True
    return phases


_TIMER: Final = _timer_hundredths()


def lattice_finding(recording: Recording, track: Track) -> Finding | None:
    """The finding of a clock that cannot be that of the named program."""
    if recording.software.startswith(_ARBITER):
        wrong = int(np.count_nonzero(track.ticks % _HUNDREDTH_MS))
        text = f"Arbiter only writes whole hundredths of a second, but {wrong} of {len(track.ticks)} times aren't whole hundredths."
        return Finding("lattice", text) if wrong else None
    if recording.software.startswith(_CLONE):
        share = timer_share(track.ticks)
        text = f"{share:.1%} of the times match the timer of Clone 0.97; in unedited files, nearly all of them do."
        return Finding("lattice", text) if len(track.ticks) >= _CLONE_TICKS and share < _CLONE_SHARE else None
    if recording.format in _WITHOUT_COMB or len(track.ticks) < _COMB_TICKS:
        return None
    hertz, strength = comb(track.ticks)
    text = (
        f"The times are multiples of {1000 / hertz:.3f} ms (strength {strength:.2f}), "
        "as if hundredths of a second had been rescaled."
    )
    return Finding("lattice", text) if strength >= _COMB else None


def timer_share(ticks_ms: Numbers) -> float:
    """The share of times on the timer of Clone 0.97, in the phase that fits best."""
    if not len(ticks_ms):
        return 0.0
    counts = np.bincount(ticks_ms // _HUNDREDTH_MS % _CYCLE, minlength=_CYCLE)
    return float((_TIMER @ counts).max() / counts.sum())


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
