"""Luck of a few replays: measured from their files outside of any transaction, then written in one."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from analysis.luck import luck_of
from analysis.recording import Recording
from analysis.statistics import LUCK, LUCK_VERSION
from replays.models import Replay
from replays.processing.compute import Fault, Rejection, Unreachable, opened
from replays.processing.recompute.from_files import Skipped, skipped
from replays.processing.recompute.renumber import READ, Change, Row, renumber

#: Seconds for the clicks of one replay, and for its board: a thousand times what a ranked level takes.
MAX_SECONDS: Final = 8.0
#: A measured chunk is cut off here, far below the time limit of a task.
ENOUGH_SECONDS: Final = 10.0

_NAMES: Final = tuple(row.name for row in LUCK)
_WRITTEN: Final = (*_NAMES, "luck_version", "luck_claimed_at", "luck_attempts", "luck_code")
_READ: Final = (*dict.fromkeys((*READ, "game_hash", *_WRITTEN)),)
_AT: Final = {name: place for place, name in enumerate(_READ)}

_now = time.monotonic

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Measured:
    """The luck of the game of this hash; ``code``: why some of it is not defined, "" if all of it is."""

    game_hash: str | None
    values: Mapping[str, float | int | None]
    code: str = ""


Result = Measured | Rejection | Fault | Unreachable


def undefined(replay: Replay, code: str) -> Measured:
    """Nothing can be told of it, now or later."""
    return Measured(replay.game_hash, dict.fromkeys(_NAMES), code)


def measured(replays: Sequence[Replay]) -> Iterator[tuple[Replay, Result]]:
    """The luck of each replay, until enough time has passed: what is missing then is asked for again.

    ``replays``: with ``sha256`` and ``game_hash``.  No exception of one file reaches another.
    """
    since = _now()
    for replay in replays:
        yield replay, _measured(replay)
        if _now() - since > ENOUGH_SECONDS:
            return


def _measured(replay: Replay) -> Result:
    found = opened(replay)
    if not isinstance(found, Recording):
        return found
    try:
        luck = luck_of(found, max_seconds=MAX_SECONDS)
    except Exception:  # a bug of ours met by this file; the others of the chunk must not suffer
        logger.exception("Measuring the luck of replay %d (%s) failed.", replay.pk, replay.sha256)
        return Fault()
    return Measured(replay.game_hash, luck.values, luck.problem.code if luck.problem else "")


def luck_again(ids: Sequence[int]) -> tuple[dict[int, Measured], list[Skipped]]:
    """The luck that the files of these rows give now, and the rows whose files give none."""
    results: dict[int, Measured] = {}
    left_out: list[Skipped] = []
    waiting = list(Replay.objects.only("sha256", "game_hash").filter(pk__in=ids).order_by("pk"))
    while waiting:
        done = list(measured(waiting))
        for replay, result in done:
            if isinstance(result, Measured):
                results[replay.pk] = result
            else:
                left_out.append(skipped(replay.pk, result))
        waiting = waiting[len(done) :]
    return results, left_out


def write_luck(results: Mapping[int, Measured]) -> int:
    """Write ``results`` to their rows, and let judgements and boards follow; returns how many got other numbers.

    Call it inside a transaction.  A row that was deleted, or holds another game meanwhile, is left alone.
    """
    rows = list(
        Replay.objects.select_for_update(no_key=True)
        .filter(pk__in=results, status=Replay.Status.DONE)
        .order_by("pk")
        .values_list(*_READ)
    )
    same = [row for row in rows if row[_AT["game_hash"]] == results[row[_AT["id"]]].game_hash]
    changes = [Change(row, _with(row, results[row[_AT["id"]]])) for row in same]
    different = [change for change in changes if change.old != change.new]
    renumber(same, different, _WRITTEN, _AT, later=True)
    return sum(_numbers(change.old) != _numbers(change.new) for change in different)


def _with(row: Row, result: Measured) -> Row:
    new = list(row)
    settled = {"luck_version": LUCK_VERSION, "luck_claimed_at": None, "luck_attempts": 0, "luck_code": result.code}
    for name, value in (dict(result.values) | settled).items():
        new[_AT[name]] = value
    return tuple(new)


def _numbers(row: Row) -> list[object]:
    return [row[_AT[name]] for name in _NAMES]
