"""Times that do not look like those of the named program's clock.  A remark: it was learnt from few people's files.

- Arbiter writes whole hundredths: 100 % of 29.5 million records of one player.
- Clone 0.97 writes whole hundredths of whatever timer the computer has: 15.625 ms in two games, 15.600 ms in games of 2013.  Any
  steady timer is one; what is looked for are times that were multiplied as a whole (see below).
- A program that writes milliseconds leaves no grid.  Hundredths that were scaled by 0.57 to 0.99 and rounded to
  milliseconds do: a *comb*, which is looked for between 101 and 175 Hz.  It is a strength of 0.95 to 1 there (1 = every
  tick on the grid); honest files of Metasweeper and Vienna MineSweeper reach 0.2, with one that has a mouse of 124.1 Hz 0.76.
  Two bands are left out: around 125 Hz, the rate of common mice, and around 128 Hz, twice the timer of old Windows.  Clone
  2006 and 2007 are left out altogether: honest games of both have combs of 0.97, at 125.0 and at 100.6 Hz.  A program that
  takes the mouse once a frame would have one at the rate of the screen, 120 or 144 Hz.

**Timers.**  A steady timer, whatever its step, explains all its times with one step and one phase.  Times that were written
on a timer's grid, multiplied and rounded again fit no steady timer, but they fit one factor: 97 % of them or more, while
times of other timers reach 93 % with any factor from :data:`_LEAST_FACTOR` on.  Timers of 10 ms and less leave no grid and
fit neither.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from analysis.evidence.hand import Numbers, Track
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


Floats = NDArray[np.float64]

#: Steps of the timer of Windows, in hundredths: since Vista, and before.
WINDOWS_TIMERS: Final = (1.56001, 1.5625)

#: Where nearly every hundredth can be reached, a good fit says nothing.
_LEAST_FACTOR: Final = 0.75
_LARGEST_FACTOR: Final = 0.995  # beyond, it is another timer
_STEADY_STEPS: Final = (1.15, 6.0)

_FIRST_SPAN: Final = 250.0  # hundredths that are looked at first
_GROWTH: Final = 2.5  # of the span from round to round
_KEPT: Final = 60  # candidates of a round
_PHASES: Final = 20
_SHIFT: Final = 0.25  # by so many hundredths two neighbouring candidates differ at the end of the span
_AROUND: Final = np.array([-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5])


def steady_share(hundredths: Numbers) -> float:
    """Return the share of the times that the best steady timer of 11.5 to 60 ms explains."""
    low, high = _STEADY_STEPS
    steps = np.exp(np.arange(np.log(low), np.log(high), _SHIFT / _FIRST_SPAN))
    return _best(hundredths, steps, np.ones(1))


def scaled_share(hundredths: Numbers) -> float:
    """Return the share of the times that a timer of Windows explains if its times were multiplied by the best factor."""
    factors = np.arange(_LEAST_FACTOR, _LARGEST_FACTOR, _SHIFT / _FIRST_SPAN)
    return max(_best(hundredths, np.array([step]), factors) for step in WINDOWS_TIMERS)


def _best(hundredths: Numbers, steps: Floats, factors: Floats) -> float:
    """Return the best share of these steps and factors, one of which is single, at any phase.

    Candidates are tried on the beginning, where few suffice, and the best ones more finely on more and more of the game.
    """
    phases = (np.arange(_PHASES) + 0.5) / _PHASES
    step, factor, phase = (axis.ravel() for axis in np.meshgrid(steps, factors, phases, indexing="ij"))
    span, slope, turn = _FIRST_SPAN, _SHIFT / _FIRST_SPAN, 1 / _PHASES
    while True:
        shares = _shares(hundredths[hundredths < span], step, factor, phase)
        best = np.argsort(-shares)[:_KEPT]
        if span > hundredths[-1]:
            return float(shares[best[0]])
        span, slope, turn = span * _GROWTH, slope / _GROWTH, turn / 1.3
        slopes, turns = (axis.ravel() for axis in np.meshgrid(_AROUND * slope, _AROUND[1:-1:2] * turn))
        step, factor, phase = (axis[best][:, np.newaxis] for axis in (step, factor, phase))
        phase = (phase + turns).ravel()
        step, factor = (
            (axis * (1 + slopes) if many else np.repeat(axis, len(slopes), axis=1)).ravel()
            for axis, many in ((step, len(steps) > 1), (factor, len(factors) > 1))
        )


def _shares(hundredths: Numbers, step: Floats, factor: Floats, phase: Floats) -> Floats:
    """Return the share of the times that each candidate can write; a candidate has a step, a factor and a phase in steps."""
    step, factor, phase = step[:, np.newaxis], factor[:, np.newaxis], phase[:, np.newaxis]

    def ticks_in(hundredth: Floats) -> NDArray[np.bool_]:
        return (np.ceil(hundredth / step - phase) + phase) * step < hundredth + 1

    first = np.ceil((hundredths - 0.5) / factor)
    second = (first + 1 < (hundredths + 0.5) / factor) & ticks_in(first + 1)
    return np.asarray((ticks_in(first) | second).mean(axis=1))
