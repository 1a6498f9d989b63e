"""Values that ms_toollib reads from a file, in a separate process, since the library aborts its process on bad input.

    python -m tests.analysis.formats.oracle CLASS FILE...

prints one JSON object a file, in order;

    python -m tests.analysis.formats.oracle --to-evf CLASS FILE

prints the file as EVF, in hexadecimal, one line a version;

    python -m tests.analysis.formats.oracle --moments CLASS FILE EVENTS...

prints the game after each of these numbers of mouse events, one JSON object each.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from analysis.recording import Kind

KINDS = {
    "mv": Kind.MOVE, "lc": Kind.LEFT_PRESS, "lr": Kind.LEFT_RELEASE, "rc": Kind.RIGHT_PRESS, "rr": Kind.RIGHT_RELEASE,
    "mc": Kind.MIDDLE_PRESS, "mr": Kind.MIDDLE_RELEASE, "pf": Kind.PREFLAG, "cc": Kind.SECOND_PRESS,
    "l": Kind.LEFT_CHANGE, "r": Kind.RIGHT_CHANGE, "m": Kind.MIDDLE_CHANGE, "sc": Kind.SHIFT_LEFT_PRESS,
}  # fmt: skip


def ask(reader: str, paths: Sequence[Path]) -> list[dict[str, Any]]:
    """One result for each file, by the class ``reader`` of ms_toollib."""
    command = [sys.executable, "-m", "tests.analysis.formats.oracle", reader, *map(str, paths)]
    run = subprocess.run(command, capture_output=True, check=True, cwd=Path(__file__).parents[3])
    return [json.loads(line) for line in run.stdout.splitlines()]


EVF_VERSIONS = (0, 2, 3, 4)
#: The library's cells that are not open, as films have them.
_FACES = {10: 0, 11: 1}


def convert(reader: str, path: Path) -> list[bytes]:
    """The file as EVF, once for each of :data:`EVF_VERSIONS`."""
    command = [sys.executable, "-m", "tests.analysis.formats.oracle", "--to-evf", reader, str(path)]
    run = subprocess.run(command, capture_output=True, check=True, cwd=Path(__file__).parents[3])
    return [bytes.fromhex(line) for line in run.stdout.decode().splitlines()]


def moments(reader: str, path: Path, counts: Sequence[int]) -> list[dict[str, Any]] | None:
    """The game after each of these numbers of events (1 or more); None if the library aborts on the file."""
    arguments = ["--moments", reader, str(path.resolve()), *map(str, counts)]
    with tempfile.TemporaryDirectory() as folder:  # it leaves a file there when it aborts
        run = subprocess.run(
            [sys.executable, "-m", "tests.analysis.formats.oracle", *arguments],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
            capture_output=True,
            check=False,
        )
    return [json.loads(line) for line in run.stdout.splitlines()] if run.returncode == 0 else None


def moments_of(reader: str, path: str, counts: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Yield numbers of the game and its faces (0 closed, 1 flag, 3 open), row by row."""
    import ms_toollib

    video = getattr(ms_toollib, reader)(path)
    video.parse()
    video.analyse()
    mouse = [number for number, event in enumerate(video.events) if event.event.is_mouse()]
    for count in counts:
        video.current_event_id = mouse[count - 1]
        yield {
            "path": video.path,
            "bvdone": video.bbbv_solved,
            "flags": video.flag,
            "faces": [_FACES.get(cell, 3) for row in video.game_board for cell in row],
        }


def converted(reader: str, path: str, version: int) -> bytes:
    """The file as ms_toollib writes it in one version of EVF."""
    import ms_toollib

    video = getattr(ms_toollib, reader)(path)
    video.parse()
    video.analyse()
    getattr(video, f"generate_evf_v{version}_raw_data")()
    return bytes(video.raw_data)


def answer(reader: str, path: str) -> dict[str, Any]:
    """The content of one file, under the names of this site."""
    import ms_toollib

    video = getattr(ms_toollib, reader)(path)
    video.parse()
    mouse = [(event.time, event.event.unwrap_mouse()) for event in video.events if event.event.is_mouse()]
    return {
        "events": [[round(time * 1000), point.x, point.y, KINDS[point.mouse]] for time, point in mouse],
        "mines": [[int(cell == -1) for cell in row] for row in video.board],
        "player": video.player_identifier,
        "bv": video.bbbv,
        "cell_px": video.pix_size,
        "software": video.software,
        "country": video.country,
    }


if __name__ == "__main__" and sys.argv[1] == "--to-evf":
    for version in EVF_VERSIONS:
        sys.stdout.write(converted(sys.argv[2], sys.argv[3], version).hex() + "\n")
elif __name__ == "__main__" and sys.argv[1] == "--moments":
    for moment in moments_of(sys.argv[2], sys.argv[3], [int(count) for count in sys.argv[4:]]):
        sys.stdout.write(json.dumps(moment) + "\n")
elif __name__ == "__main__":
    for path in sys.argv[2:]:
        sys.stdout.write(json.dumps(answer(sys.argv[1], path)) + "\n")
