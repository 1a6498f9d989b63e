"""The dump of the night, made by a process of low priority, so that no upload waits for it."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading

from django.conf import settings

logger = logging.getLogger(__name__)


def start_dump() -> None:
    """Have a dump made, unless the site makes none; does not wait for it."""
    if settings.DUMPS_KEPT:
        threading.Thread(target=run_dump, name="dump", daemon=True).start()


def run_dump() -> None:
    # `config.site.child` ends it when this process ends; "": as the same user.
    command = [sys.executable, "-m", "config.site.child", str(os.getpid()), ""]
    command += [sys.executable, "manage.py", "dump", "--low-priority"]
    done = subprocess.run(command, cwd=settings.BASE_DIR, check=False, capture_output=True, text=True)  # noqa: S603 - our own command
    if done.returncode:
        logger.error("The dump cannot be made: %s", done.stderr)
    else:
        logger.info("%s", done.stdout.strip())
