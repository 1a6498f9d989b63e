"""The same inputs for ms_toollib: each in a process of its own, in a folder of its own, since it writes files there."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.bench.fuzz.mutations import Hostile, Mill

_READERS = {"avf": "AvfVideo", "evf": "EvfVideo", "mvf": "MvfVideo", "rmv": "RmvVideo"}
_TIMEOUT_SECONDS = 30
_SCRIPT = """
import sys, ms_toollib
video = getattr(ms_toollib, sys.argv[1])(sys.argv[2])
video.parse()
video.analyse()
"""


def ask_reference(mill: Mill, inputs: int) -> Counter[tuple[str, str]]:
    """Show it the first ``inputs`` of a format that it reads; prints and returns the outcomes."""
    outcomes: Counter[tuple[str, str]] = Counter()
    number = 0
    while sum(outcomes.values()) < inputs:
        hostile = mill.make(number)
        number += 1
        if hostile.format in _READERS:
            outcomes[hostile.format, _outcome(hostile)] += 1
    for (name, outcome), count in sorted(outcomes.items()):
        print(f"  {name:5} {outcome:28} {count:5}")
    died = sum(count for (_name, outcome), count in outcomes.items() if outcome.startswith("process"))
    print(f"ms_toollib on {inputs} inputs, each in its own process: {died} times the process ended or hung")
    return outcomes


def _outcome(hostile: Hostile) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"input.{hostile.format}")
        path.write_bytes(hostile.data)
        command = [sys.executable, "-c", _SCRIPT, _READERS[hostile.format], str(path)]
        try:
            run = subprocess.run(
                command, cwd=folder, capture_output=True, text=True, timeout=_TIMEOUT_SECONDS, check=False, env=_quiet()
            )
        except subprocess.TimeoutExpired:
            return "process hung"
    if run.returncode == 0:
        return "read"
    if run.returncode < 0 or "Traceback" not in run.stderr:
        return f"process ended with {run.returncode}"
    last = run.stderr.strip().splitlines()[-1].partition(":")[0]
    return f"exception {last}"


def _quiet() -> dict[str, str]:
    return {**os.environ, "RUST_BACKTRACE": "0"}
