"""The store of uploaded files, by the SHA-256 of their content.

It is the storage ``replays`` of the settings: a folder (:class:`ReplayFileStorage`) or any other Django storage.  A file
is synced to disk before its row is inserted, and a crash leaves no incomplete file under a final name.
"""

from __future__ import annotations

import hashlib
import logging
import os
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from django.core.files.base import ContentFile, File
from django.core.files.storage import FileSystemStorage, Storage, storages
from django.utils.translation import gettext as _

from analysis.limits import MAX_REPLAY_BYTES
from players.web.disk import is_full
from players.web.problems import Refused
from replays.models import kept

_INCOMING = "incoming"
_BLOCK = 1 << 20
_SYNC_THREADS = 8  # parallel fsyncs are committed together by a journaling file system
_LEFTOVER_AGE_SECONDS = 24 * 60 * 60
#: When somebody who finds the store away should try again.
_RETRY_SECONDS: Final = 60
_MARK_TEXT = b"Workers of Sweepbook recognise their store of replay files by this file.\n"

logger = logging.getLogger(__name__)


class FileMissingError(Exception):
    """No file of this hash is stored."""


class StoreUnreachableError(Refused, OSError):
    """The store does not answer, or is not that of the site: whether it has the file is not known (503)."""

    def __init__(self) -> None:
        text = _("We can't reach the replay files right now. Try again in a minute.")
        super().__init__("store_away", text, _RETRY_SECONDS)


class FileDamagedError(Exception):
    """The stored bytes do not have the hash that they are stored under."""


def sha256_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def digest_of_file(path: Path) -> str:
    """Return "" if there is no file; it may have any size."""
    if not path.is_file():
        return ""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def path_of(sha256: str) -> str:
    """The path of a file in the storage; two levels of folders, since there may be ten million files."""
    return f"{sha256[:2]}/{sha256[2:4]}/{sha256}"


class ReplayFileStorage(FileSystemStorage):
    """A folder in which files appear atomically and durably.

    Names are content hashes, so saving an existing name is not a conflict: the bytes are the same.
    """

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        return name

    def put_many(self, contents: Mapping[str, bytes]) -> None:
        """Write all files and sync them to disk: first their data, then the folders."""
        incoming = self._incoming()
        written = {name: incoming / uuid.uuid4().hex for name in contents}
        try:
            _run_parallel(_write_to_disk, [(temporary, contents[name]) for name, temporary in written.items()])
            folders: set[Path] = set()
            for name, temporary in written.items():
                folders |= self._move_in(temporary, Path(self.path(name)))
            _run_parallel(_sync_folder, [(folder,) for folder in folders])
        except BaseException:
            for temporary in written.values():
                temporary.unlink(missing_ok=True)
            raise

    def clear_leftovers(self) -> None:
        """Delete temporary files older than a day."""
        oldest = time.time() - _LEFTOVER_AGE_SECONDS
        for path in self._incoming().iterdir():
            if path.stat().st_mtime < oldest:
                path.unlink(missing_ok=True)

    def _save(self, name: str, content: File[bytes]) -> str:
        content.seek(0)
        self.put_many({name: content.read()})
        return name

    def _incoming(self) -> Path:
        folder = Path(self.location) / _INCOMING
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def _move_in(self, temporary: Path, final: Path) -> set[Path]:
        """Move the file to its final name; returns the folders whose entries changed."""
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


def _run_parallel(work: Callable[..., None], calls: Sequence[tuple[object, ...]]) -> None:
    """Call ``work`` with each of the argument tuples in a few threads; raises an error after all threads have ended.

    Each thread gets a part of the list in advance: handing over single items would take longer than a small file.
    """
    if len(calls) < _SYNC_THREADS:
        _run_all(work, calls)
        return
    parts = [calls[start::_SYNC_THREADS] for start in range(_SYNC_THREADS)]
    with ThreadPoolExecutor(_SYNC_THREADS) as pool:
        list(pool.map(partial(_run_all, work), parts))


def _run_all(work: Callable[..., None], calls: Sequence[tuple[object, ...]]) -> None:
    for arguments in calls:
        work(*arguments)


# --- public functions -------------------------------------------------------------------------------------------------


def _storage() -> Storage:
    return storages["replays"]


@contextmanager
def _reached() -> Iterator[None]:
    """Turn the errors of the store into :class:`StoreUnreachableError`, but for a file that is missing and a full disk."""
    try:
        yield
    except (FileMissingError, StoreUnreachableError):
        raise
    except Exception as error:  # storages other than a folder raise errors of their libraries
        if is_full(error):
            raise
        logger.error("The store of replay files does not answer: %s", error)
        raise StoreUnreachableError from error


def put_many(contents: Mapping[str, bytes]) -> None:
    """Store files by hash, except those that are stored already and undamaged."""
    storage = _storage()
    missing = {path_of(sha256): data for sha256, data in contents.items() if not _is_whole(sha256)}
    with _reached():
        if isinstance(storage, ReplayFileStorage):
            storage.put_many(missing)
            return
        for name, data in missing.items():
            storage.save(name, ContentFile(data))


def _is_whole(sha256: str) -> bool:
    """Return whether the file is stored and undamaged; only a duplicate is read in full for this."""
    try:
        get(sha256)
    except (FileMissingError, FileDamagedError):
        return False
    return True


def get(sha256: str) -> bytes:
    """The bytes of a stored file.

    Raises :class:`FileMissingError`, :class:`FileDamagedError` or :class:`StoreUnreachableError`.
    """
    with _reached():
        try:
            with _storage().open(path_of(sha256), "rb") as file:
                data: bytes = file.read(MAX_REPLAY_BYTES + 1)
        except FileNotFoundError as error:
            raise FileMissingError(sha256) from error
    if sha256_of(data) != sha256:
        raise FileDamagedError(sha256)
    return data


def exists(sha256: str) -> bool:
    with _reached():
        return _storage().exists(path_of(sha256))


def put_mark(name: str) -> None:
    with _reached():
        if not _storage().exists(name):
            _storage().save(name, ContentFile(_MARK_TEXT))


def has_mark(name: str) -> bool:
    """Return whether the file ``name`` is in the store; raises :class:`StoreUnreachableError`."""
    with _reached():
        return _storage().exists(name)


def delete(sha256: str) -> None:
    """Delete it with what is kept of it."""
    kept.forget(sha256)
    with _reached():
        _storage().delete(path_of(sha256))


def clear_leftovers() -> None:
    storage = _storage()
    if isinstance(storage, ReplayFileStorage):
        storage.clear_leftovers()
