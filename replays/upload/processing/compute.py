"""Reading and analysing the files of replays; nothing is written to the database."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from analysis.analyse import Analysis, analyse_many
from analysis.errors import ReplayError
from analysis.evidence import Evidence, evidence_of
from analysis.recording import Recording
from players.web import counters
from replays.models import Replay, file_store, store_mark
from replays.models.recordings import recording_of
from replays.upload.processing.processor_time import OutOfTime, processor_time

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Analysed:
    analysis: Analysis
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Rejection:
    """The file is bad: code and parameters of the reason (``replays.trust.reasons``)."""

    code: str
    params: dict[str, object] = field(default_factory=dict)
    message: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """An unexpected error, which was logged; another attempt may succeed."""


@dataclass(frozen=True, slots=True)
class Unreachable:
    """The file store cannot be reached; this does not count as an attempt."""

    store_lost: bool = False  # there is a store, but not the one of this site


#: The columns of a row that are needed to read and analyse its file.
COMPUTED_FROM: Final = ("sha256", "size_bytes", "name_encoding", "encoding_chosen")
#: Processor time of one file.  The dearest files that `tests.heavy` makes need 0.03 s a megabyte.
BASE_SECONDS: Final = 2.0
SECONDS_A_MEGABYTE: Final = 2.0
_MEGABYTE: Final = 1024 * 1024

Result: TypeAlias = Analysed | Rejection | Fault | Unreachable


def compute_results(replays: Iterable[Replay]) -> list[tuple[Replay, Result]]:
    """Read and analyse the files of ``replays``; the results in their order.  An error of one affects no other.

    If all of them together take longer than one of them may, each has its time alone.
    """
    order = list(replays)
    try:
        with processor_time(max(map(seconds_of, order), default=0.0)):
            results = _compute(order)
    except OutOfTime:
        results = {replay.pk: _compute_alone(replay) for replay in order}
    for result in results.values():
        if isinstance(result, Rejection):
            counters.count("refusals", reason=result.code)
    return [(replay, results[replay.pk]) for replay in order]


def seconds_of(replay: Replay) -> float:
    """The processor time that a file may take, by its size: a hundred times what any file is known to need."""
    return BASE_SECONDS + SECONDS_A_MEGABYTE * replay.size_bytes / _MEGABYTE


def _compute_alone(replay: Replay) -> Result:
    limit = seconds_of(replay)
    try:
        with processor_time(limit):
            return _compute([replay])[replay.pk]
    except OutOfTime:
        logger.warning("Replay %d (%s) took more than %.1f s of processor time.", replay.pk, replay.sha256, limit)
        return Rejection("too_slow", {"limit": round(limit, 1)}, "The analysis took too long.")


def _compute(order: Sequence[Replay]) -> dict[int, Result]:
    results: dict[int, Result] = {}
    recordings: list[tuple[Replay, Recording]] = []
    reading: list[tuple[str, float]] = []
    for replay in order:
        began = time.perf_counter()
        found = read_recording(replay)
        if isinstance(found, Recording):
            recordings.append((replay, found))
            reading.append((found.format, time.perf_counter() - began))
        else:
            results[replay.pk] = found
    began = time.perf_counter()
    results |= _analyse(recordings)
    for name, seconds in reading:  # the analysis is one pass over all of them
        counters.observe("analysis_seconds", seconds + (time.perf_counter() - began) / len(reading), format=name)
    return results


def read_recording(replay: Replay) -> Recording | Rejection | Fault | Unreachable:
    """The recording in the file of ``replay``, or why it cannot be read; unexpected errors are logged."""
    try:
        return recording_of(replay)
    except file_store.FileMissingError:
        if store_mark.is_visible():
            return Rejection("file_missing")
        logger.error("The file of replay %d is not seen from here, and nor is the store that it is in.", replay.pk)
        return Unreachable(store_lost=True)
    except file_store.FileDamagedError:
        return Rejection("file_damaged")
    except ReplayError as error:
        return _rejection(error)
    except OSError:
        logger.exception("The file of replay %d cannot be read now.", replay.pk)
        return Unreachable()
    except Exception:  # a bug that this file triggers; it must not affect the others of the chunk
        logger.exception("Reading replay %d (%s) failed.", replay.pk, replay.sha256)
        return Fault()


def _analyse(recordings: Sequence[tuple[Replay, Recording]]) -> dict[int, Result]:
    if not recordings:
        return {}
    try:
        outcomes = [_analysed(outcome) for outcome in analyse_many([recording for _, recording in recordings])]
    except Exception:  # as above; one by one, to find the file
        if len(recordings) == 1:
            replay = recordings[0][0]
            logger.exception("Analysing replay %d (%s) failed.", replay.pk, replay.sha256)
            return {replay.pk: Fault()}
        return {pk: result for recording in recordings for pk, result in _analyse([recording]).items()}
    return {replay.pk: outcome for (replay, _), outcome in zip(recordings, outcomes, strict=True)}


def _analysed(outcome: Analysis | ReplayError) -> Analysed | Rejection:
    return _rejection(outcome) if isinstance(outcome, ReplayError) else Analysed(outcome, evidence_of(outcome))


def _rejection(error: ReplayError) -> Rejection:
    return Rejection(error.code, error.params, str(error))
