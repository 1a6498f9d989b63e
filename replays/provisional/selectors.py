"""Reading who may object to a game."""

from __future__ import annotations

from players.models import User
from replays.models import Objection, Replay


def may_object(replay: Replay, viewer: User | None) -> bool:
    """Whether ``viewer`` may object to ``replay`` now: to a ranked game, once, and not to one's own upload."""
    if viewer is None or not replay.ranked or replay.uploader_id == viewer.pk:
        return False
    return not Objection.objects.filter(replay=replay, user=viewer).exists()
