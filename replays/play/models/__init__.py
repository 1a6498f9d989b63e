"""Tables of live play."""

from __future__ import annotations

from replays.play.models.games import LiveGame, LiveGameLog

__all__ = ["LiveGame", "LiveGameLog"]
