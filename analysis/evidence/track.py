"""Measurements from one pass over the events of a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis.analyse import Analysis
from analysis.kernels.click_machine import NORMAL_CELL_PX
from analysis.kernels.track import ACTS, EQUAL_STEPS, EVENTS, HELD_MS, HOLDS, JUMPS, follow

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
        """The track of one game."""
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
