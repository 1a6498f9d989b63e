"""The audit log of players and names: entries of the admin's log."""

from __future__ import annotations

from typing import Final

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType

from players.models import Identity, Player, User

_MAX_TITLE_CHARS: Final = 200


def log_change(changed: Player | Identity, by: User, message: str) -> None:
    LogEntry.objects.create(
        user=by,
        content_type=ContentType.objects.get_for_model(changed),
        object_id=str(changed.pk),
        object_repr=str(changed)[:_MAX_TITLE_CHARS],
        action_flag=CHANGE,
        change_message=message,
    )
