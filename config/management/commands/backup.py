from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError

from config.backup.folder import BackupError
from config.backup.making import make


class Command(BaseCommand):
    help = "Saves database and replay files to a folder; files that are there already are not copied again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="a new folder, or that of the last backup")

    def handle(self, *args: Any, folder: Path, **options: Any) -> None:
        try:
            make(folder, self.stdout.write)
        except BackupError as error:
            raise CommandError(str(error)) from error
