"""Which replays count on leaderboards: one rule, in one place."""

from __future__ import annotations

from django.conf import settings

from replays.models import Replay
from replays.services.rules import Value, could_rank


def counts_on_boards(replay: Replay) -> bool:
    """Whether the analysed ``replay`` counts, from its own columns and its player (who should be loaded)."""
    return bool(
        replay.status == Replay.Status.DONE
        and replay.player is not None
        and replay.player.on_boards
        and could_count(
            win=replay.win,
            mode=replay.mode,
            level=replay.level,
            judgement=replay.judgement,
            bv=replay.statistic("bv"),
        )
    )


def could_count(*, win: bool | None, mode: str, level: str, judgement: str, bv: Value) -> bool:
    """Whether an analysed game counts if its player does."""
    return (
        could_rank(win=win, mode=mode, level=level)
        and judgement == Replay.Judgement.ACCEPTED
        and (bv or 0) >= settings.MINIMUM_3BV.get(level, 0)
    )
