"""Functions that tests run in the process that computes; it imports this file, and no Django."""

from __future__ import annotations

import os
import signal
import time


def priority() -> tuple[int, int]:
    """The number and the priority of the process that computes."""
    return os.getpid(), os.nice(0)


def parent() -> int:
    """The number of the process that forks for each computation."""
    return os.getppid()


def endless() -> None:
    while True:
        pass


def sleeps(seconds: float) -> float:
    """Takes time, but no processor time."""
    time.sleep(seconds)
    return seconds


def dies() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fails() -> None:
    raise ValueError("as it should")


def large(count: int) -> bytes:
    return b"x" * count


def takes(megabytes: int) -> int:
    """Take memory that is really used."""
    return len(bytearray(megabytes * 1024 * 1024))
