from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final, TypeVar

from django.core.cache import cache
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _
from rest_framework.request import Request

from analysis import formats
from analysis.answers import FlagUse, known_position, luck_of_file
from analysis.board import board_facts
from analysis.click_machine import play
from analysis.deduction import Deduction
from analysis.errors import LimitExceeded, ReplayError
from analysis.luck import Luck, Snapshot, snapshot_at
from analysis.luck.snapshot import events_until
from analysis.probability import Probabilities
from analysis.recording import Recording
from analysis.review import Review
from analysis.statistics import LUCK, LUCK_VERSION
from replays.models import Replay, file_store, store_mark
from replays.models.kept import KeptResult, take
from replays.odds.calculator.calculator_client import CPU_SECONDS
from replays.odds.luck.packing import packed, unpacked
from replays.odds.positions.budget import calculate_for
from replays.odds.positions.positions import MAX_CELLS, Flags
from replays.odds.positions.refusal import Refusal
from replays.trust.judging.permissions import replay_or_404
from replays.upload.kernels import require_kernels

#: Time limit of a request by the clock, in a process of low priority; the limit of the workers is higher.
_MAX_SECONDS = 5.0
_HARD_SECONDS: Final = 3600
T = TypeVar("T", Luck, Review)


@dataclass(frozen=True, slots=True, eq=False)
class KnownSnapshot:
    """``time_ms``: of the last event, since the first click that opened cells; 0 or less before it.  ``flags``, ``found``,
    ``deduction``: ``None`` if the game is lost, or if the position is ``too_wide`` to count its layouts.
    """

    snapshot: Snapshot
    time_ms: int
    flags: FlagUse | None
    found: Probabilities | None
    deduction: Deduction | None
    too_wide: bool = False


def analysed_or_404(request: HttpRequest | Request, pk: int) -> Replay:
    replay = replay_or_404(request, pk)
    if replay.status != Replay.Status.DONE:
        raise Http404(_("There's no recording yet, because this replay hasn't been analysed."))
    return replay


def replay_luck(replay: Replay, visitor: str = "") -> Luck:
    """The luck of an analysed replay, at the cost of ``visitor``; without clicks if it could not be measured.

    Raises ``Http404`` if the file is lost, or the refusals of ``replays.odds.positions.budget``.
    """
    stored = {row.name: replay.statistic(row.name) for row in LUCK}
    if replay.luck_version == LUCK_VERSION and stored["pluck"] is None:
        return Luck((), stored)
    require_kernels("analysis", "luck")
    measure = partial(luck_of_file, max_seconds=_MAX_SECONDS)
    try:
        measured: Luck = kept_answer(
            replay,
            "luck",
            lambda: calculate_for(visitor, measure, file_of(replay), kernels=("luck",)),
            is_final=lambda luck: luck.problem is None,
        )
    except Refusal as refusal:
        if refusal.kind != "too_hard":
            raise
        return Luck(
            (), stored, LimitExceeded("seconds of counting", limit=round(CPU_SECONDS), value=round(CPU_SECONDS))
        )
    return measured


def kept_answer(replay: Replay, kind: str, ask: Callable[[], T], is_final: Callable[[T], bool]) -> T:
    """Return what ``ask`` returns, kept if it ``is_final``; and for an hour that the process that computes found it too hard."""
    hard = f"too-hard-{kind}-{replay.sha256}"
    answers: list[T] = []

    def make() -> KeptResult:
        if cache.get(hard):
            raise Refusal("too_hard")
        try:
            answer = ask()
        except Refusal as refusal:
            if refusal.kind == "too_hard":
                cache.set(hard, True, _HARD_SECONDS)
            raise
        answers.append(answer)
        return KeptResult(packed(answer)) if is_final(answer) else KeptResult(b"", is_final=False)

    made = take(replay.sha256, kind, make)
    return answers[0] if answers else unpacked(made.data)


def file_of(replay: Replay) -> bytes:
    """Raise ``Http404`` if it is lost, or its recording no longer accepted."""
    with unreadable_is_404():
        _recording(replay.sha256)
        return file_store.get(replay.sha256)  # it may be lost although the recording is remembered


@contextmanager
def unreadable_is_404() -> Iterator[None]:
    """Turn the errors of a file that is lost or no longer accepted into ``Http404``.

    Where the store of the site is not seen, no file is lost: ``StoreUnreachableError``.
    """
    try:
        yield
    except (file_store.FileMissingError, file_store.FileDamagedError) as error:
        store_mark.require_visible()
        raise Http404(_("This replay's file is lost.")) from error
    except ReplayError as error:  # a later version may be stricter than the one that analysed it
        raise Http404(str(error)) from error


@lru_cache(maxsize=4)
def _recording(sha256: str) -> Recording:
    """Cached, since a visitor requests several snapshots of a replay."""
    return formats.read(file_store.get(sha256))


def known_snapshot(
    replay: Replay, *, event: int | None, time_ms: int | None, flags: Flags = Flags.TRUSTED, visitor: str = ""
) -> KnownSnapshot:
    """The snapshot after ``event`` events, or ``time_ms`` after the first click that opened cells (one is given).

    Trusted flags only change what is shown here; the luck of the replay never takes them as evidence.

    Raises
    ------
    Http404
        if the file is lost.
    Refusal
        if ``visitor`` or the site has no time for it.
    """
    require_kernels("analysis", "tools")
    with unreadable_is_404():
        recording = _recording(replay.sha256)
    start = play(recording, board_facts(recording.board)).start_index
    if event is None:
        assert time_ms is not None  # noqa: S101 - the caller checks it
        event = events_until(recording, start, time_ms)
    event = min(max(event, 0), len(recording.events))
    times = recording.events["time_ms"]
    passed = int(times[max(event - 1, 0)]) - recording.start_ms(start)
    snapshot = snapshot_at(recording, event)
    position, known = snapshot.flagged_position, None
    if position is not None and position.numbers.size <= MAX_CELLS:
        try:
            task = partial(known_position, trust_flags=flags is Flags.TRUSTED)
            known = calculate_for(visitor, task, position.numbers, position.mines, kernels=("tools",))
        except Refusal as refusal:
            if refusal.kind != "too_hard":
                raise
    use, found, deduction = known or (None, None, None)
    return KnownSnapshot(snapshot, passed, use, found, deduction, too_wide=position is not None and known is None)
