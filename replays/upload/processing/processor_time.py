from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class OutOfTime(BaseException):
    """The work took too long.  No ``Exception``, so that nothing inside takes it for a fault of its own."""


@contextmanager
def processor_time(seconds: float) -> Iterator[None]:
    """Raise :class:`OutOfTime` in the block once this process has computed for ``seconds``, however long that takes.

    Compiled code is interrupted when it returns.  Only the main thread gets signals; in any other there is no bound.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGPROF, _raise)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _raise(*_signal: object) -> None:
    raise OutOfTime
