from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError

from config.backup.folder import BackupError
from config.backup.restoring import restore


class Command(BaseCommand):
    help = "Restores what `manage.py backup` has saved into an empty site."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="the folder of the backup")
        parser.add_argument("--verify", action="store_true", help="compare every row and every file afterwards")

    def handle(self, *args: Any, folder: Path, verify: bool, **options: Any) -> None:
        try:
            restore(folder, self.stdout.write, verify=verify)
        except BackupError as error:
            raise CommandError(str(error)) from error
