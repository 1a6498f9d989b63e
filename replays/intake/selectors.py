"""How far uploads have come."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from django.db.models import Q

from players.models import User
from replays.judging.permissions import visible_to
from replays.models import Replay

MAX_STATUSES: Final = 1_000


def upload_statuses(ids: Sequence[int], viewer: User | None) -> list[Replay]:
    """The rows of ``ids`` that ``viewer`` may see, by id; unknown ones are left out.

    What was uploaded without an account can be followed by anyone who knows its number.
    """
    rows = Replay.objects.select_related("player").defer("board", "findings").filter(pk__in=ids[:MAX_STATUSES])
    condition = visible_to(viewer)
    if condition:  # an empty one means everything, and "everything or this" would mean only this
        rows = rows.filter(condition | Q(uploader=None))
    return list(rows.order_by("pk"))


def unseen_originals(ids: Collection[int], viewer: User | None) -> dict[int, Replay]:
    """Those rows of ``ids`` that ``viewer`` may not open: others' uploads that are not done.  One query, or none."""
    if not ids:
        return {}
    rows = Replay.objects.only("status", "reject_code", "reject_params").filter(pk__in=ids)
    condition = visible_to(viewer)
    return rows.exclude(condition).in_bulk() if condition else {}
