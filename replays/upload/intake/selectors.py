from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from django.db.models import Q

from players.models import User
from replays.models import Replay
from replays.trust.judging.permissions import visible_to

#: Most ids of one request for statuses; its URL stays far below the limits of servers.
MAX_STATUSES: Final = 200


def upload_statuses(ids: Sequence[int], viewer: User | None) -> list[Replay]:
    """The rows of ``ids`` that ``viewer`` may see, sorted by id.

    Uploads without an account can be seen by anyone who knows the id.
    """
    rows = Replay.objects.select_related("player").defer("board", "findings").filter(pk__in=ids[:MAX_STATUSES])
    condition = visible_to(viewer)
    if condition:  # an empty Q matches everything, but Q() | condition is only the condition
        rows = rows.filter(condition | Q(uploader=None))
    return list(rows.order_by("pk"))


def unseen_originals(ids: Collection[int], viewer: User | None) -> dict[int, Replay]:
    """Return uploads of others that are not done.  One query, or none."""
    if not ids:
        return {}
    rows = Replay.objects.only("status", "reject_code", "reject_params").filter(pk__in=ids)
    condition = visible_to(viewer)
    return rows.exclude(condition).in_bulk() if condition else {}
