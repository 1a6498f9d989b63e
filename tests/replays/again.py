"""Analysing replays again at once, as ``manage.py recompute`` and the workers do one after the other."""

from __future__ import annotations

from collections.abc import Sequence

from replays.models import OUTDATED, Replay
from replays.upload.processing.services import analyse_again
from replays.upload.processing.stale import replays_mark


def analyse_all_again() -> None:
    replays_mark(luck=False)
    analyse_outdated()


def analyse_outdated(chunk: int = 1_000) -> list[int]:
    """Analyse rows of an older version, so many in a task; returns the ids of those that are left."""
    ids: Sequence[int] = outdated()
    for start in range(0, len(ids), chunk):
        analyse_again(ids[start : start + chunk])
    return outdated()


def outdated() -> list[int]:
    return list(Replay.objects.filter(OUTDATED).order_by("pk").values_list("pk", flat=True))
