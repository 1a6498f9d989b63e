"""The bound on the processor time of one file."""

from __future__ import annotations

import logging
import signal
import time
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from django.utils import translation
from numba.core.compiler_lock import global_compiler_lock

from analysis import formats
from replays.models import Replay
from replays.trust.reasons import reject_text
from replays.upload.intake.services import receive_many
from replays.upload.processing import compute
from replays.upload.processing.processor_time import OutOfTime, processor_time
from replays.upload.processing.services import analyse_replays
from tests.replays.games import game_file


def busy(seconds: float) -> None:
    """Compute for so long, on however busy a machine."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def queued(*contents: bytes) -> list[int]:
    receipts = receive_many([("a", data) for data in contents], uploader=None, enqueue=False)
    return [receipt.replay_id for receipt in receipts if receipt.replay_id is not None]


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that begin with ``slow`` take a second, and a file may take a tenth of one."""
    real = formats.read

    def read(data: bytes) -> Any:
        if data.startswith(b"slow"):
            busy(1.0)
        return real(data)

    monkeypatch.setattr(formats, "read", read)
    monkeypatch.setattr(compute, "BASE_SECONDS", 0.1)


@pytest.mark.django_db
def test_a_file_that_takes_too_long_is_rejected_and_its_neighbours_are_not(
    slow: None, caplog: pytest.LogCaptureFixture
) -> None:
    good, bad, better = queued(game_file(1), b"slow", game_file(2))
    with caplog.at_level(logging.WARNING, logger="replays.upload.processing.compute"):
        analyse_replays([good, bad, better])
    rows = Replay.objects.in_bulk([good, bad, better])
    assert [rows[pk].status for pk in (good, bad, better)] == ["done", "rejected", "done"]
    assert (rows[bad].reject_code, rows[bad].attempts) == ("too_slow", 1)
    assert "0.1 seconds" in reject_text(rows[bad])
    with translation.override("zh-hans"):
        assert "0.1" in reject_text(rows[bad])
        assert "seconds" not in reject_text(rows[bad])
    assert rows[bad].sha256 in caplog.text


@pytest.mark.django_db
def test_what_is_slow_once_is_not_rejected(slow: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that has to be compiled first, for example."""
    real, calls = formats.read, []

    def read(data: bytes) -> Any:
        calls.append(data)
        if len(calls) == 1:
            busy(1.0)
        return real(data)

    monkeypatch.setattr(formats, "read", read)
    (pk,) = queued(game_file(1))
    analyse_replays([pk])
    assert Replay.objects.get(pk=pk).status == Replay.Status.DONE
    assert len(calls) == 2


def test_larger_files_may_take_longer() -> None:
    megabyte = 1024 * 1024
    assert compute.seconds_of(Replay(size_bytes=0)) == compute.BASE_SECONDS == 2.0
    assert compute.seconds_of(Replay(size_bytes=5 * megabyte)) == 12.0


def test_waiting_is_no_computing() -> None:
    """A slow machine, or one that is busy with other work, rejects nothing."""
    with processor_time(0.05):
        time.sleep(0.2)


def test_the_bound_interrupts_once_and_leaves_no_timer() -> None:
    before = signal.getsignal(signal.SIGPROF)
    with pytest.raises(OutOfTime), processor_time(0.02):
        busy(5.0)
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGPROF) is before
    busy(0.05)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # the bound may fall into a finalizer
@pytest.mark.django_db
def test_compiling_a_kernel_is_not_interrupted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """On a machine where nothing is compiled yet, the first files are analysed all the same."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    real = formats.read

    def read(data: bytes) -> Any:
        @numba.njit(cache=True)
        def total(values: Any) -> Any:
            return (values * 2).sum()

        total(np.arange(10))
        return real(data)

    monkeypatch.setattr(formats, "read", read)
    monkeypatch.setattr(compute, "BASE_SECONDS", 0.1)
    (pk,) = queued(game_file(1))
    analyse_replays([pk])
    assert Replay.objects.get(pk=pk).status == Replay.Status.DONE
    assert list(tmp_path.rglob("*.nbc"))  # the kernel was compiled, whole


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_bound_that_is_lost_in_a_finalizer_comes_again() -> None:
    class Slow:
        def __del__(self) -> None:
            busy(5.0)
            ended.append(True)

    ended: list[bool] = []

    def work() -> None:
        Slow()
        busy(5.0)

    with pytest.raises(OutOfTime), processor_time(0.02):
        work()
    assert not ended  # it was interrupted, and nobody heard of it


def test_after_compiling_a_kernel_the_bound_holds() -> None:
    compiled = []

    def compile_and_run() -> None:
        with global_compiler_lock:
            busy(0.1)
            compiled.append(True)
        busy(5.0)

    with pytest.raises(OutOfTime), processor_time(0.02):
        compile_and_run()
    assert compiled
