"""Many inputs in processes that may die.

Each worker process makes its own inputs out of their numbers and says which one it is at, so that a crash, an abort
or a hang is known by its input.  A dead worker is replaced; the new one goes on behind the input that killed it.
"""

from __future__ import annotations

import multiprocessing
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.sharedctypes import Synchronized
from typing import Any

from tests.bench.fuzz.judge import Judge, Target
from tests.bench.fuzz.mutations import Hostile, Mill
from tests.bench.fuzz.seeds import all_seeds

_SPAWN = multiprocessing.get_context("spawn")  # a fork would inherit locks of threads that are not there any more
_REPORT_EVERY = 250
_POLL_SECONDS = 0.5
_STARTING = -1  # what a worker is at before its first input
_START_SECONDS = 300.0  # a first start compiles every kernel
_GOES_ON, _FINISHED = "goes on", "has finished"  # states of a worker; every other text is its end
_MAX_DEATHS = 200  # a target that kills every worker is known by then


@dataclass(frozen=True, slots=True)
class Plan:
    """Settings of a hunt; inputs ``first`` to ``first + inputs - 1`` of ``seed``."""

    inputs: int
    target: Target
    seed: int = 1
    first: int = 0
    workers: int = 1
    max_seconds: float = 1.0
    hang_seconds: float = 30.0
    real: bool = True

    def mill(self) -> Mill:
        """The maker of its inputs."""
        return Mill(all_seeds(real=self.real), self.seed)


@dataclass(frozen=True, slots=True)
class Fault:
    """An input that broke a rule."""

    hostile: Hostile
    text: str


@dataclass(slots=True)
class Counts:
    """Counts of inputs by format and outcome, and the worst inputs."""

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    faults: list[tuple[int, str]] = field(default_factory=list)  # input number, text
    slowest: tuple[float, int] = (0.0, -1)  # seconds, input number
    largest: tuple[int, int] = (0, -1)  # bytes of memory, input number

    def add(self, other: Counts) -> None:
        """Take the numbers of ``other`` in."""
        self.outcomes += other.outcomes
        self.faults += other.faults
        self.slowest = max(self.slowest, other.slowest)
        self.largest = max(self.largest, other.largest)

    @property
    def inputs(self) -> int:
        """Number of inputs that were judged."""
        return sum(self.outcomes.values())


class _Lane:
    """Workers, one after the other, on every ``step``-th input from ``first`` on."""

    def __init__(self, plan: Plan, offset: int) -> None:
        self._plan = plan
        self._next = plan.first + offset
        self._skipped: frozenset[int] = frozenset()
        self.at: Synchronized[int] = _SPAWN.Value("q", _STARTING)
        self.since: Synchronized[float] = _SPAWN.Value("d", 0.0)
        self.process: BaseProcess
        self.reports: Connection
        self.start()

    def start(self) -> None:
        """A new process, from the first input that no report covers."""
        self.at.value, self.since.value = _STARTING, time.monotonic()
        self.reports, sending = _SPAWN.Pipe(duplex=False)
        self.process = _SPAWN.Process(
            target=_work, args=(self._plan, self._next, self._skipped, self.at, self.since, sending), daemon=True
        )
        self.process.start()
        sending.close()

    def take(self, report: tuple[int, Counts]) -> Counts:
        """Note how far the worker has come."""
        self._next, counts = report
        return counts

    def hangs(self) -> bool:
        """Return whether the worker has been at one input for too long."""
        allowed = _START_SECONDS if self.at.value == _STARTING else self._plan.hang_seconds
        return time.monotonic() - self.since.value > allowed

    def bury(self, text: str) -> tuple[int, str]:
        """The input at which the worker died, which the next one leaves out."""
        number = int(self.at.value)
        if number == _STARTING:
            raise RuntimeError(f"a worker {text} before its first input")
        self._skipped |= {number}
        return number, f"the process {text}"


