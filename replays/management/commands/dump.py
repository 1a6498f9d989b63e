from __future__ import annotations

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from players.web.disk import StorageFull
from replays.browse.data.services import DumpError, make_dump


class Command(BaseCommand):
    help = "Writes all public rows as NDJSON and SQLite, and replay files by month, to a folder that /data/ shows."
    requires_system_checks = ()  # they load every page

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, nargs="?", help="where dumps are kept; DUMP_DIR if it is not given")
        parser.add_argument("--low-priority", action="store_true", help="let other work of the machine go first")

    def handle(self, *args: Any, folder: Path | None, low_priority: bool, **options: Any) -> None:
        if low_priority:
            os.nice(15)
        try:
            made = make_dump(folder)
        except (DumpError, StorageFull) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"All public rows are in {made}.")
