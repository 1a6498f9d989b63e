"""Handling of requests while the kernels that they need are not compiled: on a new machine, or after an update."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from typing import Final

from django.conf import settings
from django.utils.translation import gettext as _

from analysis import warmup
from players.web.problems import Refused

#: What workers and visitors need, in the order in which they do.
KERNELS_OF_THE_SITE: Final = ("analysis", "live", "luck", "tools", "film", "fair", "rooms")
#: How long a visitor should wait before they try again.
_RETRY_SECONDS: Final = 5

logger = logging.getLogger(__name__)
_compiling = threading.Lock()


def require_kernels(*names: str) -> None:
    """Raise :class:`Refused` unless these groups of kernels are compiled; has the missing ones compiled then."""
    missing = [name for name in names if not warmup.is_ready(name)]
    if missing:
        compile_beside()
        raise Refused("getting_ready", _("The site is starting up. Try again in a moment."), _RETRY_SECONDS)


def compile_beside() -> None:
    """Have every missing kernel compiled by a process of low priority, unless one is at it; does not wait for it."""
    if all(warmup.is_ready(name) for name in KERNELS_OF_THE_SITE) or not _compiling.acquire(blocking=False):
        return
    threading.Thread(target=_compile, name="compile-kernels", daemon=True).start()


def _compile() -> None:
    try:
        # `config.site.child` ends it when this process ends; "": as the same user.
        compiler = [sys.executable, "-m", "analysis.warmup", "--low-priority", *KERNELS_OF_THE_SITE]
        command = [sys.executable, "-m", "config.site.child", str(os.getpid()), "", *compiler]
        done = subprocess.run(command, cwd=settings.BASE_DIR, check=False, capture_output=True, text=True)  # noqa: S603 - our own command
        if done.returncode:
            logger.error("The kernels cannot be compiled: %s", done.stderr)
    finally:
        _compiling.release()
