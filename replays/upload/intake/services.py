"""Receiving files: check limits, hash, store the file, insert the row, queue the analysis, in this order.

The file is stored before its row is inserted, and the row is committed before its task is sent.  ``sha256`` is unique, so
of equal files that are sent at the same time the database accepts one.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import IO, Final, TypeAlias

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import DatabaseError, transaction
from django.utils import timezone

from analysis.formats import FORMATS
from analysis.limits import MAX_REPLAY_BYTES
from players.db import bulk
from players.db.retry import Conflict, retry_on_conflict
from players.models import User
from players.web.disk import StorageFull, has_room, is_full
from replays.models import Replay, file_store
from replays.upload.batches.selectors import RETRIED_CODES
from replays.upload.intake import archives
from replays.upload.intake.names import file_name
from replays.upload.intake.quota import Quota, quota_limits
from replays.upload.intake.receipts import Outcome, Receipt, duplicate, refusal, stored
from replays.upload.processing.deletion import delete_orphans
from replays.upload.processing.queue import queue_analysis
from replays.upload.processing.rejected import files_are_back
from replays.upload.processing.turns import Lane, take_turns

#: A file of a request, or a name with its bytes or an open, seekable binary file.
Source: TypeAlias = "UploadedFile[bytes] | tuple[str, bytes | IO[bytes]]"

logger = logging.getLogger(__name__)

BATCH_FILES = 200
BATCH_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class _File:
    """A file that passed all checks."""

    name: str
    data: bytes
    sha256: str


@dataclass(frozen=True, slots=True)
class Trust:
    """Facts that our own code guarantees about the files that it hands in; never read from a file or a request.

    ``played_here``: every click of the games was seen by this site.  ``dates``: the dates in the files are right.
    ``names``: the names in the files are right, so that no owner of a name is asked.
    """

    played_here: bool = False
    dates: bool = False
    names: bool = False


NO_TRUST: Final = Trust()


@dataclass(frozen=True, slots=True)
class _Sender:
    """``behind``: the files are analysed when nothing else waits."""

    uploader_id: int | None
    trust: Trust
    behind: bool


@dataclass(slots=True)
class _Rules:
    """Rules for which files of one call are stored.  ``stopped``: the code with which all further files are refused."""

    quota: Quota | None
    only_recognised: bool
    stopped: str = ""

    def refused(self, data: bytes) -> str:
        """Return the code why a file is not stored, or "" if it is."""
        if self.stopped:
            return self.stopped
        if self.only_recognised and not any(module.recognises(data) for module in FORMATS):
            return "not_recognised"
        if self.quota is not None:
            self.stopped = self.quota.take(len(data))
        return self.stopped


def receive_many(
    sources: Iterable[Source],
    *,
    uploader: User | None,
    enqueue: bool = True,
    quota: Quota | None = None,
    trust: Trust = NO_TRUST,
) -> list[Receipt]:
    """Receive files; one receipt for each file, or for each member of a zip archive or set, in order.

    Files that ``quota`` does not allow are refused, and so is everything while the disk is full.
    """
    batches = receive_in_batches(sources, uploader=uploader, enqueue=enqueue, quota=quota, trust=trust)
    return [receipt for receipts in batches for receipt in receipts]


def receive_in_batches(
    sources: Iterable[Source],
    *,
    uploader: User | None,
    enqueue: bool = True,
    quota: Quota | None = None,
    only_recognised: bool = False,
    trust: Trust = NO_TRUST,
    behind: bool = False,
) -> Iterator[list[Receipt]]:
    """Yield the receipts of :func:`receive_many` in batches, each after its files are stored, committed and queued.

    ``only_recognised``: files that no format recognises are refused; otherwise they become rejected replays.
    ``behind``: they are analysed when nothing else waits.
    """
    rules = _Rules(quota, only_recognised)
    sender = _Sender(None if uploader is None else uploader.pk, trust, behind)
    batch: list[_File | Receipt] = []
    size_bytes = 0
    for item in _contents(sources, rules):
        batch.append(item)
        size_bytes += len(item.data) if isinstance(item, _File) else 0
        if len(batch) >= BATCH_FILES or size_bytes >= BATCH_BYTES:
            yield _store_batch(batch, sender, rules, enqueue=enqueue)
            batch, size_bytes = [], 0
    if batch:
        yield _store_batch(batch, sender, rules, enqueue=enqueue)


def _contents(sources: Iterable[Source], rules: _Rules) -> Iterator[_File | Receipt]:
    """The files, or members of archives and sets, one in memory at a time; receipts of those that are refused."""
    for source in sources:
        name, content = (source.name or "", source) if isinstance(source, UploadedFile) else source
        stream = BytesIO(content) if isinstance(content, bytes) else content
        stream.seek(0)
        head = stream.read(archives.HEAD_BYTES)
        stream.seek(0)
        if archives.is_zip(head):
            limits = {"max_files": settings.ARCHIVE_MAX_FILES, "max_bytes": settings.ARCHIVE_MAX_BYTES}
            yield from _members(archives.members(stream, name, **limits, stopped=lambda: rules.stopped), rules)
        else:
            yield from _plain(name, stream.read(MAX_REPLAY_BYTES + 1), rules)


def _plain(name: str, data: bytes, rules: _Rules) -> Iterator[_File | Receipt]:
    """A file that is not a zip archive: itself, or the replays of a set."""
    if len(data) <= MAX_REPLAY_BYTES and archives.is_set(data):
        yield from _members(archives.replays_of_set(data, name, max_files=settings.ARCHIVE_MAX_FILES), rules)
    else:
        yield _checked(name, data, rules)


def _members(members: Iterable[archives.Member], rules: _Rules) -> Iterator[_File | Receipt]:
    for member in members:
        if member.refused:
            yield _refusal(file_name(member.name), member.refused, **member.params)
        else:
            yield _checked(member.name, member.data, rules)


def _checked(raw_name: str, data: bytes, rules: _Rules) -> _File | Receipt:
    """The file, or its refusal; ``data`` has at most one byte more than the limit."""
    name = file_name(raw_name)
    if not data:
        return refusal(name, "empty")
    if len(data) > MAX_REPLAY_BYTES:
        return refusal(name, "too_large", limit=MAX_REPLAY_BYTES)
    if archives.is_other_archive(data):
        return refusal(name, "other_archive")
    if code := rules.refused(data):
        return _refusal(name, code)
    return _File(name, data, file_store.sha256_of(data))


def _refusal(name: str, code: str, **params: object) -> Receipt:
    return refusal(name, code, **{**quota_limits(), **params})


def _store_batch(batch: Sequence[_File | Receipt], sender: _Sender, rules: _Rules, *, enqueue: bool) -> list[Receipt]:
    files = [item for item in batch if isinstance(item, _File)]
    try:
        made = _store(files, sender, enqueue=enqueue)
    except StorageFull as error:
        rules.stopped = error.code
        made = [refusal(file.name, error.code) for file in files]
    _settle(rules.quota, files, made)
    receipts = iter(made)
    return [item if isinstance(item, Receipt) else next(receipts) for item in batch]


def _settle(quota: Quota | None, files: Sequence[_File], receipts: Sequence[Receipt]) -> None:
    if quota is not None:
        taken = sum(len(file.data) for file in files)
        pairs = zip(files, receipts, strict=True)
        stored_bytes = sum(len(file.data) for file, receipt in pairs if receipt.outcome is Outcome.STORED)
        quota.settle(len(files), stored_bytes, taken - stored_bytes)


def _store(batch: Sequence[_File], sender: _Sender, *, enqueue: bool) -> list[Receipt]:
    """Store files, then insert rows and queue their analysis; one receipt for each file, in the same order.

    Raises :class:`StorageFull`, with nothing of ``batch`` stored.
    """
    if not batch:
        return []
    if not has_room():
        raise StorageFull
    by_hash: dict[str, _File] = {}
    for file in batch:
        by_hash.setdefault(file.sha256, file)
    try:
        # Also files of existing rows, in case they were lost from the store.
        file_store.put_many({file.sha256: file.data for file in by_hash.values()})
        new, rows = _store_rows(list(by_hash.values()), sender, enqueue=enqueue)
    except (OSError, DatabaseError) as error:
        if not is_full(error):
            raise
        logger.error("An upload finds the disk full: %s", error)
        delete_orphans(list(by_hash))
        raise StorageFull from error
    receipts = []
    for file in batch:
        row = rows[file.sha256]
        if file.sha256 in new:
            new.remove(file.sha256)  # a second copy in the same batch is a duplicate
            receipts.append(stored(file.name, row))
        else:
            receipts.append(duplicate(file.name, row.pk, row.status))
    return receipts


#: Defaults of the columns of a new row that are not NULL; ``bulk`` does not fill them in.
_FIXED: Final = {
    field.attname: field.get_default()
    for field in Replay._meta.concrete_fields
    if not field.null and field.has_default() and field.attname not in ("evidence", "date_trusted", "ownership", "turn")
}
_OWN: Final = (
    "size_bytes", "turn", "original_name", "uploader_id", "uploaded_at", "claimed_at", "evidence", "date_trusted",
    "ownership",
)  # fmt: skip


@retry_on_conflict
def _store_rows(files: Sequence[_File], sender: _Sender, *, enqueue: bool) -> tuple[set[str], dict[str, Replay]]:
    """Insert the missing rows of ``files``; returns the hashes of the new rows, and all rows by hash.

    Rows that exist, or that another request is inserting, are not changed.
    """
    now = timezone.now()
    evidence = Replay.Evidence.HERE.value if sender.trust.played_here else ""
    ownership = Replay.Ownership.VOUCHED.value if sender.trust.names else Replay.Ownership.NOT_ASKED.value
    same = (sender.uploader_id, now, now, evidence, sender.trust.dates, ownership, *_FIXED.values())
    sizes = [len(file.data) for file in files]
    hashes = [file.sha256 for file in files]
    with transaction.atomic():
        turns = take_turns(sender.uploader_id, sizes, behind=sender.behind)
        rows = [
            (file.sha256, size, turn, file.name, *same) for file, size, turn in zip(files, sizes, turns, strict=True)
        ]
        inserted = bulk.insert_new(Replay, ("sha256",), (*_OWN, *_FIXED), rows, returning=("sha256", "id"))
        found = Replay.objects.filter(sha256__in=hashes).only("sha256", "status", "reject_code", "file_deleted_at")
        by_hash = {row.sha256: row for row in found}
        if len(by_hash) < len(hashes):
            raise Conflict("an existing row was deleted before it could be read")
        files_are_back([row.pk for row in by_hash.values() if row.file_deleted_at is not None])
        again = _queue_again([row for row in by_hash.values() if row.reject_code in RETRIED_CODES])
        if enqueue:
            queue_analysis([*sorted(pk for _sha256, pk in inserted), *again])
    return {sha256 for sha256, _pk in inserted}, by_hash


def _queue_again(rows: Sequence[Replay]) -> list[int]:
    """Set rejected rows to queued; returns their ids."""
    ids = [row.pk for row in rows]
    if ids:
        Replay.objects.filter(pk__in=ids, status=Replay.Status.REJECTED).update(
            status=Replay.Status.QUEUED, claimed_at=timezone.now(), attempts=0, reject_code="", reject_params={},
            turn=Lane.BEHIND.first_turn,
        )  # fmt: skip
        for row in rows:
            row.status = Replay.Status.QUEUED
    return ids
