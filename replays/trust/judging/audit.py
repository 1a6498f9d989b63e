"""The audit log of replays: entries of the admin's log."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.admin.models import CHANGE, DELETION, LogEntry
from django.contrib.contenttypes.models import ContentType

from players.models import User
from replays.models import Replay

_MAX_TITLE_CHARS = 200


def log_change(replay: Replay, by: User, message: str) -> None:
    _entry(replay, by, CHANGE, message).save()


def log_changes(changes: Collection[tuple[Replay, str]], by: User) -> None:
    """Log several changes by ``by``, each with its message, in one statement."""
    LogEntry.objects.bulk_create([_entry(replay, by, CHANGE, message) for replay, message in changes])


def log_deletions(replays: Collection[Replay], by: User) -> None:
    """Log that ``by`` deletes ``replays``, in one statement; the entries are not deleted with them."""
    LogEntry.objects.bulk_create(
        [_entry(row, by, DELETION, f"sha256 {row.sha256}, {row.original_name}") for row in replays]
    )


def _entry(replay: Replay, by: User, action: int, message: str) -> LogEntry:
    return LogEntry(
        user=by,
        content_type=ContentType.objects.get_for_model(Replay),
        object_id=str(replay.pk),
        object_repr=f"{replay} {replay.original_name}"[:_MAX_TITLE_CHARS],
        action_flag=action,
        change_message=message,
    )
