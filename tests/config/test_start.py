"""The modules that a process loads before it does anything: none that only some requests need."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Final

from tests.touched import ROOT

#: Packages that take a tenth of a second each, and who needs them.
LATER: Final = {
    "drf_spectacular.plumbing": "web processes, whose views describe themselves with it",
    "requests": "nobody: it comes with the test client of a package",
    "django.test": "nobody, as above",
}


def test_workers_and_commands_do_not_load_what_describes_the_api() -> None:
    code = f"import django, sys; django.setup(); print(*{sorted(LATER)!r} and [n for n in {sorted(LATER)!r} if n in sys.modules])"
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.split()) <= {"requests"}, "rest_framework.compat looks for it"
