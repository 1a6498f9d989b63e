"""Games that are played here: the click machine fed event by event, and the time that ranks.

:class:`LiveGame` plays by the same kernel as ``analysis.click_machine`` replays by, so a finished game's recording analyses to
what the player saw.  Boards come from ``analysis.fair``.
"""

from __future__ import annotations

from analysis.live.live_game import Advance, Counts, LiveError, LiveGame
from analysis.live.ranked_time import ClockWatch, RankedTime, jitter_of, ranked_time

__all__ = [
    "Advance",
    "ClockWatch",
    "Counts",
    "LiveError",
    "LiveGame",
    "RankedTime",
    "jitter_of",
    "ranked_time",
]
