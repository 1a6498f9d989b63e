"""Comparing stored games with all others by their sketches (``replays.trust.evidence.similar``), a few seconds a minute.

Each game is compared when it is saved.  Of two that are saved at the same moment neither sees the other, so each is
compared once more some minutes later; and games that were analysed before there were sketches get theirs here, from
their files.  ``PlayTrace.compared_at`` is NULL until then.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from django.utils import timezone

from analysis.evidence import SIMILAR_LEVELS
from players.db import bulk
from replays.models import PlayTrace, Replay
from replays.trust.evidence.similar import SKETCHED, similar_holders, sketch_values, sketched_games, stored_sketches
from replays.trust.places.services import places_merge
from replays.upload.processing.compute import COMPUTED_FROM, Analysed, Unreachable, compute_results

#: The longest that a game may take to be saved.
_SAVED_AFTER: Final = timedelta(minutes=10)
#: For so long a run goes on; the worker has other work, too.
_SECONDS: Final = 2.0
_CHUNK: Final = 25


def compare_waiting() -> int:
    """Compare games that wait for it, the oldest first, for some seconds; returns how many."""
    until, compared = time.monotonic() + _SECONDS, 0
    while ids := _waiting():
        if not _compare(ids):
            break  # the file store is away
        compared += len(ids)
        if time.monotonic() > until:
            break
    return compared


def _waiting() -> list[int]:
    saved_before = timezone.now() - _SAVED_AFTER
    rows = PlayTrace.objects.filter(compared_at=None, replay__analysed_at__lt=saved_before)
    return list(rows.order_by("replay").values_list("replay_id", flat=True)[:_CHUNK])


def _compare(ids: Sequence[int]) -> bool:
    """Return whether all of ``ids`` were compared, or cannot be."""
    without = Replay.objects.filter(
        pk__in=ids, status=Replay.Status.DONE, win=True, level__in=SIMILAR_LEVELS, trace__sketch=None
    )
    results = compute_results(without.only(*COMPUTED_FROM, "level", "win", "board", "evidence").order_by("pk"))
    if any(isinstance(result, Unreachable) for _, result in results):
        return False
    new = sketched_games((replay, result.evidence) for replay, result in results if isinstance(result, Analysed))
    bulk.update(PlayTrace, SKETCHED, [(pk, *sketch_values(game)) for pk, game in new.items()])
    places_merge(similar_holders({**stored_sketches(ids), **new}))
    PlayTrace.objects.filter(replay__in=ids).update(compared_at=timezone.now())
    return True
