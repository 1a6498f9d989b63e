"""Somebody's single upload while another account's heavy files wait.

    python -m tests.bench.bench_heap [--files 260] [--clicks 50000] [--seconds 60] [--workers 1]

A site as in ``bench_latency``.  One account sends a zip archive of AVF files of 255 x 255 cells with so many opening
clicks.  Meanwhile another uploads single Beginner games, one after the other, each when the last one is analysed; first
without the heap, then from the answer to the archive until the heap is analysed or ``--seconds`` have passed (a game that
is not analysed by then counts with the time that it has waited).  Everything stays on the loopback interface.
Target: p95 at most five seconds.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.bench_import import manage
from tests.bench.bench_latency import games_of, line, served
from tests.encoders import avf
from tests.heavy import heavy_game
from tests.stack.web import Visitor

TARGET_MS = 5_000
ALONE = 20
_POLL_SECONDS = 0.02
_RECORD_BYTES = 8
_OTHER = (
    "from players.models import User; from players.tokens.services import token_create;"
    " print(token_create(User.objects.create_user('single'), 'bench', ['read', 'upload'])[1])"
)
_LEFT = "from replays.models import Replay; print(Replay.objects.filter(status__in=['queued', 'running']).count())"


def heap(files: int, clicks: int) -> bytes:
    """The archive: one game, in each file with other two clicks in each other's places."""
    game = heavy_game(clicks)
    data = avf.encode(game)
    start = avf.offset_of("events", game)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for number in range(files):
            archive.writestr(f"{number}.avf", _swapped(data, start, 1 + number))
    return packed.getvalue()


def _swapped(data: bytes, start: int, click: int) -> bytes:
    """``data`` with the places of the clicks ``click`` and ``click + 1`` exchanged; a click is two records."""
    changed = bytearray(data)
    for half in (0, 1):
        one = start + (2 * click + half) * _RECORD_BYTES
        other = one + 2 * _RECORD_BYTES
        for place in (1, 3, 5, 7):  # the bytes of x and y
            changed[one + place], changed[other + place] = changed[other + place], changed[one + place]
    return bytes(changed)


def singles(port: int, token: str, games: Iterator[bytes], until: float, most: int = 10_000) -> list[float]:
    """Milliseconds from the answer to each upload until the game is analysed."""
    visitor, taken = Visitor(port, {"Authorization": f"Token {token}"}), list[float]()
    while time.monotonic() < until and len(taken) < most:
        answer = visitor.upload("single.rawvf", next(games))
        if answer.status != 202:
            raise RuntimeError(f"{answer.status}: {answer.body[:200]!r}")
        replay, sent = answer.json()["receipts"][0]["id"], time.monotonic()
        while time.monotonic() < until:
            row = visitor.get(f"/api/v1/replays/status/?ids={replay}").json()["rows"][0]
            if row["status"] not in ("queued", "running"):
                break
            time.sleep(_POLL_SECONDS)
        taken.append(1000 * (time.monotonic() - sent))
    visitor.close()
    return taken


def main() -> int:
    parser = argparse.ArgumentParser(description="A single upload beside another account's heap.")
    parser.add_argument("--files", type=int, default=260)
    parser.add_argument("--clicks", type=int, default=50_000)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--workers", type=int, default=1, help="processes of the Celery worker")
    options = parser.parse_args()
    archive = heap(options.files, options.clicks)
    games = (data for _time, data in games_of(1, 3_000))
    folder = "/tmp" if Path("/tmp").is_dir() else None  # noqa: S108 - a short path for the socket of PostgreSQL
    with (
        tempfile.TemporaryDirectory(prefix="sweepbook-heap-", dir=folder) as name,
        served(Path(name), options.workers) as (port, token, environment),
    ):
        other = manage(environment, "shell", "-v0", "-c", _OTHER).split()[-1]
        singles(port, other, games, time.monotonic() + 60, most=3)  # warms up
        alone = singles(port, other, games, time.monotonic() + 60, most=ALONE)
        sender = Visitor(port, {"Authorization": f"Token {token}"})
        if (answer := sender.upload("heap.zip", archive)).status != 202:
            raise RuntimeError(f"{answer.status}: {answer.body[:200]!r}")
        beside = singles(port, other, games, time.monotonic() + options.seconds)
        left = int(manage(environment, "shell", "-v0", "-c", _LEFT).split()[-1])
    sys.stdout.write(
        f"{options.files} files of {options.clicks} opening clicks ({len(archive) / 1e6:.0f} MB packed), "
        f"{options.workers} worker process(es), {options.seconds:.0f} s; {len(beside)} single uploads, "
        f"{left} files left; load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n"
    )
    sys.stdout.write(line("a single upload alone, until it is analysed", alone))
    sys.stdout.write(line("a single upload beside the heap", beside))
    medians = [sorted(taken)[len(taken) // 2] for taken in (beside, alone)]
    p95 = sorted(beside)[min(len(beside) - 1, int(0.95 * len(beside)))]
    sys.stdout.write(f"beside by alone {medians[0] / medians[1]:.1f}; target p95 <= {TARGET_MS} ms: ")
    sys.stdout.write("met\n" if p95 <= TARGET_MS else "missed\n")
    return 0 if p95 <= TARGET_MS else 1


if __name__ == "__main__":
    sys.exit(main())
