"""The folder of a backup.

    manifest.json       written last: without it there is no backup
    database-<time>/    the tables, and ``files.txt``, the hashes of the files that they refer to
    files/              replay files by hash, as in the store of the site

A new backup leaves the files that are there already, writes its tables beside the old ones, and takes their place with
its manifest.  Whoever is stopped in between leaves the old backup whole.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from replays.models.file_store import ReplayFileStorage, path_of, sha256_of

FORMAT: Final = 2
_LOCK: Final = "sweepbook-backup"
_MANIFEST: Final = "manifest.json"
_LIST: Final = "files.txt"
_BATCH: Final = 64


class BackupError(Exception):
    """The backup cannot be made, or is not whole, or does not fit."""


@dataclass(frozen=True, slots=True)
class Content:
    """Number of the rows of a table, and the SHA-256 of all of them in the order of their keys."""

    rows: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    made_at: str
    revision: str  # of the code, if git knows it
    migrations: list[list[str]]
    database: str  # the folder of the tables
    parts: dict[str, str]  # SHA-256 of the files in that folder
    tables: dict[str, Content]
    sequences: dict[str, list[Any]]
    files: int
    missing: list[str]  # hashes of files that the site itself had no longer
    secret: str  # by which the SECRET_KEY of the site is recognised
    format: int = FORMAT


class Folder:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.files = ReplayFileStorage(location=root / "files")

    @contextmanager
    def opened_to_write(self) -> Iterator[None]:
        """Create it, for its owner alone, and keep out a second backup; a folder of something else is refused."""
        if self.root.is_dir() and any(self.root.iterdir()) and not (self.root / _LOCK).exists():
            raise BackupError(f"{self.root} holds something else than a backup. Name an empty or a new folder.")
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.root.chmod(0o700)
        with (self.root / _LOCK).open("a") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise BackupError(f"Another backup is being written to {self.root}.") from None
            yield

    def list_of(self, database: str) -> Path:
        return self.root / database / _LIST

    def put(self, contents: dict[str, bytes]) -> None:
        self.files.put_many({path_of(sha256): data for sha256, data in contents.items()})

    def has(self, sha256: str) -> bool:
        return self.files.exists(path_of(sha256))

    def get(self, sha256: str) -> bytes | None:
        """Return None if it is missing or damaged."""
        path = Path(self.files.path(path_of(sha256)))
        data = path.read_bytes() if path.is_file() else b""
        return data if sha256_of(data) == sha256 else None

    def write_manifest(self, manifest: Manifest) -> None:
        values = asdict(manifest)
        text = json.dumps({**values, "sha256": _digest_of(values)}, indent=1)
        temporary = self.root / f"{_MANIFEST}.new"
        temporary.write_text(text)
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        temporary.replace(self.root / _MANIFEST)

    def read_manifest(self) -> Manifest:
        """Raise :class:`BackupError` if there is none, or not as it was written."""
        path = self.root / _MANIFEST
        if not path.is_file():
            raise BackupError(f"There is no finished backup in {self.root}: it has no {_MANIFEST}.")
        try:
            values = json.loads(path.read_bytes())
            digest = values.pop("sha256")
            if values.get("format") != FORMAT:
                raise BackupError(f"{path} has another format; restore it with the version that made it.")
            if digest != _digest_of(values):
                raise ValueError("its digest differs")
            values["tables"] = {name: Content(**content) for name, content in values["tables"].items()}
            return Manifest(**values)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BackupError(f"{path} is damaged: {error}.") from error

    def prune(self, manifest: Manifest) -> None:
        """Delete what belongs to older backups: files of deleted accounts, too."""
        for path in self.root.glob("database-*"):
            if path.name != manifest.database:
                shutil.rmtree(path)
        wanted = hashes_in(self.list_of(manifest.database))
        following = next(wanted, "")
        for path in _files_by_name(self.root / "files"):
            while following and following < path.name:
                following = next(wanted, "")
            if path.name != following:
                path.unlink()


def _files_by_name(folder: Path) -> Iterator[Path]:
    """The stored files in the order of their hashes, a folder at a time."""
    for first in sorted(folder.glob("[0-9a-f][0-9a-f]")):
        for second in sorted(first.iterdir()):
            yield from sorted(second.iterdir())


def hashes_in(path: Path) -> Iterator[str]:
    with path.open() as lines:
        for line in lines:
            yield line.rstrip("\n")


def in_batches(hashes: Iterator[str]) -> Iterator[Sequence[str]]:
    """So few that their files fit into memory."""
    while batch := list(islice(hashes, _BATCH)):
        yield batch


def _digest_of(values: dict[str, Any]) -> str:
    return sha256_of(json.dumps(values, sort_keys=True).encode())
