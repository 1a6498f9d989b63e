from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand
from django.utils.translation import ngettext

from replays.upload.processing.stale import replays_mark


class Command(BaseCommand):
    help = (
        "Mark all analysed replays, so that the workers analyse their files again, behind everything else: after a changed "
        "setting, rule or reader, or once lost files are back. A new version of the statistics needs no mark. Replays keep "
        "their numbers and their places until the new ones are there."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--luck", action="store_true", help="measure their luck again, and nothing else")

    def handle(self, *, luck: bool, **_others: object) -> None:
        marked = replays_mark(luck=luck)
        text = ngettext("%d replay marked.", "%d replays marked.", marked)
        self.stdout.write(text % marked)
