"""Benchmark of recomputing stored numbers, on a PostgreSQL of its own.

    python -m tests.bench.bench_recompute [--files 5000] [--load 200000]

``--files`` games of our own bots are received, analysed and recomputed from stored values and from their files.
``--load`` made-up rows without files are recomputed from stored values; many players, some with thousands of games.
Each way once where nothing changes, and once where every row and every board do.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.import_files import write_files
from tests.bench.import_shares import postgres


def main() -> int:
    parser = argparse.ArgumentParser(description="How fast stored numbers are made again.")
    parser.add_argument("--files", type=int, default=5_000)
    parser.add_argument("--load", type=int, default=200_000)
    options = parser.parse_args()
    # A short path: that of the server's socket may not have more than 107 characters.
    with tempfile.TemporaryDirectory(prefix="sweepbook-", dir="/tmp" if Path("/tmp").is_dir() else None) as name:  # noqa: S108
        folder = Path(name, "files")
        folder.mkdir()
        if options.files:
            write_files(folder, options.files)
        with postgres(Path(name)):
            if options.files:
                _store(folder)
                _measure("derived", spoiled=False)
                _measure("derived", spoiled=True)
                _measure("base", spoiled=False)
                _measure("base", spoiled=True)
            if options.load:
                _load(options.load)
                _measure("derived", spoiled=False)
                _measure("derived", spoiled=True)
    return 0


def _store(folder: Path) -> None:
    from players.db.chunks import chunked
    from replays.upload.intake.permissions import Sender
    from replays.upload.intake.services import receive_in_batches
    from replays.upload.processing.queue import CHUNK
    from replays.upload.processing.services import analyse_replays

    sources = ((path.name, path.read_bytes()) for path in sorted(folder.iterdir()))
    receipts = [one for batch in receive_in_batches(sources, Sender(None), enqueue=False) for one in batch]
    for chunk in chunked([one.replay_id for one in receipts if one.replay_id is not None], CHUNK):
        analyse_replays(chunk)


def _load(rows: int) -> None:
    from django.core.management import call_command

    from tests.bench.load.__main__ import main

    call_command("flush", interactive=False, verbosity=0)
    main(["--players", str(max(1, rows // 100)), "--replays", str(rows), "--quiet"])


def _measure(kind: str, *, spoiled: bool) -> None:
    """Print rows a second and the longest transaction; ``spoiled``: every derived number is wrong before."""
    from django.db.models import F

    from analysis.statistics import DERIVED, StatKind
    from players.leaderboards.services import rebuild_boards
    from players.models import PersonalBest
    from replays.models import Replay
    from replays.upload.processing.recompute import passes, recompute

    if spoiled:
        Replay.objects.update(**{row.name: F(row.name) * 2 for row in DERIVED if not row.integer})
        rebuild_boards()
    (what,) = passes(kind=StatKind(kind), every_row=True)
    started = last = time.perf_counter()
    rows, changed, longest = 0, 0, 0.0
    for chunk in recompute(what):
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
        rows, changed = rows + chunk.rows, changed + chunk.changed
    seconds = time.perf_counter() - started
    sys.stdout.write(
        f"{kind:8} {rows:8,} rows, {changed:8,} changed, {PersonalBest.objects.count():8,} bests: {seconds:6.1f} s, "
        f"{rows / seconds:7,.0f} rows/s, longest chunk {longest:.2f} s, "
        f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB\n"
    )
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
