"""The replay files of a dump: a tar for each month of uploads, with a list of what is in it.

A month is written again only if its replays have changed since, such as by a deletion.
"""

from __future__ import annotations

import json
import os
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self

from django.utils import timezone

from players.web.disk import StorageFull, has_room
from replays.models import file_store
from replays.models.file_store import FileDamagedError, FileMissingError

FOLDER: Final = "files"
INDEX: Final = "index.json"
_NEW: Final = ".new"
#: Files between two looks at the room on the disk.
_ROOM_CHECKED: Final = 500
_FORMAT: Final = tarfile.USTAR_FORMAT


@dataclass(frozen=True, slots=True)
class Month:
    """A tar and its list.  ``missing``: files that the site itself had no longer; ``wanted``: digest of what it is made of."""

    month: str
    name: str
    files: int
    bytes: int
    sha256: str
    index: str
    index_sha256: str
    missing: int
    wanted: str


class MonthLists:
    """Lists of the replays of each month, written while their rows are."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self._open: dict[str, IO[str]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for file in self._open.values():
            file.close()

    def add(self, record: dict[str, Any]) -> None:
        """Name the file by its replay: names that uploaders chose have no place in an archive."""
        month = str(record["uploaded_at"])[: len("2026-01")]
        if month not in self._open:
            self._open[month] = (self._folder / month).open("w")
        line = {"name": f"{record['id']}.{record['format']}", "sha256": record["sha256"], "replay": record["id"]}
        self._open[month].write(f"{json.dumps(line)}\n")


def update_tars(root: Path, lists: Path) -> list[Month]:
    """Bring the tars in ``root`` up to date with ``lists``.

    The index is written after each: until the last is there, hours may pass, and a tar is served with the digest in it.
    """
    root.mkdir(exist_ok=True)
    before = {one.month: one for one in read_months(root)}
    months: list[Month] = []
    for wanted in sorted(lists.iterdir()):
        months.append(_month(root, wanted, before.get(wanted.name)))
        if months[-1] is not before.get(wanted.name):
            _write_index(root, (before | {one.month: one for one in months}).values())
    _write_index(root, months)
    kept = {INDEX, *(name for one in months for name in (one.name, one.index))}
    for path in root.iterdir():
        if path.name not in kept:
            path.unlink()
    return months


def read_months(root: Path) -> list[Month]:
    path = root / INDEX
    if not path.is_file():
        return []
    return [Month(**one) for one in json.loads(path.read_bytes())["months"]]


def _write_index(root: Path, months: Iterable[Month]) -> None:
    listed = [asdict(one) for one in sorted(months, key=lambda one: one.month)]
    index = {"made_at": timezone.now().isoformat(), "months": listed}
    write_atomically(root / INDEX, json.dumps(index, indent=1).encode())


def write_atomically(path: Path, data: bytes) -> None:
    new = path.with_name(path.name + _NEW)
    with new.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def _month(root: Path, wanted: Path, before: Month | None) -> Month:
    """Return what is there already, if nothing has changed."""
    digest = file_store.digest_of_file(wanted)
    if before and before.wanted == digest and not before.missing and (root / before.name).is_file():
        return before
    tar, index = root / f"{wanted.name}.tar", root / f"{wanted.name}.ndjson"
    new_tar, new_index = tar.with_name(tar.name + _NEW), index.with_name(index.name + _NEW)
    with new_tar.open("wb") as archive, new_index.open("w") as listed, wanted.open() as lines:
        files, missing = _write(archive, listed, lines)
    month = Month(
        wanted.name, tar.name, files, new_tar.stat().st_size, file_store.digest_of_file(new_tar), index.name,
        file_store.digest_of_file(new_index), missing, digest,
    )  # fmt: skip
    new_tar.replace(tar)
    new_index.replace(index)
    return month


def _write(archive: IO[bytes], listed: IO[str], lines: Iterator[str]) -> tuple[int, int]:
    """Return how many files were written, and how many the site does not have.

    ``tarfile`` itself would remember every member.
    """
    files = missing = 0
    for line in lines:
        entry = json.loads(line)
        try:
            data = file_store.get(entry["sha256"])
        except (FileMissingError, FileDamagedError):
            missing += 1
            continue
        member = tarfile.TarInfo(entry["name"])
        member.size = len(data)
        archive.write(member.tobuf(_FORMAT))
        archive.write(data + bytes(-len(data) % tarfile.BLOCKSIZE))
        listed.write(line)
        files += 1
        if files % _ROOM_CHECKED == 1 and not has_room(Path(archive.name)):
            raise StorageFull
    archive.write(bytes(2 * tarfile.BLOCKSIZE))
    return files, missing