def hunt(plan: Plan, progress: Callable[[int], Any] = lambda _count: None) -> Counts:
    """Put all inputs of ``plan`` through its target."""
    total, deaths = Counts(), 0
    lanes = [_Lane(plan, offset) for offset in range(plan.workers)]
    try:
        while lanes:
            ready = wait([lane.reports for lane in lanes], timeout=_POLL_SECONDS)
            for lane in list(lanes):
                if lane.reports in ready:
                    state = _receive(lane, total, progress)
                elif lane.hangs():
                    state = f"hung for {plan.hang_seconds:g} s"
                else:
                    continue
                if state == _FINISHED:
                    lanes.remove(lane)
                elif state != _GOES_ON:
                    deaths += 1
                    _replace(lane, total, state)
            if deaths > _MAX_DEATHS:
                raise RuntimeError(f"{deaths} workers died; the first inputs: {total.faults[:5]}")
    finally:
        for lane in lanes:
            lane.process.kill()
    return total


def faults_of(plan: Plan, counts: Counts) -> list[Fault]:
    """The faults with the inputs that they belong to, made again."""
    mill = plan.mill()
    return [Fault(mill.make(number), text) for number, text in sorted(counts.faults)]


def _receive(lane: _Lane, total: Counts, progress: Callable[[int], Any]) -> str:
    """Take one report; returns whether the worker goes on, has finished, or how it ended."""
    try:
        report = lane.reports.recv()
    except EOFError:  # the worker is gone; all that it sent before has been taken
        lane.process.join()
        return _ending(lane.process)
    if report is None:
        lane.process.join()
        return _FINISHED
    counts = lane.take(report)
    total.add(counts)
    progress(counts.inputs)
    return _GOES_ON


def _ending(process: BaseProcess) -> str:
    code = process.exitcode or 0
    return f"was ended by signal {-code}" if code < 0 else f"ended with {code}"


def _replace(lane: _Lane, total: Counts, text: str) -> None:
    lane.process.kill()
    lane.process.join()
    number, fault = lane.bury(text)
    total.faults.append((number, fault))
    total.outcomes["process", "died"] += 1
    lane.start()


def _work(
    plan: Plan,
    first: int,
    skipped: frozenset[int],
    at: Synchronized[int],
    since: Synchronized[float],
    reports: Connection,
) -> None:
    """The loop of a worker: judge inputs, send reports, and at the end ``None``."""
    mill, judge, counts = plan.mill(), Judge(plan.target, plan.max_seconds), Counts()
    _warm_up(plan)
    judge.limit_memory()
    for number in range(first, plan.first + plan.inputs, plan.workers):
        if number in skipped:
            continue
        hostile = mill.make(number)
        since.value, at.value = time.monotonic(), number
        _count(counts, hostile, judge)
        if counts.inputs >= _REPORT_EVERY:
            reports.send((number + plan.workers, counts))
            counts = Counts()
    reports.send((plan.first + plan.inputs, counts))
    reports.send(None)


def _warm_up(plan: Plan) -> None:
    """Compile every kernel on valid files; their faults are reported later, when they are inputs."""
    seen: set[str] = set()
    warm = Judge(plan.target)
    for seed in all_seeds(real=False):
        if seed.name.startswith("short") or seed.format not in seen:
            seen.add(seed.format)
            warm.judge(seed.data)


def _count(counts: Counts, hostile: Hostile, judge: Judge) -> None:
    verdict = judge.judge(hostile.data)
    counts.outcomes[hostile.format, verdict.outcome] += 1
    counts.slowest = max(counts.slowest, (verdict.seconds, hostile.number))
    counts.largest = max(counts.largest, (verdict.memory_bytes, hostile.number))
    if verdict.fault:
        counts.faults.append((hostile.number, verdict.fault))


def by_format(counts: Counts) -> list[tuple[str, Sequence[tuple[str, int]]]]:
    """Outcomes of each format, the most frequent first."""
    formats = sorted({name for name, _outcome in counts.outcomes})
    return [
        (name, [(outcome, count) for (of, outcome), count in counts.outcomes.most_common() if of == name])
        for name in formats
    ]
