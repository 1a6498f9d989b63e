"""Taking files in: limits, hash, store, row, queue — in this order.

The file is stored before its row exists, and the row is committed before a worker hears of it.  The database decides
which of two equal uploads came first (``sha256`` is unique), so the same file sent twice at the same moment is one row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import IO, Any, Final, TypeAlias

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, OperationalError, transaction
from django.utils import timezone

from analysis.limits import MAX_REPLAY_BYTES
from players import bulk
from players.models import User
from replays import archives, files
from replays.models import Replay
from replays.names import file_name
from replays.queue import queue_analysis
from replays.services.receipts import Receipt, duplicate, refusal, stored

#: A file of a request, or a name with its bytes or an open, seekable binary file.
Source: TypeAlias = "UploadedFile[Any] | tuple[str, bytes | IO[bytes]]"

_TRIES = 3
BATCH_FILES = 200
BATCH_BYTES = 32 * 1024 * 1024
#: Rejections after which sending the file again has it analysed again: its bytes had been lost, or a format was not
#: read then that may be read now.
_TRIED_AGAIN = frozenset({"file_missing", "file_damaged", "unknown_format"})


class _RowVanishedError(Exception):
    """A row that was there was deleted before it could be read."""


@dataclass(frozen=True, slots=True)
class _File:
    """A file within all limits."""

    name: str
    data: bytes
    sha256: str


def receive(data: bytes | UploadedFile[Any], *, name: str, uploader: User | None, enqueue: bool = True) -> Receipt:
    """Take one file in; a zip archive or a set of replays is refused here (see :func:`receive_many`)."""
    content = data if isinstance(data, bytes) else data.read(MAX_REPLAY_BYTES + 1)
    if archives.is_zip(content):
        return refusal(file_name(name), "archive")
    if archives.is_set(content):
        return refusal(file_name(name), "set")
    checked = _checked(name, content)
    if isinstance(checked, Receipt):
        return checked
    (receipt,) = _store([checked], uploader, enqueue=enqueue)
    return receipt


def receive_many(sources: Iterable[Source], *, uploader: User | None, enqueue: bool = True) -> list[Receipt]:
    """Take files in; a zip archive or a set of replays is opened and gives one receipt a member, in order."""
    return [
        receipt for receipts in receive_in_batches(sources, uploader=uploader, enqueue=enqueue) for receipt in receipts
    ]


def receive_in_batches(
    sources: Iterable[Source], *, uploader: User | None, enqueue: bool = True
) -> Iterator[list[Receipt]]:
    """As :func:`receive_many`, a batch at a time: each is stored, committed and queued when its receipts come."""
    batch: list[_File | Receipt] = []
    size_bytes = 0
    for item in _contents(sources):
        batch.append(item)
        size_bytes += len(item.data) if isinstance(item, _File) else 0
        if len(batch) >= BATCH_FILES or size_bytes >= BATCH_BYTES:
            yield _settled(batch, uploader, enqueue=enqueue)
            batch, size_bytes = [], 0
    if batch:
        yield _settled(batch, uploader, enqueue=enqueue)


def _contents(sources: Iterable[Source]) -> Iterator[_File | Receipt]:
    """Every file, archives and sets opened, one in memory at a time."""
    for source in sources:
        name, content = (source.name or "", source) if isinstance(source, UploadedFile) else source
        stream = BytesIO(content) if isinstance(content, bytes) else content
        stream.seek(0)
        head = stream.read(archives.HEAD_BYTES)
        stream.seek(0)
        if archives.is_zip(head):
            limits = {"max_files": settings.ARCHIVE_MAX_FILES, "max_bytes": settings.ARCHIVE_MAX_BYTES}
            yield from _members(archives.members(stream, name, **limits))
        else:
            yield from _plain(name, stream.read(MAX_REPLAY_BYTES + 1))


def _plain(name: str, data: bytes) -> Iterator[_File | Receipt]:
    """A file that is no archive: itself, or the replays of a set."""
    if len(data) <= MAX_REPLAY_BYTES and archives.is_set(data):
        yield from _members(archives.replays_of_set(data, name, max_files=settings.ARCHIVE_MAX_FILES))
    else:
        yield _checked(name, data)


def _members(members: Iterable[archives.Member]) -> Iterator[_File | Receipt]:
    for member in members:
        if member.refused:
            yield refusal(file_name(member.name), member.refused, **member.params)
        else:
            yield _checked(member.name, member.data)


def _checked(raw_name: str, data: bytes) -> _File | Receipt:
    """The limits of one file; ``data`` holds at most one byte more than is allowed."""
    name = file_name(raw_name)
    if not data:
        return refusal(name, "empty")
    if len(data) > MAX_REPLAY_BYTES:
        return refusal(name, "too_large", limit=MAX_REPLAY_BYTES)
    if archives.is_other_archive(data):
        return refusal(name, "other_archive")
    return _File(name, data, files.sha256_of(data))


def _settled(batch: Sequence[_File | Receipt], uploader: User | None, *, enqueue: bool) -> list[Receipt]:
    receipts = iter(_store([item for item in batch if isinstance(item, _File)], uploader, enqueue=enqueue))
    return [item if isinstance(item, Receipt) else next(receipts) for item in batch]


def _store(batch: Sequence[_File], uploader: User | None, *, enqueue: bool) -> list[Receipt]:
    """Files, then rows, then the queue; one receipt a file in the same order."""
    if not batch:
        return []
    first: dict[str, _File] = {}
    for file in batch:
        first.setdefault(file.sha256, file)
    # Files first, also those of known rows: one that has been lost from the store comes back this way.
    files.put_many({file.sha256: file.data for file in first.values()})
    order = list(first.values())
    for attempt in range(1, _TRIES + 1):
        try:
            new, known = _store_rows(order, uploader, enqueue=enqueue)
            return _receipts(batch, new, known)
        except (OperationalError, _RowVanishedError):
            if attempt == _TRIES:
                raise
            # Two requests that insert the same files in different orders wait for each other until one is stopped.
            order.sort(key=lambda file: file.sha256)
    raise AssertionError("unreachable")


def _store_rows(
    order: Sequence[_File], uploader: User | None, *, enqueue: bool
) -> tuple[dict[str, int], dict[str, Replay]]:
    """Ids of the new rows, and all rows of these files, by hash."""
    wanted = [file.sha256 for file in order]
    with transaction.atomic():
        new = _insert(_without_known(order), uploader)
        rows = Replay.objects.filter(sha256__in=wanted).only("sha256", "status", "reject_code")
        known = {row.sha256: row for row in rows}
        if len(known) < len(wanted):
            raise _RowVanishedError
        again = _queue_again([row for row in known.values() if row.reject_code in _TRIED_AGAIN])
        if enqueue:
            queue_analysis([*sorted(new.values()), *again])
    return new, known


def _receipts(batch: Sequence[_File], new: Mapping[str, int], known: Mapping[str, Replay]) -> list[Receipt]:
    receipts = []
    unseen = dict(new)
    for file in batch:
        row = known[file.sha256]
        if unseen.pop(file.sha256, None) is not None:
            receipts.append(stored(file.name, row))
        else:
            receipts.append(duplicate(file.name, row.pk, row.status))
    return receipts


def _without_known(batch: Iterable[_File]) -> list[_File]:
    wanted = {file.sha256: file for file in batch}
    known = set(Replay.objects.filter(sha256__in=wanted).values_list("sha256", flat=True))
    return [file for sha256, file in wanted.items() if sha256 not in known]


#: Columns of a new row that hold what they hold in every new row; those that may be empty are left empty.
_FIXED: Final = {
    field.attname: field.get_default()
    for field in Replay._meta.concrete_fields
    if not field.null and field.has_default()
}
_OWN: Final = ("sha256", "size_bytes", "original_name", "uploader_id", "uploaded_at", "claimed_at")


def _insert(batch: Sequence[_File], uploader: User | None) -> dict[str, int]:
    """Ids of new rows by hash, without those that someone else inserted in this moment."""
    now = timezone.now()
    uploader_id = None if uploader is None else uploader.pk
    rows = [
        (file.sha256, len(file.data), file.name, uploader_id, now, now, *_FIXED.values()) for file in batch
    ]  # in the order of _OWN
    try:
        return _insert_rows(rows)
    except IntegrityError:
        return _insert_singly(rows)


def _insert_rows(rows: Sequence[bulk.Row]) -> dict[str, int]:
    with transaction.atomic():
        return dict(bulk.insert(Replay, (*_OWN, *_FIXED), rows, returning=("sha256", "id")))


def _insert_singly(rows: Sequence[bulk.Row]) -> dict[str, int]:
    created: dict[str, int] = {}
    for row in rows:
        try:
            created |= _insert_rows([row])
        except IntegrityError:
            if not Replay.objects.filter(sha256=row[0]).exists():
                raise  # another constraint: a fault of ours, not a duplicate
    return created


def _queue_again(rows: Sequence[Replay]) -> list[int]:
    """Make rejected rows wait for their analysis once more; returns their ids."""
    ids = [row.pk for row in rows]
    if ids:
        Replay.objects.filter(pk__in=ids, status=Replay.Status.REJECTED).update(
            status=Replay.Status.QUEUED, claimed_at=timezone.now(), attempts=0, reject_code="", reject_params={}
        )
        for row in rows:
            row.status = Replay.Status.QUEUED
    return ids
