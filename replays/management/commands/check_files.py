from __future__ import annotations

import math

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from replays.upload.processing.stored_files import PARTS, Checked, check_part


class Command(BaseCommand):
    help = "Compare all stored files with their hashes, and name the replays whose files are missing or changed."

    def handle(self, **_options: object) -> None:
        total = Checked()
        for part in tqdm(range(PARTS), disable=None, unit="part"):
            found = check_part(part, seconds=math.inf)
            if not found.complete:
                raise CommandError("The files of the site are not visible here.")
            total.files += found.files
            total.missing += found.missing
            total.changed += found.changed
        for what, numbers in (("missing", total.missing), ("changed", total.changed)):
            for number in numbers:
                self.stdout.write(f"replay {number}: {what}")
        text = f"{total.files} files: {len(total.missing)} missing, {len(total.changed)} changed."
        if total.missing or total.changed:
            raise CommandError(f"{text} A backup has them in its folder `files`, at the same paths.")
        self.stdout.write(text)
