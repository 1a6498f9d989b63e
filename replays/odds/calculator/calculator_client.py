"""Calling the process that computes.

It is started by the first call, and again if it has ended.  Each web process has one.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Final, TypeVar

from django.conf import settings

from replays.odds.calculator.calculator_process import Outcome, Task
from replays.upload.kernels import require_kernels

T = TypeVar("T")

CPU_SECONDS: Final = 1.0
#: How long a caller waits for its result, if the processors are busy with pages.
WAIT_SECONDS: Final = 10.0
#: The first call also waits for the process to start and to load the kernels.
_START_SECONDS: Final = 60.0

#: The module that runs in the process; tests name one without the lowest priority, which gets no time beside them.
PROGRAM = "replays.odds.calculator.calculator_process"

logger = logging.getLogger(__name__)


class TooHard(Exception):
    """The computation used ``cpu_seconds`` without an end."""

    def __init__(self, cpu_seconds: float) -> None:
        super().__init__(cpu_seconds)
        self.cpu_seconds = cpu_seconds


class Busy(Exception):
    """Something else is being computed, or the machine has no time for it."""


class CalculationFailed(Exception):
    """The function raised an error, or its process was ended; the message has the traceback."""


@dataclass(frozen=True, slots=True)
class Calculated:
    value: Any
    cpu_seconds: float


def calculate(function: Callable[..., Any], *arguments: object, kernels: tuple[str, ...]) -> Calculated:
    """Run ``function`` in the other process; it and ``arguments`` must be picklable.  ``kernels``: groups that it needs.

    Raises ``Refused`` if the kernels are not compiled, :class:`TooHard`, :class:`Busy` and
    :class:`CalculationFailed`.
    """
    require_kernels(*kernels)
    outcome = _CALCULATOR.run(Task(function, arguments, kernels, CPU_SECONDS))
    if outcome.too_hard:
        raise TooHard(outcome.cpu_seconds)
    if outcome.error:
        raise CalculationFailed(outcome.error)
    return Calculated(pickle.loads(outcome.result), outcome.cpu_seconds)  # noqa: S301 - of our own process


class _Calculator:
    """The process; those who may call it have waited for their turn before (``players.web.turns.COMPUTED``)."""

    def __init__(self) -> None:
        self._in_use = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None
        self._kernels: set[str] | None = None  # that it has loaded; None before its first answer

    def run(self, task: Task) -> Outcome:
        """Return the outcome, or raise :class:`Busy`, at once if another caller waits for its own."""
        if not self._in_use.acquire(blocking=False):
            raise Busy
        try:
            return self._ask(task, time.monotonic() + WAIT_SECONDS)
        finally:
            self._in_use.release()

    def stop(self) -> None:
        """Let the next call start a new process."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)  # and the fork that computes
            self._process.wait()
            self._process = None
        self._kernels = None

    def _ask(self, task: Task, deadline: float) -> Outcome:
        try:
            self._connected().send(task)
        except OSError:  # it was ended while it had nothing to do
            self.stop()
            self._connected().send(task)
        if self._kernels is None or not self._kernels.issuperset(task.kernels):
            deadline += _START_SECONDS
        connection = self._connected()
        try:
            if not connection.poll(max(0.0, deadline - time.monotonic())):
                raise Busy
            outcome: Outcome = connection.recv()
        except (Busy, EOFError, OSError) as error:
            logger.warning("A computation was given up: %r", error)
            self.stop()
            raise Busy from error
        self._kernels = {*(self._kernels or ()), *task.kernels}
        return outcome

    def _connected(self) -> Connection:
        if self._connection is None:
            ours, theirs = socket.socketpair()
            with theirs:
                command = [sys.executable, "-m", PROGRAM, str(theirs.fileno())]
                # A group, so that it ends with its forks, and no session: Linux compares the priority of processes of one session.
                self._process = subprocess.Popen(  # noqa: S603 - our own command
                    command, cwd=settings.BASE_DIR, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL,
                    process_group=0,
                )  # fmt: skip
            self._connection = Connection(ours.detach())
        return self._connection


_CALCULATOR: Final = _Calculator()
atexit.register(_CALCULATOR.stop)
