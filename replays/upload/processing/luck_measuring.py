"""Measuring the luck of replays from their files; nothing is written to the database."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from analysis.luck import Click, luck_of, was_avoidable
from analysis.recording import Recording
from analysis.statistics import LUCK
from replays.models import Replay
from replays.upload.processing.compute import Fault, Rejection, Unreachable, read_recording

#: Time limit of one replay: two hundred times what a game of a ranked level takes.  An upload may have to wait so long.
MAX_SECONDS: Final = 2.0
#: After so long :func:`measure` ends early, far below the time limit of a task.
ENOUGH_SECONDS: Final = 10.0

_ASK_SECONDS: Final = 0.2

_NAMES: Final = tuple(row.name for row in LUCK)

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
