"""What a web process is set to when it starts."""

from __future__ import annotations

import subprocess
import sys

from tests.worker import ROOT


def test_a_click_does_not_wait_for_a_thread_that_computes() -> None:
    """Python lets a thread compute for 5 ms while others wait, and the event loop waits again for every message."""
    printed = subprocess.run(
        [sys.executable, "-c", "import config.asgi, sys; print(sys.getswitchinterval())"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert float(printed.stdout) <= 0.001
