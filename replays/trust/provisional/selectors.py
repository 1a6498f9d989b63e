from __future__ import annotations

from players.models import User
from replays.models import Objection, Replay


def may_object(replay: Replay, viewer: User | None) -> bool:
    """Return whether ``viewer`` may object to ``replay`` now: to a game that counts or is in dispute, once, not to their own."""
    counts = replay.ranked or replay.corpse or replay.judgement == Replay.Judgement.DISPUTED
    if viewer is None or not counts or replay.uploader_id == viewer.pk:
        return False
    return not Objection.objects.filter(replay=replay, user=viewer).exists()
