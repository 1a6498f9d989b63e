"""When processes that die are started again."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator

import pytest

from config.site.supervisor import _HEALTHY_AFTER_SECONDS, Child, Supervisor

_SLEEPS = [sys.executable, "-c", "import time; time.sleep(600)"]


@pytest.fixture
def supervisor() -> Iterator[Supervisor]:
    made = Supervisor(lambda _text: None)
    yield made
    made.stop()


def kill(child: Child) -> int:
    """End its process; returns its number."""
    assert child.process is not None
    os.kill(child.process.pid, signal.SIGKILL)
    child.process.wait()
    return child.process.pid


def test_a_process_that_ran_well_is_started_again_at_once(supervisor: Supervisor) -> None:
    """A second of waiting is a second in which nobody can play."""
    child = Child("web", _SLEEPS, dict(os.environ), 5)
    supervisor.add(child)
    child.started_at -= _HEALTHY_AFTER_SECONDS + 1
    old = kill(child)
    supervisor._revive()  # one look
    assert child.process is not None
    assert child.process.pid != old
    assert child.process.poll() is None


def test_one_that_dies_at_once_waits_longer_each_time(supervisor: Supervisor) -> None:
    child = Child("web", _SLEEPS, dict(os.environ), 5)
    supervisor.add(child)
    waits = []
    for _death in range(7):
        kill(child)
        supervisor._revive()
        assert child.process is None, "a process that cannot start would be started for ever"
        assert child.restart_at is not None
        waits.append(child.wait_seconds)
        child.restart_at = 0.0
        supervisor._revive()
    assert waits == [2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0]
