"""Random changes through the services on PostgreSQL, against a naive recomputation in plain Python.

    python -m tests.bench.bench_changes [--changes 100000] [--checkpoints 20] [--seed 1] [--full 1500]

Uploads of any outcome, copies, deletions, judgements by staff and by rules, other minimum 3BVs, files that are read in
another way (values, dates, names, levels), claimed, merged and released names; rank checkpoints are counted and players
rebuilt in between.  At every checkpoint all pages are compared with those that ``tests.players.naive_site`` works out
from the rows of replays: every board with its ranks, ties, sums and size, every sub-N, the ranks on every player page,
every history.  Exits with 1 at the first difference and says which change it came after.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from pathlib import Path

from tests.bench.import_shares import postgres


def run(changes: int, checkpoints: int, seed: int, full: int) -> bool:
    """Make the changes and compare; returns whether all was equal."""
    from django.conf import settings

    from players.leaderboards.ranks import checkpoints as rank_checkpoints
    from tests.players.made_games import Shelf, on_shelf
    from tests.players.random_changes import World

    setattr(rank_checkpoints, "ROWS_A_CHECKPOINT", 3)  # noqa: B010 - a constant; a few dozen players must have checkpoints between them
    shelf, done, started = Shelf(), 0, time.perf_counter()
    with on_shelf(shelf):
        world = World(seed, shelf, settings, full=full)
        for checkpoint in range(1, checkpoints + 1):
            while done < changes * checkpoint // checkpoints:
                done += world.change()
            made = time.perf_counter()
            try:
                text = _compared(world)
            except AssertionError:
                traceback.print_exc()
                print(f"DIFFERENT at checkpoint {checkpoint}, after {done} changes of seed {seed}")
                return False
            checked = time.perf_counter()
            print(f"{done:7,} changes, {made - started:6.0f} s; equal: {text} ({checked - made:.0f} s)", flush=True)
        same = _rebuild_changes_nothing()
    print(", ".join(f"{count:,} {name}" for name, count in world.done.most_common()))
    seconds = time.perf_counter() - started
    print(f"{'EQUAL' if same else 'DIFFERENT from a rebuild'} after {done:,} changes in {seconds:.0f} s, seed {seed}")
    return same


def _compared(world: object) -> str:
    from players.models import Player, RankChange, RankCheckpoint
    from replays.models import Replay
    from tests.players.random_changes import (
        World,
        assert_copies_took_the_place,
        assert_numbers_are_those_of_the_files,
    )
    from tests.players.site_check import assert_site_is_right

    assert isinstance(world, World)
    compared = assert_site_is_right(world.source)
    assert_copies_took_the_place(world.shelf)
    assert_numbers_are_those_of_the_files(world.shelf)
    rows = Replay.objects
    return (
        f"{compared.boards} boards with {compared.places:,} places, {compared.subs} sub-N, {compared.ranks:,} ranks of"
        f" {Player.objects.count()} player pages, {compared.histories} histories; {rows.count():,} replays,"
        f" {rows.filter(ranked=True).count():,} count; {RankCheckpoint.objects.count():,} checkpoints and"
        f" {RankChange.objects.count():,} changes since"
    )


def _rebuild_changes_nothing() -> bool:
    from players.leaderboards.services import rebuild_boards
    from tests.players.naive_boards import stored_boards

    incremental = stored_boards()
    rebuild_boards()
    return stored_boards() == incremental


def main() -> int:
    parser = argparse.ArgumentParser(description="Random changes against a naive recomputation.")
    parser.add_argument("--changes", type=int, default=100_000)
    parser.add_argument("--checkpoints", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--full", type=int, default=1_500, help="replays that the site is let grow to")
    options = parser.parse_args()
    folder = "/tmp" if Path("/tmp").is_dir() else None  # noqa: S108 - a short path for the socket of PostgreSQL
    with tempfile.TemporaryDirectory(prefix="sweepbook-changes-", dir=folder) as name, postgres(Path(name)):
        equal = run(options.changes, options.checkpoints, options.seed, options.full)
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
