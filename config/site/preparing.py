"""Steps before the site starts: translations, static files, migrations.

Kernels are compiled while the site serves: workers do so when they start, and a web process when a page needs them, which
says until then that it is getting ready.  ``python -m analysis.warmup`` does it before.
"""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.conf import settings
from django.core.management import CommandError, call_command

from config.checks.services import DATABASE
from config.site.alone import only_one_prepares
from config.site.supervisor import Say


def prepare(say: Say) -> None:
    """Run every step; all are idempotent, and fast when there is nothing to do."""
    with _announced_step(say, "Checking settings"):
        call_command("check", stdout=io.StringIO())
        call_command("check", deploy=True, tags=[DATABASE], stdout=io.StringIO())
    with only_one_prepares():
        with _announced_step(say, "Preparing translations and static files"):
            compile_translations()
            call_command("collectstatic", interactive=False, verbosity=0, stdout=io.StringIO())
        with _announced_step(say, "Preparing the database"):
            call_command("migrate", interactive=False, verbosity=0)
        _mark_store()


def _mark_store() -> None:
    from replays.models import store_mark  # needs all apps

    try:
        store_mark.mark_store()
    except store_mark.StoreNotOurs as error:
        raise CommandError(str(error)) from error


def compile_translations() -> None:
    """Compile the message catalogues with Babel, since the program msgfmt may not be installed."""
    for source in (
        path for folder in settings.LOCALE_PATHS for path in sorted(Path(folder).glob("*/LC_MESSAGES/*.po"))
    ):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        with source.open("rb") as file:
            catalogue = read_po(file, locale=source.parent.parent.name)
        with target.open("wb") as file:
            write_mo(file, catalogue)


@contextmanager
def _announced_step(say: Say, what: str) -> Iterator[None]:
    say(f"{what} …")
    started = time.monotonic()
    yield
    say(f"  done in {time.monotonic() - started:.1f} s")
