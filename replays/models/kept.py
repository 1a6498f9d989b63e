"""Results computed from stored files, and kept: films, odds, reviews, luck.

A folder beside the files, of bounded size (``KEPT_MB``): what was not asked for longest goes first, and everything can be
computed again.  A name is made of the hash of the file, the kind, and a stamp of the code that computes, so what an older
version of the site kept is never read.  Whoever calls has checked that the visitor may see the replay: here nobody does.
"""

from __future__ import annotations

import hashlib
import logging
import os
import time
import uuid
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from django.conf import settings

from players.web.disk import has_room

#: Folders, each with its share of the room: the one that gets a file is looked through.
_FOLDERS: Final = 64
_MEGABYTE: Final = 1024 * 1024
_CHECKSUM_BYTES: Final = 4
#: A file that is read counts as new again, noted no more often than this.
_TOUCH_SECONDS: Final = 600

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class KeptResult:
    """``is_final``: computing it again would give the same, so it is kept."""

    data: bytes
    is_final: bool = True


def take(sha256: str, kind: str, make: Callable[[], KeptResult]) -> KeptResult:
    """Return the result ``kind`` of a file: kept, or of ``make``."""
    if (data := _read(sha256, kind)) is not None:
        return KeptResult(data)
    made = make()
    if made.is_final:
        _write(sha256, kind, made.data)
    return made


def forget(sha256: str) -> None:
    for path in _folder(sha256).glob(f"{sha256}-*"):
        path.unlink(missing_ok=True)


def _read(sha256: str, kind: str) -> bytes | None:
    path = _path(sha256, kind)
    try:
        content = path.read_bytes()
        if time.time() - path.stat().st_mtime > _TOUCH_SECONDS:
            os.utime(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        logger.warning("What is kept cannot be read: %s", error)
        return None
    data = content[_CHECKSUM_BYTES:]
    return data if content[:_CHECKSUM_BYTES] == _checksum(data) else None  # a crash may leave part of it


def _write(sha256: str, kind: str, data: bytes) -> None:
    room = settings.KEPT_MB * _MEGABYTE // _FOLDERS
    if len(data) + _CHECKSUM_BYTES > room or not has_room():
        return
    path = _path(sha256, kind)
    temporary = path.with_name(f".{uuid.uuid4().hex}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(_checksum(data) + data)
        temporary.replace(path)
        _make_room(path.parent, room)
    except OSError as error:
        logger.warning("A result cannot be kept: %s", error)
        temporary.unlink(missing_ok=True)


def _make_room(folder: Path, room: int) -> None:
    """Delete the oldest files of ``folder`` beyond ``room`` bytes."""
    with os.scandir(folder) as entries:
        found = sorted(((entry.stat().st_mtime, entry.stat().st_size, entry.path) for entry in entries), reverse=True)
    for _mtime, size, path in found:
        room -= size
        if room < 0:
            Path(path).unlink(missing_ok=True)


def _path(sha256: str, kind: str) -> Path:
    name = hashlib.sha256(f"{kind} {_stamp()}".encode()).hexdigest()[:16]
    return _folder(sha256) / f"{sha256}-{name}"


def _folder(sha256: str) -> Path:
    folder: Path = settings.KEPT_DIR / f"{int(sha256[:2], 16) % _FOLDERS:02}"
    return folder


@cache
def _stamp() -> str:
    """Changes with every source of the analysis that a result depends on."""
    from analysis.kernel_cache import source_stamp  # it imports numba, which most processes load only when they compute

    root = Path(__file__).resolve().parents[2]
    return source_stamp(root / "analysis" / "answers.py", root) + source_stamp(root / "analysis" / "film" / "__init__.py", root)  # fmt: skip


def _checksum(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(_CHECKSUM_BYTES, "big")
