"""The process that computes: its priority, its limits, and what becomes of it."""

from __future__ import annotations

import os
import pickle
import sys
import threading
from collections.abc import Iterator
from typing import Any

import psutil
import pytest

from analysis.errors import BadField, Inconsistent, LimitExceeded, Truncated, UnknownFormat
from replays.odds.calculator import calculator_client, calculator_process
from replays.odds.calculator.calculator_client import Busy, CalculationFailed, TooHard, calculate
from tests.replays.odds.calculator import work


@pytest.fixture(autouse=True)
def _ended() -> Iterator[None]:
    calculator_client._CALCULATOR.stop()  # tests before may have started it
    yield
    calculator_client._CALCULATOR.stop()


@pytest.fixture
def as_on_a_site(monkeypatch: pytest.MonkeyPatch) -> None:
    """The priority that it has on a site, for the tests of that alone: beside others it gets little time."""
    monkeypatch.setattr(calculator_client, "PROGRAM", calculator_process.__name__)


@pytest.mark.usefixtures("as_on_a_site")
def test_it_computes_elsewhere_at_the_lowest_priority() -> None:
    first, second = (calculate(work.priority, kernels=()) for _ in range(2))
    assert first.value[1] == second.value[1] == 19
    assert len({os.getpid(), first.value[0], second.value[0]}) == 3


@pytest.mark.usefixtures("as_on_a_site")
def test_its_priority_is_below_that_of_the_pages() -> None:
    """Linux compares priorities inside a session alone (``sched_autogroup_enabled``); in one of its own it had a whole core."""
    number = calculate(work.parent, kernels=()).value
    assert os.getsid(number) == os.getsid(0)
    assert os.getpgid(number) == number, "a group of its own, which is ended without the pages"


def test_what_has_no_end_is_ended_after_its_processor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calculator_client, "CPU_SECONDS", 0.2)
    with pytest.raises(TooHard) as ended:
        calculate(work.endless, kernels=())
    assert 0.1 < ended.value.cpu_seconds < 0.5
    assert calculate(work.large, 3, kernels=()).value == b"xxx", "the next one is computed"


def test_waiting_costs_no_processor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calculator_client, "CPU_SECONDS", 0.2)
    assert calculate(work.sleeps, 0.5, kernels=()).cpu_seconds < 0.2


def test_who_waits_too_long_is_told_so_and_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    calculate(work.priority, kernels=())
    process = calculator_client._CALCULATOR._process
    assert process is not None
    before = psutil.Process(process.pid)
    monkeypatch.setattr(calculator_client, "WAIT_SECONDS", 0.3)
    with pytest.raises(Busy):
        calculate(work.sleeps, 60.0, kernels=())
    assert not before.is_running()
    monkeypatch.undo()
    assert calculate(work.large, 1, kernels=()).value == b"x"


def test_nobody_waits_for_another_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    in_use = threading.Lock()  # the site's own in place of the patient one of tests
    monkeypatch.setattr(calculator_client._CALCULATOR, "_in_use", in_use)
    with in_use, pytest.raises(Busy):
        calculate(work.large, 1, kernels=())
    assert calculate(work.large, 1, kernels=()).value == b"x"


def test_the_first_call_waits_for_the_process_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calculator_client, "WAIT_SECONDS", 0.0)
    assert calculate(work.large, 1, kernels=()).value == b"x"


@pytest.mark.parametrize("function", [work.fails, work.dies])
def test_an_error_is_told_and_the_next_is_computed(function: Any) -> None:
    with pytest.raises(CalculationFailed, match=r"as it should|SIGKILL"):
        calculate(function, kernels=())
    assert calculate(work.large, 5_000_000, kernels=()).value == b"x" * 5_000_000


def test_a_process_that_was_killed_is_started_again() -> None:
    calculate(work.priority, kernels=())
    process = calculator_client._CALCULATOR._process
    assert process is not None
    process.kill()
    process.wait()
    assert calculate(work.large, 1, kernels=()).value == b"x"


@pytest.mark.parametrize(
    "error",
    [
        UnknownFormat(),
        Truncated("x", offset=1, wanted=2),
        BadField("x", offset=1, value=2),
        LimitExceeded("x", limit=1, value=2),
        Inconsistent("x", row=1),
    ],
    ids=lambda error: error.code,
)
def test_errors_of_the_analysis_come_back(error: Any) -> None:
    found = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    assert (type(found), str(found), found.params) == (type(error), str(error), error.params)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell how much a process has")
def test_it_takes_no_more_memory_than_its_limit() -> None:
    assert calculate(work.takes, 200, kernels=()).value == 200 * 1024 * 1024
    with pytest.raises(CalculationFailed, match="MemoryError"):
        calculate(work.takes, 2048, kernels=())
    assert calculate(work.large, 1, kernels=()).value == b"x", "the next one is computed"
