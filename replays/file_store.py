"""The files that people uploaded, stored under the SHA-256 of their content.

The storage ``replays`` of the settings holds them: a folder (:class:`ReplayFileStorage`) or any other Django storage.
A file is on disk for good before its row exists, and a crash leaves no half file under a final name.
"""

from __future__ import annotations

import hashlib
import os
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from django.core.files.base import ContentFile, File
from django.core.files.storage import FileSystemStorage, Storage, storages

from analysis.limits import MAX_REPLAY_BYTES

_INCOMING = "incoming"
_SYNC_THREADS = 8  # a journaling file system commits waiting fsyncs together, so they wait side by side
_LEFTOVER_AGE_SECONDS = 24 * 60 * 60


class FileMissingError(Exception):
    """No file of this hash is stored."""


class FileDamagedError(Exception):
    """The stored bytes do not have the hash that they are stored under."""


def sha256_of(data: bytes) -> str:
    """The name of ``data``."""
    return hashlib.sha256(data).hexdigest()


def path_of(sha256: str) -> str:
    """Where the file of this hash is, relative to the storage; two levels keep folders small at ten million files."""
    return f"{sha256[:2]}/{sha256[2:4]}/{sha256}"


class ReplayFileStorage(FileSystemStorage):
    """A folder in which a file appears whole or not at all, and stays after a power cut.

    Content decides the name, so saving a name that exists is no conflict: the bytes are the same.
    """

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        return name

    def put_many(self, contents: Mapping[str, bytes]) -> None:
        """Write all files and wait for the disk: file data first, names second."""
        incoming = self._incoming()
        written = {name: incoming / uuid.uuid4().hex for name in contents}
        try:
            _side_by_side(_write_to_disk, [(temporary, contents[name]) for name, temporary in written.items()])
            folders: set[Path] = set()
            for name, temporary in written.items():
                folders |= self._move_in(temporary, Path(self.path(name)))
            _side_by_side(_sync_folder, [(folder,) for folder in folders])
        except BaseException:
            for temporary in written.values():
                temporary.unlink(missing_ok=True)
            raise

    def clear_leftovers(self) -> int:
        """Remove temporary files of processes that died long ago; returns how many."""
        removed, oldest = 0, time.time() - _LEFTOVER_AGE_SECONDS
        for path in self._incoming().iterdir():
            if path.stat().st_mtime < oldest:
                path.unlink(missing_ok=True)
                removed += 1
        return removed

    def _save(self, name: str, content: File[Any]) -> str:
        content.seek(0)
        self.put_many({name: content.read()})
        return name

    def _incoming(self) -> Path:
        folder = Path(self.location) / _INCOMING
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def _move_in(self, temporary: Path, final: Path) -> set[Path]:
        """Give the file its name; returns the folders whose entries changed."""
        changed = {final.parent}
        missing = final.parent
        while not missing.is_dir():
            missing = missing.parent
            changed.add(missing)
        if missing != final.parent:
            final.parent.mkdir(parents=True, exist_ok=True)
        temporary.replace(final)
        return changed


def _write_to_disk(path: Path, data: bytes) -> None:
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _side_by_side(work: Callable[..., None], todo: Sequence[tuple[Any, ...]]) -> None:
    """``work`` with each of the arguments ``todo``, in a few threads; an error is raised once no thread works any more.

    A thread takes a share of the list and not one item at a time: handing over costs more than a small file.
    """
    if len(todo) < _SYNC_THREADS:
        _each(work, todo)
        return
    shares = [todo[start::_SYNC_THREADS] for start in range(_SYNC_THREADS)]
    with ThreadPoolExecutor(_SYNC_THREADS) as pool:
        list(pool.map(partial(_each, work), shares))


def _each(work: Callable[..., None], share: Sequence[tuple[Any, ...]]) -> None:
    for arguments in share:
        work(*arguments)


# --- the functions that the site uses ---------------------------------------------------------------------------------


def _storage() -> Storage:
    return storages["replays"]


def put(sha256: str, data: bytes) -> None:
    """Store one file; nothing happens if it is there."""
    put_many({sha256: data})


def put_many(contents: Mapping[str, bytes]) -> None:
    """Store files by hash; those that are there already are skipped."""
    storage = _storage()
    missing = {path_of(sha256): data for sha256, data in contents.items() if not _is_whole(sha256)}
    if isinstance(storage, ReplayFileStorage):
        storage.put_many(missing)
        return
    for name, data in missing.items():
        storage.save(name, ContentFile(data))


def _is_whole(sha256: str) -> bool:
    """Whether the file is there and undamaged; only duplicates pay for the reading."""
    try:
        get(sha256)
    except (FileMissingError, FileDamagedError):
        return False
    return True


def get(sha256: str) -> bytes:
    """The bytes of a stored file.  Raises :class:`FileMissingError` or :class:`FileDamagedError`."""
    try:
        with _storage().open(path_of(sha256), "rb") as file:
            data: bytes = file.read(MAX_REPLAY_BYTES + 1)
    except FileNotFoundError as error:
        raise FileMissingError(sha256) from error
    if sha256_of(data) != sha256:
        raise FileDamagedError(sha256)
    return data


def exists(sha256: str) -> bool:
    """Whether a file of this hash is stored."""
    return _storage().exists(path_of(sha256))


def delete(sha256: str) -> None:
    """Remove a file; nothing happens if it is not there."""
    _storage().delete(path_of(sha256))


def clear_leftovers() -> int:
    """Remove temporary files that a crash left behind; returns how many."""
    storage = _storage()
    return storage.clear_leftovers() if isinstance(storage, ReplayFileStorage) else 0
