"""Making a dump while the site serves, and deleting old ones.

    <root>/<time>/index.json   what is in the dump; the folder appears when all of it is there
    <root>/<time>/             rows of each kind as NDJSON, all of them as one SQLite file, their schema
    <root>/files/              replay files by month, the same for all dumps (``tars``)

All rows are those of one moment.
"""

from __future__ import annotations

import fcntl
import gzip
import json
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Final

from django.conf import settings
from django.utils import timezone, translation

from analysis.statistics import VERSION
from players.db.changes import place_now
from players.db.snapshot import snapshot
from players.web.disk import StorageFull, has_room
from replays.browse.data.dumped_rows import KINDS, REPLAYS, Kind, Record
from replays.browse.data.json_schema import Schema, schema_of
from replays.browse.data.selectors import dump_folders, dumps_root
from replays.browse.data.sqlite_file import SqliteFile
from replays.browse.data.tars import FOLDER, INDEX, MonthLists, update_tars, write_atomically
from replays.browse.help.licences import LICENCES
from replays.models import file_store, store_mark

FORMAT: Final = 1
SQLITE: Final = "sweepbook.sqlite3"
SCHEMA: Final = "schema.json"
_LOCK: Final = ".lock"
_UNFINISHED: Final = ".unfinished-"
_LISTS: Final = "months"
_BATCH: Final = 100
_LEVEL: Final = 6


class DumpError(Exception):
    """The dump cannot be made."""


def make_dump(root: Path | None = None) -> Path:
    """Write a dump into a new folder below ``root`` (None: that of the settings), bring the replay files there up to date,
    and delete the dumps before the last few.

    Raise :class:`DumpError` if another one is being made or the site does not see its files, ``StorageFull`` before the
    disk is full.
    """
    root = dumps_root() if root is None else root
    if not store_mark.is_visible():
        raise DumpError(store_mark.NOT_VISIBLE)
    with _only_one(root):
        for path in root.glob(f"{_UNFINISHED}*"):
            shutil.rmtree(path)
        now = timezone.now()
        work, finished = root / f"{_UNFINISHED}{now:%Y%m%dT%H%M%SZ}", root / f"{now:%Y%m%dT%H%M%SZ}"
        work.mkdir()
        try:
            _write(work, now)
            lists = work / _LISTS
            lists.rename(root / f"{_UNFINISHED}{_LISTS}")
            work.rename(finished)
            for path in dump_folders(root)[max(1, settings.DUMPS_KEPT) :]:
                shutil.rmtree(path)
            update_tars(root / FOLDER, root / f"{_UNFINISHED}{_LISTS}")
        finally:
            for path in root.glob(f"{_UNFINISHED}*"):
                shutil.rmtree(path)
    return finished


@contextmanager
def _only_one(root: Path) -> Iterator[None]:
    root.mkdir(parents=True, exist_ok=True)
    with (root / _LOCK).open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DumpError(f"Another dump is being made in {root}.") from None
        yield


def _write(work: Path, now: datetime) -> None:
    with translation.override("en"):
        schema = schema_of(KINDS)
        place, counts = _write_rows(work, schema)
        _compress(work / SQLITE)
        (work / SCHEMA).write_text(json.dumps(schema, ensure_ascii=False, indent=1))
    licence = settings.DATA_LICENCE
    index = {
        "format": FORMAT, "name": f"{now:%Y%m%dT%H%M%SZ}", "site": settings.SITE_URL, "taken_at": now.isoformat(),
        "changes_after": place, "statistics_version": VERSION,
        "licence": licence or None, "licence_url": LICENCES.get(licence), "files": _files(work, counts),
    }  # fmt: skip
    write_atomically(work / INDEX, json.dumps(index, indent=1).encode())


def _files(work: Path, counts: dict[str, int]) -> list[dict[str, object]]:
    kinds = {f"{kind}.ndjson.gz": {"kind": kind, "rows": rows} for kind, rows in counts.items()}
    return [
        {
            "name": path.name, **kinds.get(path.name, {"kind": None, "rows": None}), "bytes": path.stat().st_size,
            "sha256": file_store.digest_of_file(path),
        }
        for path in sorted(work.iterdir())
        if path.is_file()
    ]  # fmt: skip


def _write_rows(work: Path, schema: Schema) -> tuple[str, dict[str, int]]:
    """Return the place in the feed of changes after which they are not in the rows, and the number of rows of each kind."""
    with ExitStack() as stack:
        tables = SqliteFile(work / SQLITE, schema, KINDS)
        stack.callback(tables.close)
        months = stack.enter_context(MonthLists(work / _LISTS))
        stack.enter_context(snapshot())
        place = str(place_now())
        counts = {}
        for kind in KINDS:
            counts[kind.name] = 0
            with gzip.open(work / f"{kind.name}.ndjson.gz", "wb", compresslevel=_LEVEL) as file:
                for rows in _batches(kind, work):
                    _write_batch(kind, rows, file, tables, months)
                    counts[kind.name] += len(rows)
        tables.finish()
    return place, counts


def _batches(kind: Kind, work: Path) -> Iterator[list[Record]]:
    records = kind.records()
    while rows := list(islice(records, _BATCH)):
        if not has_room(work):
            raise StorageFull
        yield rows


def _write_batch(kind: Kind, rows: list[Record], file: gzip.GzipFile, tables: SqliteFile, months: MonthLists) -> None:
    lines = (json.dumps(row, ensure_ascii=False, separators=(",", ":"), allow_nan=False) for row in rows)
    file.write("".join(f"{line}\n" for line in lines).encode())
    tables.insert(kind, rows)
    if kind is REPLAYS:
        for row in rows:
            months.add(row)


def _compress(path: Path) -> None:
    with path.open("rb") as source, gzip.open(f"{path}.gz", "wb", compresslevel=1) as target:
        shutil.copyfileobj(source, target, 1 << 20)
    path.unlink()
