"""Entries about replays in the log of decisions."""

from __future__ import annotations

from collections.abc import Collection

from players.decision_log import Action, Kind, log_decision
from players.models import User
from replays.models import Replay


def log_deletions(replays: Collection[Replay], by: User, rule: str = "", reason: str = "") -> None:
    """Log that ``by`` deletes ``replays``, without their own, which is no decision."""
    for row in replays:
        if row.uploader_id != by.pk:
            log_about(row, by, Action.DELETED, rule=rule, reason=reason, before=row.judgement, after="deleted")


def log_about(
    row: Replay, by: User, action: Action, *, rule: str = "", reason: str = "", before: str = "", after: str = ""
) -> None:
    """Log a decision about the uploader's replay, or without an uploader about the player's."""
    about = row.uploader_id
    if about is None and row.player is not None:
        about = row.player.user_id
    log_decision(by, action, Kind.REPLAY, row.pk, about=about, rule=rule, reason=reason, before=before, after=after)
