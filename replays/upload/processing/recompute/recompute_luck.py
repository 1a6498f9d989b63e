"""Luck of a chunk of replays: measured from files outside of a transaction, then written in one."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from analysis.luck import Click, Sort, luck_of, was_avoidable
from analysis.recording import Recording
from analysis.statistics import LUCK, LUCK_VERSION
from players.db.select import Row
from replays.models import NeedlessGuess, Replay, TrainingCard
from replays.upload.processing.compute import COMPUTED_FROM, Fault, Rejection, Unreachable, read_recording
from replays.upload.processing.recompute.from_files import Skipped, skipped
from replays.upload.processing.recompute.update import READ, Change, update_rows

#: Time limit of one replay: two hundred times what a game of a ranked level takes.  An upload may have to wait so long.
MAX_SECONDS: Final = 2.0
#: After so long :func:`measure` ends early, far below the time limit of a task.
ENOUGH_SECONDS: Final = 10.0

_ASK_SECONDS: Final = 0.2

_NAMES: Final = tuple(row.name for row in LUCK)
_WRITTEN: Final = (*_NAMES, "luck_version", "luck_claimed_at", "luck_attempts", "luck_code")
_READ: Final = (*dict.fromkeys((*READ, "game_hash", *_WRITTEN)),)
_AT: Final = {name: index for index, name in enumerate(_READ)}

_now = time.monotonic

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Measured:
    """The luck of the game with this hash; ``code``: why some values are not defined, or "".  ``avoidable``: its slips."""

    game_hash: str | None
    values: Mapping[str, float | int | None]
    code: str = ""
    avoidable: Sequence[Click] = ()


Result = Measured | Rejection | Fault | Unreachable


def undefined_luck(replay: Replay, code: str) -> Measured:
    """The result of a replay whose luck cannot be measured, now or later."""
    return Measured(replay.game_hash, dict.fromkeys(_NAMES), code)


def measure(
    replays: Sequence[Replay], ends_early: Callable[[], bool] = lambda: False
) -> Iterator[tuple[Replay, Result]]:
    """Measure the luck of each replay, in order; ends early after :data:`ENOUGH_SECONDS`.

    ``replays``: with ``sha256`` and ``game_hash``.  An error of one affects no other.  ``ends_early`` is asked now and
    then whether others wait for this process.
    """
    since = asked = _now()
    for replay in replays:
        yield replay, _measure_one(replay)
        now = _now()
        if now - since > ENOUGH_SECONDS:
            return
        if now - asked > _ASK_SECONDS:
            if ends_early():
                return
            asked = now


def _measure_one(replay: Replay) -> Result:
    found = read_recording(replay)
    if not isinstance(found, Recording):
        return found
    try:
        luck = luck_of(found, max_seconds=MAX_SECONDS)
    except Exception:  # a bug that this file triggers; it must not affect the others of the chunk
        logger.exception("Measuring the luck of replay %d (%s) failed.", replay.pk, replay.sha256)
        return Fault()
    avoidable = [click for click in luck.clicks if was_avoidable(click)]
    return Measured(replay.game_hash, luck.values, luck.problem.code if luck.problem else "", avoidable)


def measure_again(ids: Sequence[int]) -> tuple[dict[int, Measured], list[Skipped]]:
    """Measure the luck of these rows; the results by id, and the rows whose files cannot be measured."""
    results: dict[int, Measured] = {}
    left_out: list[Skipped] = []
    waiting = list(Replay.objects.only(*COMPUTED_FROM, "game_hash").filter(pk__in=ids).order_by("pk"))
    while waiting:
        done = list(measure(waiting))
        for replay, result in done:
            if isinstance(result, Measured):
                results[replay.pk] = result
            else:
                left_out.append(skipped(replay.pk, result))
        waiting = waiting[len(done) :]
    return results, left_out


def write_luck(results: Mapping[int, Measured]) -> int:
    """Write ``results`` to their rows, and update judgements and boards; returns in how many rows a value changed.

    Call it inside a transaction.  Rows that were deleted, or have another game since, are skipped.
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
    update_rows(same, different, _WRITTEN, _AT, log_new_values=True)
    measured = {row[_AT["id"]]: results[row[_AT["id"]]] for row in same}
    _write_guesses({pk: result.avoidable for pk, result in measured.items()})
    _drop_training_cards({pk: result.avoidable for pk, result in measured.items() if not result.code})
    return sum(_numbers(change.old) != _numbers(change.new) for change in different)


def _write_guesses(guesses: Mapping[int, Sequence[Click]]) -> None:
    NeedlessGuess.objects.filter(replay__in=guesses).delete()
    NeedlessGuess.objects.bulk_create(
        NeedlessGuess(
            replay_id=replay_id,
            event=click.event,
            time_ms=click.time_ms,
            risk=click.risk,
            rule="" if click.rule is None else click.rule.value,
            is_needless=click.sort is Sort.NEEDLESS,
        )
        for replay_id, clicks in guesses.items()
        for click in clicks
    )


def _drop_training_cards(slips: Mapping[int, Sequence[Click]]) -> None:
    """Delete the cards of clicks that are no slips any more: nobody could answer them, and they would be asked for ever."""
    events = {pk: {click.event for click in clicks} for pk, clicks in slips.items()}
    cards = TrainingCard.objects.filter(replay__in=slips).values_list("pk", "replay", "event")
    gone = [pk for pk, replay, event in cards if event not in events[replay]]
    if gone:
        TrainingCard.objects.filter(pk__in=gone).delete()


def _with(row: Row, result: Measured) -> Row:
    new = list(row)
    status = {"luck_version": LUCK_VERSION, "luck_claimed_at": None, "luck_attempts": 0, "luck_code": result.code}
    for name, value in (dict(result.values) | status).items():
        new[_AT[name]] = value
    return tuple(new)


def _numbers(row: Row) -> list[object]:
    return [row[_AT[name]] for name in _NAMES]
