"""Turns of accounts: the order in which workers take the replays that wait.

Each row gets its turn, a number, when it is stored; a worker takes the smallest first.  The high bits are the lane: a few
files of anybody come before everybody's batches, and these before what an operator imports.  Within a lane accounts take
turns (start-time fair queueing): an account's next row stands behind its own last one, by what the row costs, but never
before the row whose turn it is now.  So an account that has nothing waiting begins beside the first of everybody else,
however much these have sent, and who sends large files has fewer turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from hashlib import sha256
from itertools import accumulate
from typing import Final

from django.db.models import Max, Min, QuerySet

from players.db.locks import lock_keys
from replays.models import Replay

#: Rows of one account that may wait in the first lane.
FEW: Final = 3
#: What a row costs beside its bytes: reading and writing it.
_COST: Final = 32 * 1024
#: More than the files of any lane cost together.
_LANE: Final = 1 << 56


class Lane(IntEnum):
    """FEW and BATCH: of people.  BEHIND: imports, and what is queued again by the site itself."""

    FEW = 0
    BATCH = 1
    BEHIND = 2

    @property
    def first_turn(self) -> int:
        return self * _LANE


def take_turns(uploader_id: int | None, sizes: Sequence[int], *, behind: bool = False) -> list[int]:
    """The turns of new rows of one account with files of ``sizes``, the small ones first.

    Call it in the transaction that inserts them: others of this account wait for its end.
    """
    lock_keys([sha256(f"turns {uploader_id}".encode()).digest()])
    lane = Lane.BEHIND if behind else _lane_of(uploader_id, len(sizes))
    waiting = _waiting(lane)
    now = waiting.aggregate(turn=Min("turn"))["turn"]
    last = waiting.filter(uploader=uploader_id).aggregate(turn=Max("turn"))["turn"]
    start = max(turn for turn in (now, last, lane.first_turn) if turn is not None)
    order = sorted(range(len(sizes)), key=sizes.__getitem__)
    ends = accumulate((sizes[place] + _COST for place in order), initial=start)
    next(ends)
    turns = dict(zip(order, ends, strict=True))
    return [turns[place] for place in range(len(sizes))]


def _lane_of(uploader_id: int | None, new: int) -> Lane:
    if new > FEW:
        return Lane.BATCH
    waiting = len(_waiting(Lane.FEW).filter(uploader=uploader_id).values_list("turn")[:FEW])
    return Lane.FEW if waiting + new <= FEW else Lane.BATCH


def _waiting(lane: Lane) -> QuerySet[Replay]:
    """The rows that wait in a lane; the conditions of the indexes ``replay_next`` and ``replay_turns_of_uploader``."""
    end = lane.first_turn + _LANE
    return Replay.objects.filter(status=Replay.Status.QUEUED, turn__gte=lane.first_turn, turn__lt=end).order_by()
