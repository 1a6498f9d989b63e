"""A real Celery worker process for tests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from django.db import connection

from tests.services import wait_until

ROOT = Path(__file__).resolve().parent.parent


class Worker:
    """``celery worker -B`` in its own process group, on the test database; lost work is found within seconds."""

    def __init__(self, log: Path, *, processes: int = 1, beat: bool = True) -> None:
        self.log = log
        self.processes = processes
        self.beat = beat
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, **environment: str) -> None:
        """Start the worker and wait until it takes work; ``environment`` is added to its settings."""
        assert self.process is None, "the worker runs already"
        started_at = self.log.stat().st_size if self.log.exists() else 0
        command = [sys.executable, "-m", "celery", "-A", "config", "worker", "--loglevel=INFO"]
        command += [f"--concurrency={self.processes}", "--without-gossip", "--without-mingle"]
        if self.beat:
            command += ["-B", f"--schedule={self.log.with_suffix('.beat')}"]
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=self.environment() | environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        wait_until(lambda: self._is_ready(started_at), what=f"the worker; its log is {self.log}")

    def kill(self) -> None:
        """``kill -9`` of the worker and of all its processes, in the middle of whatever they do."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Warm shutdown: the running task is finished first.  Nothing happens if it does not run."""
        self._end(signal.SIGTERM)

    def text(self) -> str:
        """All that the worker has logged."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def _end(self, how: signal.Signals) -> None:
        if self.process is None:
            return
        group = self.process.pid
        if how is signal.SIGKILL:
            os.killpg(group, how)
        else:
            self.process.send_signal(how)
        try:
            self.process.wait(timeout=120)
        except subprocess.TimeoutExpired:
            os.killpg(group, signal.SIGKILL)
            self.process.wait()
        self.process = None

    def _is_ready(self, started_at: int) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, f"the worker ended: …{self.text()[-2000:]}"
        return b" ready." in self.log.read_bytes()[started_at:]

    def environment(self) -> dict[str, str]:
        """The settings of processes that work on the test database."""
        name = str(connection.settings_dict["NAME"])
        url = os.environ["DATABASE_URL"]
        address, _, options = url.partition("?")
        address = address.rsplit("/", 1)[0] + "/" + name
        return os.environ | {
            "DATABASE_URL": f"{address}?{options}" if options else address,
            "DJANGO_SETTINGS_MODULE": "tests.hurried_settings",
            "LOG_LEVEL": "INFO",
        }
