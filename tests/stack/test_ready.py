"""/readyz of a real web process names each process that is killed, and nothing else; the real signs of life."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from replays.models import StoreMark, store_mark
from tests.conftest import SERVICES
from tests.effort import LONG
from tests.services import Broker, wait_until
from tests.stack.web import Visitor, Web
from tests.worker import ROOT, Worker

pytestmark = [pytest.mark.stack, pytest.mark.django_db(transaction=True)]

_NAMES = ("beat", "workers", "referee")


class Processes:
    """Beat, a worker, a referee and a web process, each on its own; ``kill`` is SIGKILL of the whole group."""

    def __init__(self, folder: Path) -> None:
        self.environment = Worker(folder / "unused").environment()
        self._folder = folder
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self.web = Web(folder / "web.log", self.environment)

    def start(self, name: str) -> None:
        celery = ["-m", "celery", "-A", "config"]
        schedule = f"--schedule={self._folder / 'beat'}"
        arguments = {
            "beat": [*celery, "beat", schedule, "--loglevel=WARNING"],
            "workers": [*celery, "worker", "--concurrency=1", "--loglevel=WARNING"],
            "referee": ["manage.py", "referee"],
        }[name]
        with (self._folder / f"{name}.log").open("ab") as output:
            self._running[name] = subprocess.Popen(
                [sys.executable, *arguments], cwd=ROOT, env=self.environment, stdout=output, stderr=subprocess.STDOUT,
                start_new_session=True,
            )  # fmt: skip

    def kill(self, name: str) -> None:
        process = self._running.pop(name)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def end(self) -> None:
        self.web.stop()
        for name in list(self._running):
            self.kill(name)

    def failing(self) -> tuple[int, list[str]]:
        """The status of /readyz, and what it names."""
        visitor = Visitor(self.web.port)
        try:
            answer = visitor.get("/readyz")
            return answer.status, answer.json()["failing"]
        finally:
            visitor.close()

    def wait_for(self, *names: str) -> None:
        """Until /readyz names these and nothing else."""
        expected = (503 if names else 200, list(names))
        wait_until(lambda: self.failing() == expected, seconds=300, every=0.3, what=f"{names}, not {self.failing()}")


@pytest.fixture
def processes(broker: Broker, tmp_path: Path) -> Iterator[Processes]:
    store_mark.mark_store()
    made = Processes(tmp_path)
    yield made
    made.end()


@pytest.mark.long(beside="tests/config/http/test_ready.py::test_who_gives_no_sign_is_named")
def test_each_process_that_is_killed_is_named(processes: Processes, broker: Broker) -> None:
    processes.web.start()
    processes.wait_for(*_NAMES)
    for name in _NAMES:
        processes.start(name)
    processes.wait_for()
    broker.stop()
    processes.wait_for("broker")
    broker.start()
    processes.wait_for()
    if SERVICES.restarts_database:
        with SERVICES.database_hangs():
            processes.wait_for("database")
        processes.wait_for()
    for name in _NAMES if LONG else ():
        processes.kill(name)
        processes.wait_for(name)
        processes.start(name)
        processes.wait_for()
    for number, name in enumerate(_NAMES, 1):
        processes.kill(name)
        processes.wait_for(*_NAMES[:number])


def test_a_worker_that_does_not_see_the_files_does_not_start(processes: Processes, tmp_path: Path) -> None:
    environment: dict[str, Any] = processes.environment | {"DATA_DIR": str(tmp_path / "of its own")}
    assert StoreMark.objects.exists()
    done = subprocess.run(
        [sys.executable, "-m", "celery", "-A", "config", "worker", "--concurrency=1"], cwd=ROOT, env=environment,
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "The replay files of this site are not visible here" in done.stderr
