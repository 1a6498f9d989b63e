"""Comparing stored games with all others by their sketches (``replays.trust.evidence.similar``), a few seconds a minute.

Each game is compared when it is saved.  Of two that are saved at the same moment neither sees the other, so each is
compared once more some minutes later.  ``PlayTrace.compared_at`` is NULL until then.
"""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Final

from django.utils import timezone

from replays.models import PlayTrace
from replays.trust.evidence.similar import similar_holders, stored_sketches
from replays.trust.places.services import places_merge

#: The longest that a game may take to be saved.
_SAVED_AFTER: Final = timedelta(minutes=10)
#: For so long a run goes on; the worker has other work, too.
_SECONDS: Final = 2.0
_CHUNK: Final = 25


def compare_waiting() -> int:
    """Compare games that wait for it, the oldest first, for some seconds; returns how many."""
    until, compared = time.monotonic() + _SECONDS, 0
    while ids := _waiting():
        places_merge(similar_holders(stored_sketches(ids)))
        PlayTrace.objects.filter(replay__in=ids).update(compared_at=timezone.now())
        compared += len(ids)
        if time.monotonic() > until:
            break
    return compared


def _waiting() -> list[int]:
    saved_before = timezone.now() - _SAVED_AFTER
    rows = PlayTrace.objects.filter(compared_at=None, replay__analysed_at__lt=saved_before)
    return list(rows.order_by("replay").values_list("replay_id", flat=True)[:_CHUNK])
