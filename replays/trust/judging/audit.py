"""The audit log of replays: entries of the admin's log, and of the log of decisions."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.admin.models import CHANGE, DELETION, LogEntry
from django.contrib.contenttypes.models import ContentType

from players.decision_log import Action, Kind, log_decision
from players.models import User
from replays.models import Replay

_MAX_TITLE_CHARS = 200


def log_change(replay: Replay, by: User, message: str) -> None:
    _entry(replay, by, CHANGE, message).save()


def log_changes(changes: Collection[tuple[Replay, str]], by: User) -> None:
    """Log several changes by ``by``, each with its message, in one statement."""
    LogEntry.objects.bulk_create([_entry(replay, by, CHANGE, message) for replay, message in changes])


def log_deletions(replays: Collection[Replay], by: User, rule: str = "", reason: str = "") -> None:
    """Log that ``by`` deletes ``replays``; the entries are not deleted with them.  Those of others were decided about."""
    LogEntry.objects.bulk_create([_entry(row, by, DELETION, f"sha256 {row.sha256}") for row in replays])
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


def _entry(replay: Replay, by: User, action: int, message: str) -> LogEntry:
    return LogEntry(
        user=by,
        content_type=ContentType.objects.get_for_model(Replay),
        object_id=str(replay.pk),
        object_repr=str(replay)[:_MAX_TITLE_CHARS],  # without the name of the file, which goes with its account
        action_flag=action,
        change_message=message,
    )
