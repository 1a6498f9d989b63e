"""The limit of a test in ``make test``: 8 seconds of processor time, unless it is marked ``slow(why="…")``.

Processor time of this process and of those that it waited for, because a busy machine makes seconds of the clock long.
Not counted for the test that comes first: what a whole session shares (services, browser, catalogues), and kernels that
this process compiles.  Tests that take over 8 s of the clock are listed at the end of a run, and fail nothing.
A test fails from half as much again on: whatever else uses the processors makes processor time longer, too.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import Any, Final

import pytest
from numba.core import event

MOST_SECONDS: Final = 8.0
_OF_A_BUSY_MACHINE: Final = 1.5


def own_seconds() -> float:
    """Return the processor time of this process."""
    used = os.times()
    return used.user + used.system


def seconds_of_children() -> float:
    """Return the processor time of the ended children of this process."""
    used = os.times()
    return used.children_user + used.children_system


class Compiling(event.Listener):
    """Adds up the processor time of numba's compiling."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._depth = 0  # a kernel compiles those that it calls

    def on_start(self, event: Any) -> None:
        self._depth += 1
        if self._depth == 1:
            self._began = own_seconds()

    def on_end(self, event: Any) -> None:
        self._depth -= 1
        if self._depth == 0:
            self.seconds += own_seconds() - self._began


class LongTests:
    """Fails a test that takes long and does not say why."""

    def __init__(self) -> None:
        self._began = self._shared = self._of_children = 0.0
        self._listed: dict[str, float] = {}
        self._compiling = Compiling()
        event.register("numba:compile", self._compiling)  # type: ignore[no-untyped-call]

    def pytest_runtest_logstart(self) -> None:
        self._began, self._shared = own_seconds(), 0.0
        self._compiling.seconds = 0.0

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Generator[None, object, object]:
        if fixturedef.scope not in ("session", "package"):
            return (yield)
        began, before = own_seconds(), self._shared
        try:
            return (yield)
        finally:
            self._shared = before + own_seconds() - began  # with what it asked for itself

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if call.when == "setup":
            self._of_children = seconds_of_children()
        if any("why" in mark.kwargs for mark in item.iter_markers("slow")) or item.get_closest_marker("long"):
            return report
        used = own_seconds() - self._began - self._shared - self._compiling.seconds
        # Only those that ended in the test itself: with a process that others left or used, its whole life is counted at once.
        used += seconds_of_children() - self._of_children
        if call.when == "call" and used > MOST_SECONDS * _OF_A_BUSY_MACHINE and report.passed:
            report.outcome = "failed"
            report.longrepr = (
                f"{item.nodeid} took {used:.1f} s of processor time; more than {MOST_SECONDS:.0f} s need a reason: make it"
                ' shorter, or move it to make test-full with long(beside="…"), or mark it slow(why="…")'
            )
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up the seconds of set-up, test and end; under pytest-xdist the process that hands tests out hears of all."""
        if not {"slow", "long"} & set(report.keywords):
            self._listed[report.nodeid] = self._listed.get(report.nodeid, 0.0) + report.duration

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        long = {name: seconds for name, seconds in self._listed.items() if seconds > MOST_SECONDS}
        if long:
            terminalreporter.section(f"over {MOST_SECONDS:.0f} s of the clock, without a reason")
            for name, seconds in sorted(long.items(), key=lambda pair: -pair[1]):
                terminalreporter.write_line(f"{seconds:6.1f} s  {name}")
