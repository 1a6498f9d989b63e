"""Times in whole hundredths as ticks of a timer: one that is steady, or one whose times were multiplied afterwards.

A steady timer, whatever its step, explains all its times with one step and one phase.  Times that were written on a timer's
grid, multiplied and rounded again fit no steady timer, but they fit one factor: 97 % of them or more, while times of other
timers reach 93 % with any factor from :data:`_LEAST_FACTOR` on.  Timers of 10 ms and less leave no grid and fit neither.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from analysis.evidence.track import Numbers

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
