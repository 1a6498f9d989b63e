"""Processes of the site collect garbage rarely, and never examine what they have imported."""

from __future__ import annotations

import subprocess
import sys

import pytest

from players.garbage import OF_PAGES, OF_TASKS
from tests.worker import ROOT

_PRINT = "import gc; print(*gc.get_threshold(), gc.get_freeze_count())"


@pytest.mark.long(beside="tests/config/test_env.py::test_there_is_no_default_secret_key")
@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("import config.asgi", OF_PAGES),
        ("import config.celery; from celery.signals import worker_init; worker_init.send(None)", OF_TASKS),
        (
            "import config.celery; from celery.signals import worker_process_init; worker_process_init.send(None)",
            OF_TASKS,
        ),
    ],
)
def test_what_is_loaded_is_left_alone(start: str, expected: tuple[int, int, int]) -> None:
    printed = subprocess.run(
        [sys.executable, "-c", f"{start}; {_PRINT}"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    *thresholds, frozen = map(int, printed.stdout.split())
    assert tuple(thresholds) == expected
    assert frozen > 10_000
