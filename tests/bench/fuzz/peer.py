"""The same inputs for ms_toollib: ``python -m tests.bench.fuzz.peer --cases 300``.

Each in a process of its own, because a panic of that library ends the process; in a folder of its own, since it writes
files there.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tqdm import tqdm

from tests.bench.fuzz.mutations import Hostile, Mill
from tests.bench.fuzz.seeds import all_seeds

READERS = {"avf": "AvfVideo", "evf": "EvfVideo", "mvf": "MvfVideo", "rmv": "RmvVideo"}
TIMEOUT_SECONDS = 5.0
#: A Python exception of the library ends with ``RAISED``; every other end but 0 is an abort.
_RAISED = 3
_SCRIPT = f"""
import sys, ms_toollib
try:
    video = getattr(ms_toollib, sys.argv[1])(sys.argv[2])
    video.parse()
    video.analyse()
except Exception as error:
    print(type(error).__name__)
    sys.exit({_RAISED})
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.fuzz.peer", description=__doc__)
    parser.add_argument("--cases", type=int, default=300, help="how many inputs (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    inputs = first_inputs(Mill(all_seeds(), arguments.seed), arguments.cases)
    outcomes = Counter(
        (hostile.format, outcome_of(hostile))
        for hostile in tqdm(inputs, desc="ms_toollib", unit=" inputs", file=sys.stderr, mininterval=1)
    )
    _print(outcomes)


def first_inputs(mill: Mill, count: int) -> list[Hostile]:
    """The first ``count`` inputs of a format that the library reads."""
    inputs: list[Hostile] = []
    number = 0
    while len(inputs) < count:
        hostile = mill.make(number)
        number += 1
        if hostile.format in READERS:
            inputs.append(hostile)
    return inputs


def outcome_of(hostile: Hostile, script: str = _SCRIPT, timeout_seconds: float = TIMEOUT_SECONDS) -> str:
    """Run the reader on one input and return the outcome: "read", "raised NAME", "aborted (HOW)" or "hung"."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"input.{hostile.format}")
        path.write_bytes(hostile.data)
        command = [sys.executable, "-c", script, READERS[hostile.format], str(path)]
        try:
            run = subprocess.run(
                command, cwd=folder, capture_output=True, text=True, timeout=timeout_seconds, check=False,
                env={**os.environ, "RUST_BACKTRACE": "0"}, errors="replace",
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return "hung"
    if run.returncode == 0:
        return "read"
    if run.returncode == _RAISED:
        return f"raised {run.stdout.strip()}"
    panicked = "panic, " if "panicked" in run.stderr else ""
    how = f"signal {-run.returncode}" if run.returncode < 0 else f"exit {run.returncode}"
    return f"aborted ({panicked}{how})"


def _print(outcomes: Counter[tuple[str, str]]) -> None:
    for (name, outcome), count in sorted(outcomes.items()):
        print(f"  {name:5} {outcome:40} {count:5}")
    kinds: Counter[str] = Counter()
    for (_name, outcome), count in outcomes.items():
        kinds[outcome.partition(" ")[0]] += count
    print(
        f"ms_toollib on {sum(kinds.values())} inputs, each in its own process: {kinds['aborted']} aborted, "
        f"{kinds['hung']} hung, {kinds['raised']} raised, {kinds['read']} read"
    )


if __name__ == "__main__":
    main()
