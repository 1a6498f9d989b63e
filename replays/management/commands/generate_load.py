"""``manage.py generate_load --players N --replays N``: a site of any size, made up, for measurements."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from tqdm import tqdm

from replays.load import Load, NotEmpty, load


class Command(BaseCommand):
    help = (
        "Fill an empty PostgreSQL with made-up players, replays and their ranks, by COPY. The replays have no files: "
        "their originals cannot be downloaded or analysed again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--players", type=int, default=2_000)
        parser.add_argument("--replays", type=int, default=100_000)
        parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same site")
        parser.add_argument("--no-history", action="store_true", help="without the record history, the largest table")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["players"] < 1 or options["replays"] < 0:
            raise CommandError("At least one player, and no negative number of replays.")
        if connection.vendor != "postgresql":
            raise CommandError("A load is made for PostgreSQL only (DATABASE_URL).")
        wanted = Load(options["players"], options["replays"], options["seed"], not options["no_history"])
        started = time.perf_counter()
        try:
            rows = self._load(wanted, quiet=options["verbosity"] < 1)
        except NotEmpty:
            raise CommandError("The database has players or replays already.") from None
        for table, count in rows.items():
            self.stdout.write(f"{table}: {count:,} rows")
        self.stdout.write(f"{time.perf_counter() - started:.0f} s")

    def _load(self, wanted: Load, *, quiet: bool) -> dict[str, int]:
        replays = tqdm(total=wanted.replays, unit=" replays", file=sys.stderr, disable=quiet)
        indexes = tqdm(unit=" indexes", file=sys.stderr, disable=quiet)
        with replays, indexes:
            bars = {"replays": replays, "index": indexes}
            return load(wanted, lambda what, count: bars[what].update(count))
