"""Processes of the site look for cycles of garbage rarely, and never in what they have loaded."""

from __future__ import annotations

import subprocess
import sys

import pytest

from config.garbage import THRESHOLDS
from tests.worker import ROOT

_TOLD = "import gc; print(*gc.get_threshold(), gc.get_freeze_count())"


@pytest.mark.parametrize(
    "start",
    [
        "import config.asgi",
        "import config.wsgi",
        "import config.celery; from celery.signals import worker_init; worker_init.send(None)",
        "import config.celery; from celery.signals import worker_process_init; worker_process_init.send(None)",
    ],
)
def test_what_is_loaded_is_left_alone(start: str) -> None:
    told = subprocess.run(
        [sys.executable, "-c", f"{start}; {_TOLD}"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    *thresholds, frozen = map(int, told.stdout.split())
    assert tuple(thresholds) == THRESHOLDS
    assert frozen > 10_000
