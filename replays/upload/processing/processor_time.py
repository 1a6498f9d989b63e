from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from numba.core.compiler_lock import global_compiler_lock

#: An exception in a finalizer is lost: it comes again after so much more.
_AGAIN_SECONDS: Final = 0.1


class OutOfTime(BaseException):
    """The work took too long.  No ``Exception``, so that nothing inside takes it for a fault of its own."""


@contextmanager
def processor_time(seconds: float) -> Iterator[None]:
    """Raise :class:`OutOfTime` in the block once this process has computed for ``seconds``, however long that takes.

    Compiled code is interrupted when it returns.  Compiling a kernel is not interrupted: the time begins anew.
    Only the main thread gets signals; in any other there is no bound.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(*_signal: object) -> None:
        # An exception in numba's compiler is lost in a callback from C, and leaves a kernel that fails for ever after.
        if global_compiler_lock.is_locked():  # type: ignore[no-untyped-call]
            signal.setitimer(signal.ITIMER_PROF, seconds, _AGAIN_SECONDS)
        else:
            raise OutOfTime

    before = signal.signal(signal.SIGPROF, interrupt)
    signal.setitimer(signal.ITIMER_PROF, seconds, _AGAIN_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
