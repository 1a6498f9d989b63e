"""``python -m tests.bench.load --players N --replays N``: a site of any size, made up, for measurements."""

from __future__ import annotations

import os
import sys
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import TYPE_CHECKING

import django
from tqdm import tqdm

if TYPE_CHECKING:
    from tests.bench.load.loading import Load


def main(arguments: Sequence[str] | None = None) -> None:
    """Fill the database that ``DATABASE_URL`` names; leaves with a sentence if that cannot be."""
    from tests.bench.load.loading import Load  # needs the settings

    options = _parser().parse_args(arguments)
    if options.players < 1 or options.replays < 0:
        raise SystemExit("At least one player, and no negative number of replays.")
    _fill(Load(options.players, options.replays, options.seed), quiet=options.quiet)


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="python -m tests.bench.load",
        description="Fill an empty PostgreSQL with made-up players, replays and their ranks, by COPY. The replays have "
        "no files: their originals cannot be downloaded or analysed again.",
    )
    parser.add_argument("--players", type=int, default=2_000)
    parser.add_argument("--replays", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same site")
    parser.add_argument("--quiet", action="store_true", help="no progress bars")
    return parser


def _fill(plan: Load, *, quiet: bool) -> None:
    from tests.bench.load.loading import NotEmpty, load

    started = time.perf_counter()
    with (
        tqdm(total=plan.replays, unit=" replays", file=sys.stderr, disable=quiet) as replays_bar,
        tqdm(unit=" indexes", file=sys.stderr, disable=quiet) as index_bar,
    ):
        bars = {"replays": replays_bar, "index": index_bar}
        try:
            rows = load(plan, lambda what, count: bars[what].update(count))
        except NotEmpty:
            raise SystemExit("The database has players or replays already.") from None
    for table, count in rows.items():
        print(f"{table}: {count:,} rows")
    print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    main()
