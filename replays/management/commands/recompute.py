from __future__ import annotations

import sys
from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from tqdm import tqdm

from analysis.statistics import StatKind
from analysis.warmup import compile_group
from replays.upload.processing.recompute import (
    AlreadyRunning,
    Pass,
    UnknownStatistic,
    count_remaining,
    passes,
    recompute,
    restart,
)

_KINDS = {"all": None, "base": StatKind.BASE, "derived": StatKind.DERIVED, "luck": StatKind.LUCK}
_LABELS = {
    StatKind.BASE: gettext_lazy("from the files"),
    StatKind.DERIVED: gettext_lazy("from stored values"),
    StatKind.LUCK: gettext_lazy("luck from the files"),
}


class Command(BaseCommand):
    help = (
        "Make the statistics of analysed replays again: of those that an older version of the definitions made, or of "
        "all. Derived statistics come from the stored base values, base ones and luck from the files. Boards follow "
        "chunk by chunk and the site keeps serving. A run that was stopped goes on where it was. Ends with 1 if a replay was "
        "skipped because its file is missing, damaged or no longer readable."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group()
        what.add_argument(
            "--statistic", nargs="+", action="extend", default=[], metavar="NAME",
            help="only these and whatever is derived from them; a base one renews everything that follows from the file",
        )  # fmt: skip
        what.add_argument(
            "--kind",
            choices=_KINDS,
            default="all",
            help="all: base and derived; derived: touch no file; base: read every file; luck: the same, for luck alone",
        )
        parser.add_argument(
            "--all", action="store_true", dest="every_row", help="also replays that are of the present version"
        )
        parser.add_argument(
            "--restart", action="store_true", dest="from_start", help="from the beginning, not where a run was stopped"
        )

    def handle(self, *, statistic: list[str], kind: str, every_row: bool, from_start: bool, **_others: object) -> None:
        try:
            plan = passes(statistics=statistic, kind=_KINDS[kind], every_row=every_row)
        except UnknownStatistic as error:
            raise CommandError(str(error)) from error
        if from_start:
            for pass_ in plan:
                restart(pass_)
        try:
            skipped = sum([self._run(pass_) for pass_ in plan])
        except AlreadyRunning as error:
            raise CommandError(_("Another process is already running this recalculation.")) from error
        if skipped:
            sys.exit(1)

    def _run(self, pass_: Pass) -> int:
        """Run one pass; returns how many replays were skipped."""
        from_files = pass_.kind is not StatKind.DERIVED
        left = count_remaining(pass_)
        rows = changed = skipped = 0
        if left and from_files:
            compile_group("luck" if pass_.kind is StatKind.LUCK else "analysis")
        label = _LABELS[pass_.kind]
        with tqdm(total=left, desc=str(label), unit=_(" replays"), file=sys.stderr, disable=not left) as bar:
            for chunk in recompute(pass_):
                rows, changed, skipped = rows + chunk.rows, changed + chunk.changed, skipped + len(chunk.skipped)
                bar.update(chunk.rows)
                for skip in chunk.skipped:
                    self.stderr.write(f"  #{skip.replay_id}: {skip.code}: {skip.text}")
        visited = ngettext("%d replay visited", "%d replays visited", rows) % rows
        self.stdout.write(
            _("%(label)s: %(visited)s, %(changed)d with new values, %(skipped)d skipped")
            % {"label": label, "visited": visited, "changed": changed, "skipped": skipped}
        )
        return skipped
