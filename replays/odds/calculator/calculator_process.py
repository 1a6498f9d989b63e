"""The process that computes: ``python -m replays.odds.calculator.calculator_process FD``, started by ``replays.odds.calculator.calculator_client``.

It reads requests from the inherited socket ``FD`` and answers each before it reads the next.  A request is computed in a
fork of this process, which has the compiled kernels loaded and is ended by the kernel of the operating system once it
has used its time.  The process ends when the other end of the socket is closed.
"""

from __future__ import annotations

import os
import pickle
import resource
import signal
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from analysis import warmup

#: The lowest priority of a process.
_NICE: Final = 19
#: How much a computation may take, besides what the process had loaded before.
MEMORY_BYTES: Final = 1024**3


@dataclass(frozen=True, slots=True)
class Task:
    """``function(*arguments)``; ``kernels``: the groups that it needs; ``cpu_seconds``: how long it may compute."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    kernels: tuple[str, ...]
    cpu_seconds: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """The pickled result, or else ``too_hard``, or the traceback ``error``; ``cpu_seconds``: what it took."""

    result: bytes = b""
    too_hard: bool = False
    error: str = ""
    cpu_seconds: float = 0.0


def main() -> None:
    os.nice(_NICE)
    loaded: set[str] = set()
    with Connection(int(sys.argv[1])) as connection:
        while True:
            try:
                task: Task = connection.recv()
            except EOFError:
                return
            for name in task.kernels:
                if name not in loaded:
                    warmup.compile_group(name)
                    loaded.add(name)
            connection.send(_compute(task))


def _compute(task: Task) -> Outcome:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _work(task, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    _, status, usage = os.wait4(child, 0)
    seconds = usage.ru_utime + usage.ru_stime
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        too_hard = os.WTERMSIG(status) == signal.SIGPROF
        return Outcome(too_hard=too_hard, error="" if too_hard else f"ended by {name}", cpu_seconds=seconds)
    if os.WEXITSTATUS(status):
        return Outcome(error=data.decode(errors="replace"), cpu_seconds=seconds)
    return Outcome(result=data, cpu_seconds=seconds)


def _work(task: Task, writing: int) -> None:
    """Compute in the fork, write the result or the traceback, and end."""
    code = 0
    try:
        # Its signal ends a process, whatever it is doing.
        signal.setitimer(signal.ITIMER_PROF, task.cpu_seconds)
        _limit_memory()
        data = pickle.dumps(task.function(*task.arguments))
    except BaseException:
        code, data = 1, traceback.format_exc().encode()
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(data)
    os._exit(code)


def _limit_memory() -> None:
    """Let Python raise ``MemoryError`` beyond the limit; other systems than Linux do not tell what the process has."""
    if sys.platform == "linux":
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + MEMORY_BYTES
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


if __name__ == "__main__":
    from replays.odds.calculator.calculator_process import (
        main as run,  # so that its classes have the names that the client sends
    )

    run()
