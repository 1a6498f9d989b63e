"""Chunk after chunk of a pass, each with its place on the way in one short transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Final

from django.db import transaction

from analysis.statistics import StatKind
from players.db.retry import retry_on_conflict
from replays.processing.recompute.derived import derived_again
from replays.processing.recompute.from_files import Skipped, analysed_again, batches, write_again
from replays.processing.recompute.luck import luck_again, write_luck
from replays.processing.recompute.places import (
    START,
    Place,
    Stop,
    advance,
    forget_progress,
    next_stops,
    players_claimed_since,
    progress_of,
    rows_behind,
)
from replays.processing.recompute.plan import Pass

#: Rows of one transaction, which locks them.  Where every number changes, the many indexes of the table make it a
#: second of work for a thousand rows; where none does, less than a tenth.
DERIVED_ROWS: Final = 1_000
FILES: Final = 200


class Elsewhere(Exception):
    """Another process is at the same recompute."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """What became of some rows: how many there were, how many got other numbers, which were skipped."""

    rows: int
    changed: int
    skipped: list[Skipped] = field(default_factory=list)


def count_remaining(what: Pass) -> int:
    """How many rows ``what`` still has to visit."""
    place, _began = progress_of(what.key)
    return rows_behind(what.rows(), place).count()


def forget(what: Pass) -> None:
    """Let ``what`` begin anew."""
    forget_progress(what.key)


def recompute(what: Pass) -> Iterator[Chunk]:
    """Go through the rows of ``what`` from where it stopped, a chunk at each step.

    It may be left, or die, at any point: the next call goes on behind the last chunk that was committed.  Raises
    :class:`Elsewhere`.
    """
    place, began = progress_of(what.key)
    while stops := _stops(what, place):
        behind = stops[-1].place
        yield _chunk(what, stops, partial(_advance, what.key, began, place, behind))
        place = behind
    for player_id in players_claimed_since(began):
        yield from _again(what, player_id)
    forget_progress(what.key)


def _advance(key: str, began: datetime, old: Place, new: Place) -> None:
    if not advance(key, began, old, new):
        raise Elsewhere


def _again(what: Pass, player_id: int) -> Iterator[Chunk]:
    """All rows of one player, without a note of how far it is."""
    rows, place = what.rows().filter(player_id=player_id), START
    while stops := next_stops(rows, place, _size(what)):
        yield _chunk(what, stops, lambda: None)
        place = stops[-1].place


def _stops(what: Pass, place: Place) -> Sequence[Stop]:
    stops = next_stops(what.rows(), place, _size(what))
    return stops if what.kind is StatKind.DERIVED else next(batches(stops), [])


def _size(what: Pass) -> int:
    return DERIVED_ROWS if what.kind is StatKind.DERIVED else FILES


def _chunk(what: Pass, stops: Sequence[Stop], note: Callable[[], None]) -> Chunk:
    """Do one chunk, and ``note`` it in the same transaction."""
    ids = [stop.replay_id for stop in stops]
    if what.kind is StatKind.DERIVED:
        changed = _committed(lambda: derived_again(what, ids), note)
        return Chunk(len(stops), changed)
    if what.kind is StatKind.LUCK:
        results, skipped = luck_again(ids)
        return Chunk(len(stops), _committed(lambda: write_luck(results), note), skipped)
    analyses, skipped = analysed_again(ids)
    changed = _committed(lambda: write_again(analyses), note)
    return Chunk(len(stops), changed, skipped)


@retry_on_conflict
def _committed(work: Callable[[], int], note: Callable[[], None]) -> int:
    """``work`` and ``note`` in one transaction."""
    with transaction.atomic():
        done = work()
        note()
        return done
