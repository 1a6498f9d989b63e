"""Running a pass: chunk by chunk, each with its progress in one short transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Final

from django.db import transaction

from analysis.statistics import StatKind
from players.db.retry import retry_on_conflict
from replays.upload.processing.recompute.derived import recompute_derived
from replays.upload.processing.recompute.from_files import Skipped, analyse_again, batches, write_again
from replays.upload.processing.recompute.plan import Pass
from replays.upload.processing.recompute.progress import (
    START,
    NextRow,
    Progress,
    advance,
    delete_progress,
    next_rows,
    players_moved_since,
    progress_of,
    rows_after,
)
from replays.upload.processing.recompute.recompute_luck import measure_again, write_luck
from replays.upload.processing.recompute.recompute_notes import bests_before, store_notes

#: Rows of one transaction, which locks them.  If every value changes, the many indexes of the table make it take a
#: second for a thousand rows; if none does, less than a tenth of that.
DERIVED_ROWS: Final = 1_000
FILES: Final = 200


class AlreadyRunning(Exception):
    """Another process runs the same pass."""


@dataclass(frozen=True, slots=True)
class Chunk:
    rows: int
    changed: int
    skipped: list[Skipped] = field(default_factory=list)


def count_remaining(pass_: Pass) -> int:
    progress, _began = progress_of(pass_.key)
    return rows_after(pass_.rows(), progress).count()


def restart(pass_: Pass) -> None:
    delete_progress(pass_.key)


def recompute(pass_: Pass) -> Iterator[Chunk]:
    """Recompute the rows of ``pass_`` from its stored progress on, a chunk at each step.

    It may be stopped or killed at any point: the next call continues after the last committed chunk.  Raises
    :class:`AlreadyRunning`.
    """
    progress, began = progress_of(pass_.key)
    while rows := _next_rows(pass_, progress):
        after = rows[-1].progress
        yield _recompute_chunk(pass_, began, rows, partial(_advance, pass_.key, began, progress, after))
        progress = after
    for player_id in players_moved_since(began):
        yield from _recompute_player(pass_, began, player_id)
    delete_progress(pass_.key)


def _advance(key: str, began: datetime, old: Progress, new: Progress) -> None:
    if not advance(key, began, old, new):
        raise AlreadyRunning


def _recompute_player(pass_: Pass, began: datetime, player_id: int) -> Iterator[Chunk]:
    """Recompute all rows of one player, without storing the progress."""
    rows, progress = pass_.rows().filter(player_id=player_id), START
    while chunk := next_rows(rows, progress, _size(pass_)):
        yield _recompute_chunk(pass_, began, chunk, lambda: None)
        progress = chunk[-1].progress


def _next_rows(pass_: Pass, progress: Progress) -> Sequence[NextRow]:
    rows = next_rows(pass_.rows(), progress, _size(pass_))
    return rows if pass_.kind is StatKind.DERIVED else next(batches(rows), [])


def _size(pass_: Pass) -> int:
    return DERIVED_ROWS if pass_.kind is StatKind.DERIVED else FILES


def _recompute_chunk(
    pass_: Pass, began: datetime, rows: Sequence[NextRow], store_progress: Callable[[], None]
) -> Chunk:
    """Recompute one chunk, and call ``store_progress`` in the same transaction."""
    ids = [row.replay_id for row in rows]
    if pass_.kind is StatKind.DERIVED:
        changed = _commit(ids, began, lambda: recompute_derived(pass_, ids), store_progress)
        return Chunk(len(rows), changed)
    if pass_.kind is StatKind.LUCK:
        results, skipped = measure_again(ids)
        return Chunk(len(rows), _commit(ids, began, lambda: write_luck(results), store_progress), skipped)
    analyses, skipped = analyse_again(ids)
    changed = _commit(ids, began, lambda: write_again(analyses), store_progress)
    return Chunk(len(rows), changed, skipped)


@retry_on_conflict
def _commit(ids: Sequence[int], began: datetime, work: Callable[[], int], store_progress: Callable[[], None]) -> int:
    """Call ``work`` and ``store_progress``, and tell accounts what changed, in one transaction; returns the result of ``work``."""
    with transaction.atomic():
        before = bests_before(ids)
        changed = work()
        if changed:
            store_notes(before, ids, began)
        store_progress()
        return changed
