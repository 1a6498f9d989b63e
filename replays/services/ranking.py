"""Which replays count on leaderboards: one rule, in one place."""

from __future__ import annotations

from django.conf import settings

from analysis.recording import Level, Mode
from replays.models import Replay


def counts_on_boards(replay: Replay) -> bool:
    """Whether the analysed ``replay`` counts, from its own columns and its player (who should be loaded)."""
    if replay.level in ("", Level.CUSTOM):
        return False
    return bool(
        replay.status == Replay.Status.DONE
        and replay.win
        and replay.mode == Mode.STANDARD
        and replay.judgement == Replay.Judgement.ACCEPTED
        and replay.player is not None
        and replay.player.on_boards
        and int(replay.statistic("bv") or 0) >= settings.MINIMUM_3BV.get(replay.level, 0)
    )
