from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from replays.upload.intake.from_disk.conversion import Conversion, convert_all


class Command(BaseCommand):
    help = (
        "Write replay files of any format as RawVF, the text format: beside each file, or below a folder. Folders are "
        "searched to the bottom. The database is not used. Ends with 1 if any file could not be converted."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("inputs", nargs="+", type=Path, metavar="INPUT", help="a replay file, or a folder of them")
        parser.add_argument("--output", type=Path, metavar="DIR", help="where the results go; made if it is not there")
        parser.add_argument("--overwrite", action="store_true", help="replace files that exist and differ")

    def handle(
        self, *, inputs: list[Path], output: Path | None, overwrite: bool, verbosity: int, **_others: object
    ) -> None:
        for path in inputs:
            if not path.exists():
                raise CommandError(_("%(path)s does not exist.") % {"path": path})
        if output is not None and output.exists() and not output.is_dir():
            raise CommandError(_("%(path)s is not a folder.") % {"path": output})
        counts: Counter[Conversion] = Counter()
        for converted in convert_all(inputs, output, overwrite=overwrite):
            counts[converted.outcome] += 1
            if converted.outcome is Conversion.FAILED:
                self.stderr.write(f"{converted.source}: {converted.reason}")
            elif verbosity > 1:
                self.stdout.write(f"{converted.source} -> {converted.target}")
        self.stdout.write(
            _("%(written)d written, %(unchanged)d already there, %(failed)d failed")
            % {outcome.value: counts[outcome] for outcome in Conversion}
        )
        if counts[Conversion.FAILED] or not counts:
            sys.exit(1)
