"""The numbers of ms_toollib for replay files.  Run as a script it is the worker: one JSON line for each file.

The library aborts the whole process on bad input, so it always runs in a process of its own; and it leaves a file in its
working directory when it does, so that is a temporary one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

#: Our name of a number -> the library's.
NAMES = {
    "time": "rtime",
    "path": "path",
    "bvdone": "bbbv_solved",
    "lcl": "left",
    "rcl": "right",
    "dcl": "double",
    "lce": "lce",
    "rce_strict": "rce",
    "dce": "dce",
    "bv": "bbbv",
    "op": "op",
    "isl": "isl",
    **{f"cell{number}": f"cell{number}" for number in range(9)},
    "gzini_ref": "zini",
    "hzini_ref": "hzini",
}
LEVELS = {3: "beginner", 4: "intermediate", 5: "expert", 6: "custom"}
#: The end of a file's name -> the library's class; it goes by names.
CLASSES = {".avf": "AvfVideo", ".evf": "EvfVideo", ".mvf": "MvfVideo", ".rmv": "RmvVideo"}
_AFTER_THE_END = 1e8  # seconds; the library clamps it to the last event


def read_one(path: str) -> dict[str, float | str]:
    """The library's numbers of one file of :data:`CLASSES` under our names."""
    import ms_toollib  # only the worker loads it

    video: Any = getattr(ms_toollib, CLASSES[Path(path).suffix.lower()])(path)  # its stubs leave out half of it
    video.parse()
    video.analyse()
    video.current_time = _AFTER_THE_END
    return {name: getattr(video, theirs) for name, theirs in NAMES.items()} | {"level": LEVELS[video.level]}


def ask(paths: Sequence[Path]) -> dict[Path, dict[str, float | str] | None]:
    """The library's numbers by file; ``None`` for a file that it aborts on."""
    answers: dict[Path, dict[str, float | str] | None] = {}
    waiting = list(paths)
    while waiting:
        lines = _run([str(path.resolve()) for path in waiting])
        answers.update(zip(waiting, map(json.loads, lines), strict=False))
        if len(lines) == len(waiting):
            break
        answers[waiting[len(lines)]] = None  # the one it died of
        waiting = waiting[len(lines) + 1 :]
    return answers


def _run(names: Sequence[str]) -> list[str]:
    """The lines of a worker, as far as it came."""
    with tempfile.TemporaryDirectory() as folder:
        worker = subprocess.run(
            [sys.executable, "-m", "tests.bench.oracle", *names],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
    return worker.stdout.splitlines()


if __name__ == "__main__":
    for name in sys.argv[1:]:
        sys.stdout.write(json.dumps(read_one(name)) + "\n")
        sys.stdout.flush()
