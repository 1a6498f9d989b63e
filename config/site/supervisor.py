"""Child processes that run together: started in order, restarted when they die, stopped in the opposite order."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FrameType
from typing import IO

from config.env import BASE_DIR
from config.site.child import bound

_FIRST_WAIT_SECONDS = 1.0
_LONGEST_WAIT_SECONDS = 30.0
_HEALTHY_AFTER_SECONDS = 60.0
_LOOK_EVERY_SECONDS = 0.2

Say = Callable[[str], None]


@dataclass
class Child:
    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    stop_seconds: float  # how long it may take to end cleanly
    stop_signal: signal.Signals = signal.SIGTERM
    user: str | None = None
    process: subprocess.Popen[str] | None = None
    started_at: float = 0.0
    wait_seconds: float = _FIRST_WAIT_SECONDS
    restart_at: float | None = None
    reader: threading.Thread | None = field(default=None, repr=False)

    def start(self, say: Say) -> None:
        """Start it in its own session: Ctrl-C reaches the supervisor only, which stops the children in order."""
        self.process = subprocess.Popen(  # noqa: S603 - our own command
            bound(self.command, self.user),
            cwd=BASE_DIR,
            env=dict(self.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        self.started_at = time.monotonic()
        self.restart_at = None
        assert self.process.stdout is not None  # noqa: S101 - because of stdout=PIPE
        self.reader = threading.Thread(target=_forward, args=(self.name, self.process.stdout, say), daemon=True)
        self.reader.start()

    def died(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def stop(self) -> bool:
        """Send the signal, wait up to ``stop_seconds``, and kill what is left.  Returns False if it had to be killed."""
        if self.process is None:
            return True
        clean = True
        if self.process.poll() is None:
            self.process.send_signal(self.stop_signal)
            try:
                self.process.wait(self.stop_seconds)
            except subprocess.TimeoutExpired:
                clean = False
        self.kill()
        return clean

    def kill(self) -> None:
        """Kill the process group: the process and everything that it started."""
        if self.process is None:
            return
        with contextlib.suppress(ProcessLookupError):  # nothing is left, as it should be
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        if self.reader is not None:
            self.reader.join(timeout=5)
        self.process = None


def _forward(name: str, stream: IO[str], say: Say) -> None:
    for line in stream:
        say(f"{name:<8} | {line.rstrip()}")
    stream.close()


class Supervisor:
    """Runs children until SIGINT or SIGTERM; a second signal ends them at once."""

    def __init__(self, say: Say) -> None:
        self.say = say
        self.children: list[Child] = []
        self._signals = 0

    def listen(self) -> None:
        """Handle SIGINT and SIGTERM.  Only in the main thread."""
        signal.signal(signal.SIGINT, self._on_signal)
        signal.signal(signal.SIGTERM, self._on_signal)

    def add(self, child: Child) -> None:
        """Start ``child``, and restart it when it dies."""
        self.children.append(child)
        child.start(self.say)

    def wait(self, until: Callable[[], bool] = lambda: False) -> bool:
        """Restart children that die until ``until()`` is true; False if a signal came before."""
        while not self._signals:
            if until():
                return True
            self._revive()
            time.sleep(_LOOK_EVERY_SECONDS)
        return False

    def stop(self) -> None:
        """Stop the children, the last started first."""
        for child in reversed(self.children):
            if child.process is not None:
                self.say(f"Stopping {child.name} …")
            if not child.stop():
                self.say(f"{child.name} did not end within {child.stop_seconds:.0f} s and was killed.")
        self.children.clear()

    def _revive(self) -> None:
        now = time.monotonic()
        for child in self.children:
            if child.died():
                self._bury(child, now)
            if child.restart_at is not None and now >= child.restart_at:
                child.start(self.say)

    def _bury(self, child: Child, now: float) -> None:
        assert child.process is not None  # noqa: S101 - it has died, so it was there
        code = child.process.returncode
        if now - child.started_at > _HEALTHY_AFTER_SECONDS:
            child.wait_seconds = 0.0  # it ran well, and players wait: at once
        child.kill()
        child.restart_at = now + child.wait_seconds
        self.say(f"{child.name} ended ({_reason(code)}); starting it again in {child.wait_seconds:.0f} s.")
        child.wait_seconds = min(max(2 * child.wait_seconds, _FIRST_WAIT_SECONDS), _LONGEST_WAIT_SECONDS)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self._signals += 1  # no lock, no output: the main thread may hold either
        if self._signals > 1:
            for child in self.children:
                if child.process is not None and child.process.poll() is None:
                    os.killpg(child.process.pid, signal.SIGKILL)


def _reason(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"
