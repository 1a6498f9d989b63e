"""The files of clips: a folder of bounded size (``CLIPS_MB``) from which clips go that nobody asked for in a while.

Whoever calls has checked that the visitor may see the replay: here nobody does.
"""

from __future__ import annotations

import os
import time
import uuid
from pathlib import Path
from typing import Final

from django.conf import settings

from players.web.disk import has_room

_MEGABYTE: Final = 1024 * 1024
_UNUSED_SECONDS: Final = 3 * 24 * 60 * 60
#: A clip that is read counts as used again, noted no more often than this.
_TOUCH_SECONDS: Final = 600


def read(name: str) -> bytes | None:
    path = _path(name)
    try:
        data = path.read_bytes()
        if time.time() - path.stat().st_mtime > _TOUCH_SECONDS:
            os.utime(path)
    except FileNotFoundError:
        return None
    return data


def exists(name: str) -> bool:
    return _path(name).exists()


def write(name: str, data: bytes) -> bool:
    """Return whether there was room for it on the disk."""
    if not has_room():
        return False
    path = _path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{uuid.uuid4().hex}.part")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    make_room()
    return True


def make_room() -> None:
    """Delete clips that were not used for days, and the oldest ones beyond ``CLIPS_MB``."""
    room = settings.CLIPS_MB * _MEGABYTE
    oldest = time.time() - _UNUSED_SECONDS
    for path, used, size in sorted(_files(), key=lambda file: file[1], reverse=True):
        room -= size
        if room < 0 or used < oldest:
            path.unlink(missing_ok=True)


def _files() -> list[tuple[Path, float, int]]:
    found = []
    for path in _folder().glob("*"):
        try:
            state = path.stat()
        except FileNotFoundError:  # another worker deleted it
            continue
        found.append((path, state.st_mtime, state.st_size))
    return found


def _folder() -> Path:
    folder: Path = settings.KEPT_DIR / "clips"
    return folder


def _path(name: str) -> Path:
    return _folder() / f"{name}.gif"
