from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from tqdm import tqdm

from analysis.warmup import compile_group
from players.models import User
from replays.models import Replay
from replays.upload.intake.from_disk.analysing import analyse_here, wait_for_workers, worker_answers
from replays.upload.intake.from_disk.paths import files_below, sources
from replays.upload.intake.from_disk.report import Report, report_of
from replays.upload.intake.permissions import Sender
from replays.upload.intake.receipts import Receipt
from replays.upload.intake.services import Trust, receive_in_batches

_OPEN = frozenset({Replay.Status.QUEUED, Replay.Status.RUNNING})
_TIMEOUT_SECONDS = 120.0  # without progress; longer than a stale row waits for the sweep


class Command(BaseCommand):
    help = (
        "Import replay files, folders of them (searched to the bottom) and zip archives. The workers analyse them; "
        "without a worker this process does. Files that no format recognises, and links out of a folder, are named at the end. Ends with 1 if any file failed for a reason other than being a duplicate."
    )

    # Checks import every view and form, which takes half a second; `runsite` and `manage.py check` run them.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
        parser.add_argument("--uploader", metavar="USERNAME", help="the account that the replays belong to")
        parser.add_argument(
            "--trust-dates",
            action="store_true",
            help="the dates in these files count for records, as of an archive that you know; else the upload counts",
        )
        parser.add_argument(
            "--all", action="store_true", help="also store what no format recognises, as rejected replays"
        )
        parser.add_argument(
            "--ask-owners",
            action="store_true",
            help="games under claimed names wait for the owners; without it you vouch for the names in the files",
        )
        how = parser.add_mutually_exclusive_group()
        how.add_argument(
            "--inline", action="store_true", help="analyse in this process; needs neither worker nor broker"
        )
        how.add_argument("--no-wait", action="store_true", help="store and queue only; the workers do the rest later")

    def handle(
        self,
        *,
        paths: list[Path],
        uploader: str | None,
        trust_dates: bool,
        ask_owners: bool,
        inline: bool,
        no_wait: bool,
        **options: Any,
    ) -> None:
        for path in paths:
            if not path.exists():
                raise CommandError(_("%(path)s does not exist.") % {"path": path})
        account = _account(uploader)
        inline = inline or (not no_wait and not self._worker_answers())
        trust, recognised = Trust(dates=trust_dates, names=not ask_owners), not options["all"]
        receipts = self._store(paths, account, trust, enqueue=not inline, only_recognised=recognised)
        if not no_wait:
            self._analyse(_open_ids(receipts), inline=inline)
        self._finish(report_of(receipts), waited=not no_wait)

    def _worker_answers(self) -> bool:
        if worker_answers():
            return True
        self.stderr.write(_("No worker is responding, so this process analyses the replays itself."))
        return False

    def _store(
        self, paths: list[Path], uploader: User | None, trust: Trust, *, enqueue: bool, only_recognised: bool
    ) -> list[Receipt]:
        receipts: list[Receipt] = []
        unreadable: list[Receipt] = []
        found = sources(files_below(paths, unreadable), unreadable)
        batches = receive_in_batches(
            found, Sender(uploader), enqueue=enqueue, only_recognised=only_recognised, trust=trust, behind=True
        )
        with tqdm(desc=_("storing"), unit=_(" files"), file=sys.stderr) as bar:
            for batch in batches:
                receipts += batch
                bar.update(len(batch))
        return receipts + unreadable

    def _analyse(self, ids: list[int], *, inline: bool) -> None:
        if not ids:
            return
        if inline:
            compile_group("analysis")
        with tqdm(total=len(ids), desc=_("analysing"), unit=_(" replays"), file=sys.stderr) as bar:
            if not inline:
                ids = wait_for_workers(ids, bar.update, timeout_seconds=_TIMEOUT_SECONDS)
                if not ids:
                    return
                bar.write(_("The workers have stopped, so the rest is analysed in this process."), file=sys.stderr)
            analyse_here(ids, bar.update)

    def _finish(self, report: Report, *, waited: bool) -> None:
        for line in report.lines():
            self.stdout.write(line)
        if report.failures or (waited and report.unsettled):
            sys.exit(1)


def _account(username: str | None) -> User | None:
    if username is None:
        return None
    user = User.objects.filter(username=username).first()
    if user is None:
        raise CommandError(_("The account %(name)s doesn't exist.") % {"name": username})
    return user


def _open_ids(receipts: list[Receipt]) -> list[int]:
    """The rows that have to be analysed: new ones, and those that an earlier import has not finished."""
    return sorted(
        {receipt.replay_id for receipt in receipts if receipt.replay_id is not None and receipt.status in _OPEN}
    )
