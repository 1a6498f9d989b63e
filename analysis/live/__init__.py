"""Games that are played here: the click machine fed event by event, and the time that ranks.

:class:`LiveGame` plays by the same kernel as ``analysis.game`` replays by, so a finished game's recording analyses to
what the player saw.  Boards come from ``analysis.fair``.
"""

from __future__ import annotations

from analysis.live.game import Counts, LiveError, LiveGame, Step

__all__ = ["Counts", "LiveError", "LiveGame", "Step"]
