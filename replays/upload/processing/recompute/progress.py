"""The order in which a recompute visits rows, and storing how far it has come.

Rows are visited by player, then newest first; replays without a player come last.  So the boards of a player change in
one chunk, or few, and not in every chunk.  Each query is a range of the index ``replay_of_player``.

A claim moves replays to another player, perhaps to one that was visited already.  Players who got a name since the
recompute began are therefore visited once more at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db.models import QuerySet
from django.utils import timezone

from players.models import Identity
from replays.models import RecomputeProgress, Replay

#: A name that was being moved when the recompute began may have an earlier date.
_MOVE_SLACK: Final = timedelta(hours=1)


class Progress(NamedTuple):
    """The progress of a pass: the last row that it visited."""

    player_id: int | None
    replay_id: int


class NextRow(NamedTuple):
    player_id: int | None
    replay_id: int
    size_bytes: int

    @property
    def progress(self) -> Progress:
        return Progress(self.player_id, self.replay_id)


START: Final = Progress(0, 0)  # before the first player


def rows_after(rows: QuerySet[Replay], progress: Progress) -> QuerySet[Replay]:
    """Those of ``rows`` that come after ``progress``; for counting."""
    without_player = rows.filter(player=None)
    if progress.player_id is None:
        return without_player.filter(pk__lt=progress.replay_id)
    same_player = rows.filter(player_id=progress.player_id, pk__lt=progress.replay_id)
    return without_player | same_player | rows.filter(player_id__gt=progress.player_id)


def next_rows(rows: QuerySet[Replay], progress: Progress, limit: int) -> list[NextRow]:
    """At most ``limit`` rows after ``progress``, in order; at most three statements."""
    parts: Sequence[QuerySet[Replay]]
    if progress.player_id is None:
        parts = [rows.filter(player=None, pk__lt=progress.replay_id).order_by("-pk")]
    else:
        parts = [
            rows.filter(player_id=progress.player_id, pk__lt=progress.replay_id).order_by("-pk"),
            rows.filter(player_id__gt=progress.player_id).order_by("player_id", "-pk"),
            rows.filter(player=None).order_by("-pk"),
        ]
    found: list[NextRow] = []
    for part in parts:
        if len(found) < limit:
            tuples = part.values_list("player_id", "pk", "size_bytes")[: limit - len(found)]
            found += map(NextRow._make, tuples)
    return found


def players_moved_since(since: datetime) -> list[int]:
    moved = Identity.objects.filter(moved_at__gte=since - _MOVE_SLACK)
    return sorted(set(moved.values_list("player_id", flat=True)))


# --- stored progress --------------------------------------------------------------------------------------------------


def progress_of(key: str) -> tuple[Progress, datetime]:
    """Read the progress of the pass ``key`` and when it began; :data:`START` and now for a new one."""
    row = RecomputeProgress.objects.filter(key=key).first()
    return (START, timezone.now()) if row is None else (Progress(row.player_number, row.replay_number), row.started_at)


def advance(key: str, began: datetime, old: Progress, new: Progress) -> bool:
    """Store the progress ``new`` of a pass; False if the stored one is not ``old``, since another process runs it."""
    if old == START:
        _row, created = RecomputeProgress.objects.get_or_create(
            key=key, defaults={"started_at": began, "player_number": new.player_id, "replay_number": new.replay_id}
        )
        return created
    unchanged = RecomputeProgress.objects.filter(key=key, player_number=old.player_id, replay_number=old.replay_id)
    return bool(unchanged.update(player_number=new.player_id, replay_number=new.replay_id))


def delete_progress(key: str) -> None:
    RecomputeProgress.objects.filter(key=key).delete()
