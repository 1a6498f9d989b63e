"""Measures two programs side by side: each in its own process, in short rounds that alternate.

Other load of the machine then affects both in the same way, and the median over the rounds excludes it.  Ratios of such
medians repeat within some percent; milliseconds belong to the machine.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SIDES = ("sweepbook", "ms_toollib")

_ROUND, _STOP = "round\n", "stop\n"

Stages = dict[str, float]


class Stopwatch:
    """Seconds by stage."""

    def __init__(self) -> None:
        self.stages: Stages = {}
        self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        """End ``stage``, which began when the one before it ended."""
        now = time.perf_counter()
        self.stages[stage] = now - self._last
        self._last = now

    def restart(self) -> None:
        """Discard the time since the last lap."""
        self._last = time.perf_counter()


def serve(one_round: Callable[[], object], result: Callable[[], object]) -> None:
    """Run as a worker: a round for each request of the parent; the result is one line of JSON."""
    for request in sys.stdin:
        if request == _STOP:
            sys.stdout.write(json.dumps(result()) + "\n")
            sys.stdout.flush()
            return
        one_round()
        sys.stdout.write("done\n")
        sys.stdout.flush()


class _Worker:
    """A process that serves one side; ``python -m module arguments --side side`` must call :func:`serve`."""

    def __init__(self, module: str, arguments: Sequence[str], side: str, folder: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments, "--side", side],
            cwd=folder,  # ms_toollib leaves a file in its working directory when it aborts
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> _Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def ask(self, request: str) -> str:
        """The result of one request."""
        streams = self._process.stdin, self._process.stdout
        if streams[0] is None or streams[1] is None:
            raise ValueError("a worker needs pipes")
        streams[0].write(request)
        streams[0].flush()
        answer = streams[1].readline()
        if not answer:
            raise RuntimeError(f"a worker ended with status {self._process.wait()}")
        return answer


def duel(module: str, arguments: Sequence[str], rounds: int) -> dict[str, Any]:
    """The results of both sides after ``rounds`` rounds each, in turn; who begins alternates, and round 0 is dropped.

    Dropping is up to the workers: their first round warms them up.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        _Worker(module, arguments, SIDES[0], folder) as ours,
        _Worker(module, arguments, SIDES[1], folder) as theirs,
    ):
        for number in range(rounds + 1):
            for worker in (ours, theirs) if number % 2 else (theirs, ours):
                worker.ask(_ROUND)
        return {side: json.loads(worker.ask(_STOP)) for side, worker in zip(SIDES, (ours, theirs), strict=True)}


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least ``share`` of all values do not exceed."""
    return sorted(values)[math.ceil(share * len(values)) - 1]
