"""To be run after every update, before the site starts."""

from __future__ import annotations

from typing import Any

from django.core.management import BaseCommand

from config.site import preparing


class Command(BaseCommand):
    help = "Checks the settings, compiles translations, collects static files, brings the database up to date."
    requires_system_checks: list[str] = []  # they are one of the steps

    def handle(self, *args: Any, **options: Any) -> None:
        preparing.prepare(self.stdout.write)
