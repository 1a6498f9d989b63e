"""Games that are played here: the click machine fed event by event, and the time that ranks.

:class:`LiveGame` plays by the same kernel as ``analysis.game`` replays by, so a finished game's recording analyses to
what the player saw.  Boards come from ``analysis.fair``.
"""

from __future__ import annotations

from analysis.live.clock import ClockWatch, RankedTime, jitter_of, ranked_time
from analysis.live.game import Counts, LiveError, LiveGame, Step

__all__ = [
    "ClockWatch",
    "Counts",
    "LiveError",
    "LiveGame",
    "RankedTime",
    "Step",
    "jitter_of",
    "ranked_time",
]
