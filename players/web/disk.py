from __future__ import annotations

import errno
import shutil
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import DatabaseError
from django.utils.translation import gettext as _

from players.web.problems import Refused

_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_SQLSTATE_FULL: Final = "53100"
_MEGABYTE: Final = 1024 * 1024
#: When somebody who finds the disk full should try again.
_RETRY_SECONDS: Final = 600


class StorageFull(Refused):
    """There is no room for an upload (507)."""

    def __init__(self) -> None:
        super().__init__("storage_full", _("The site is out of storage right now. Try again later."), _RETRY_SECONDS)


def has_room(folder: Path | None = None) -> bool:
    """Return whether at least ``MINIMUM_FREE_MB`` are free where ``folder`` is (None: ``DATA_DIR``)."""
    free = shutil.disk_usage(settings.DATA_DIR if folder is None else folder).free
    return free >= settings.MINIMUM_FREE_MB * _MEGABYTE  # type: ignore[no-any-return]  # settings have no types


def is_full(error: BaseException) -> bool:
    if isinstance(error, OSError):
        return error.errno in _FULL
    if isinstance(error, DatabaseError):
        return getattr(error.__cause__, "sqlstate", None) == _SQLSTATE_FULL or "is full" in str(error)
    return False
