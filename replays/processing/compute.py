"""Reading and analysing the files of replays; nothing is written to the database."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from analysis import formats
from analysis.analyse import Analysis, analyse_many
from analysis.errors import ReplayError
from analysis.evidence import Evidence, evidence_of
from analysis.recording import Recording
from replays import file_store
from replays.models import Replay

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Analysed:
    """The analysis of a file, and what it can prove."""

    analysis: Analysis
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Rejection:
    """The file is bad: code and parameters of the reason (``replays.reasons``)."""

    code: str
    params: dict[str, object] = field(default_factory=dict)
    message: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """An unexpected error, which was logged; another attempt may succeed."""


@dataclass(frozen=True, slots=True)
class Unreachable:
    """The file store cannot be reached; this does not count as an attempt."""


Result: TypeAlias = Analysed | Rejection | Fault | Unreachable


def compute_results(replays: Iterable[Replay]) -> list[tuple[Replay, Result]]:
    """Read and analyse the files of ``replays``; the results in their order.  An error of one affects no other."""
    results: dict[int, Result] = {}
    recordings: list[tuple[Replay, Recording]] = []
    order = list(replays)
    for replay in order:
        found = read_recording(replay)
        if isinstance(found, Recording):
            recordings.append((replay, found))
        else:
            results[replay.pk] = found
    results.update(_analyse(recordings))
    return [(replay, results[replay.pk]) for replay in order]


def read_recording(replay: Replay) -> Recording | Rejection | Fault | Unreachable:
    """The recording in the file of ``replay``, or why it cannot be read; unexpected errors are logged."""
    try:
        return formats.read(file_store.get(replay.sha256))
    except file_store.FileMissingError:
        return Rejection("file_missing")
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
