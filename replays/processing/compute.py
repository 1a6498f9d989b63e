"""The part of the analysis that touches no row: files in, results out."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from analysis import formats
from analysis.analyse import Analysis, analyse_many
from analysis.errors import ReplayError
from analysis.recording import Recording
from replays import file_store
from replays.models import Replay

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Rejection:
    """The file is at fault: the code and parameters of its sentence (``replays.reasons``)."""

    code: str
    params: dict[str, object] = field(default_factory=dict)
    message: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """We are at fault, or the machine is; it has been logged, and another attempt may do better."""


@dataclass(frozen=True, slots=True)
class Unreachable:
    """The file store does not answer; that is no attempt."""


Result: TypeAlias = Analysis | Rejection | Fault | Unreachable


def computed(replays: Iterable[Replay]) -> list[tuple[Replay, Result]]:
    """The result of each replay, in order; no exception of one file reaches another."""
    results: dict[int, Result] = {}
    recordings: list[tuple[Replay, Recording]] = []
    order = list(replays)
    for replay in order:
        found = opened(replay)
        if isinstance(found, Recording):
            recordings.append((replay, found))
        else:
            results[replay.pk] = found
    results.update(_analysed(recordings))
    return [(replay, results[replay.pk]) for replay in order]


def opened(replay: Replay) -> Recording | Rejection | Fault | Unreachable:
    """The recording in the file of ``replay``, or why there is none; whatever happens is logged."""
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
    except Exception:  # a bug of ours met by this file; the others of the chunk must not suffer
        logger.exception("Reading replay %d (%s) failed.", replay.pk, replay.sha256)
        return Fault()


def _analysed(recordings: Sequence[tuple[Replay, Recording]]) -> dict[int, Result]:
    if not recordings:
        return {}
    try:
        outcomes = analyse_many([recording for _, recording in recordings])
    except Exception:  # as above; one by one shows whose fault it is
        if len(recordings) == 1:
            replay = recordings[0][0]
            logger.exception("Analysing replay %d (%s) failed.", replay.pk, replay.sha256)
            return {replay.pk: Fault()}
        return {key: result for one in recordings for key, result in _analysed([one]).items()}
    return {
        replay.pk: _rejection(outcome) if isinstance(outcome, ReplayError) else outcome
        for (replay, _), outcome in zip(recordings, outcomes, strict=True)
    }


def _rejection(error: ReplayError) -> Rejection:
    return Rejection(error.code, error.params, str(error))
