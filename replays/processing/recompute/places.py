"""The way through the rows: from player to player, newest replay first, replays without a player last.

So a player's replays are recomputed one after the other and the player's boards change once, not in every chunk.  Each
step is a range of the index ``replay_of_player``.

A claim moves a player's replays to another player, perhaps to one that has been passed already.  Who got a name since
the beginning is therefore visited once more at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db.models import QuerySet
from django.utils import timezone

from players.models import Identity
from replays.models import RecomputeProgress, Replay

#: A claim that was under way when the recompute began has an older date than that.
_CLAIM_SLACK: Final = timedelta(hours=1)


class Place(NamedTuple):
    """Where a row stands on the way."""

    player_id: int | None
    replay_id: int


class Stop(NamedTuple):
    """A row that comes next, and what its file weighs."""

    player_id: int | None
    replay_id: int
    size_bytes: int

    @property
    def place(self) -> Place:
        """Where it stands."""
        return Place(self.player_id, self.replay_id)


START: Final = Place(0, 0)  # before the first player


def rows_behind(rows: QuerySet[Replay], place: Place) -> QuerySet[Replay]:
    """Those of ``rows`` that stand behind ``place``; for counting."""
    behind = rows.filter(player=None)
    if place.player_id is None:
        return behind.filter(pk__lt=place.replay_id)
    same = rows.filter(player_id=place.player_id, pk__lt=place.replay_id)
    return behind | same | rows.filter(player_id__gt=place.player_id)


def next_stops(rows: QuerySet[Replay], place: Place, limit: int) -> list[Stop]:
    """At most ``limit`` rows behind ``place``, in order; at most three statements."""
    parts: Sequence[QuerySet[Replay]]
    if place.player_id is None:
        parts = [rows.filter(player=None, pk__lt=place.replay_id).order_by("-pk")]
    else:
        parts = [
            rows.filter(player_id=place.player_id, pk__lt=place.replay_id).order_by("-pk"),
            rows.filter(player_id__gt=place.player_id).order_by("player_id", "-pk"),
            rows.filter(player=None).order_by("-pk"),
        ]
    found: list[Stop] = []
    for part in parts:
        if len(found) < limit:
            stops = part.values_list(*Stop._fields[:1], "pk", "size_bytes")[: limit - len(found)]
            found += [Stop(*stop) for stop in stops]
    return found


def players_claimed_since(moment: datetime) -> list[int]:
    """Players who may have got replays of others since ``moment``."""
    claimed = Identity.objects.filter(claimed_at__gte=moment - _CLAIM_SLACK)
    return sorted(set(claimed.values_list("player_id", flat=True)))


# --- how far ----------------------------------------------------------------------------------------------------------


def progress_of(key: str) -> tuple[Place, datetime]:
    """Where the pass ``key`` stopped and when it was begun; the start and now for a new one."""
    row = RecomputeProgress.objects.filter(key=key).first()
    return (START, timezone.now()) if row is None else (Place(row.player_number, row.replay_number), row.started_at)


def advance(key: str, began: datetime, old: Place, new: Place) -> bool:
    """Move the pass from ``old`` to ``new``; false if it does not stand there (another process moved it)."""
    if old == START:
        _row, created = RecomputeProgress.objects.get_or_create(
            key=key, defaults={"started_at": began, "player_number": new.player_id, "replay_number": new.replay_id}
        )
        return created
    held = RecomputeProgress.objects.filter(key=key, player_number=old.player_id, replay_number=old.replay_id)
    return bool(held.update(player_number=new.player_id, replay_number=new.replay_id))


def forget_progress(key: str) -> None:
    """The pass begins anew."""
    RecomputeProgress.objects.filter(key=key).delete()
