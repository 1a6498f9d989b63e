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

from django.core.files.uploadedfile import UploadedFile
from django.db import DatabaseError, transaction
from django.utils import timezone

from analysis import limits
from analysis.formats import FORMATS
from analysis.limits import BATCH_BYTES, BATCH_FILES, MAX_REPLAY_BYTES
from players.db import bulk
from players.db.retry import Conflict, retry_on_conflict
from players.models import User
from players.web.disk import StorageFull, has_room, is_full
from players.web.problems import Refused
from replays.models import BatchFile, Replay, file_store, store_mark
from replays.models.file_store import StoreUnreachableError
from replays.trust.ownership.services import confirm_sent
from replays.trust.places.services import send_again
from replays.trust.reasons import sentence
from replays.upload.batches.selectors import RETRIED_CODES, named_batch
from replays.upload.batches.services import batch_add
from replays.upload.intake import archives
from replays.upload.intake.names import file_name, is_system_file
from replays.upload.intake.permissions import Sender
from replays.upload.intake.quota import CODES, quota_limits
from replays.upload.intake.receipts import Outcome, Receipt, duplicate, passed_over, refusal, stored
from replays.upload.processing.deletion import delete_orphans
from replays.upload.processing.queue import ANALYSE, queue
from replays.upload.processing.rejected import files_are_back
from replays.upload.processing.turns import Lane, take_turns

#: A file of a request, or a name with its bytes or an open, seekable binary file.
Source: TypeAlias = "UploadedFile[bytes] | tuple[str, bytes | IO[bytes]]"

logger = logging.getLogger(__name__)


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


@dataclass(slots=True)
class _Intake:
    """One call: who sends, and what happens with the files.

    ``stopped``: the code with which all further files are refused.  ``found_room``: as in ``Sender``, for the next batch.
    """

    sender: Sender
    trust: Trust
    enqueue: bool
    only_recognised: bool
    behind: bool
    found_room: bool
    stopped: str = ""

    def count_refused(self, size_bytes: int) -> None:
        if self.sender.quota is not None and not self.stopped:
            self.sender.quota.refuse(size_bytes)
            self.stopped = self.sender.quota.used_up()

    def refused(self, data: bytes) -> str:
        """Return the code why a file is not stored, or "" if it is."""
        if self.stopped:
            return self.stopped
        if self.only_recognised and not any(module.recognises(data) for module in FORMATS):
            return "not_recognised"
        if self.sender.quota is not None:
            self.stopped = self.sender.quota.take(len(data))
        return self.stopped


def upload_refused(code: str, limit: int = 0) -> Refused:
    return Refused(code, sentence(code, {"limit": limit}))


def receive_upload(files: Sequence[UploadedFile[bytes]], sender: Sender, batch: str) -> list[Receipt]:
    """Receive the files of a request, and note them in the ``batch`` that it names.

    Raises ``Refused``: for the request as a whole, or because no file was stored for want of quota, disk or file store.
    """
    if not files:
        raise upload_refused("no_file")
    if len(files) > limits.UPLOAD_MAX_FILES:
        raise upload_refused("too_many_files", limits.UPLOAD_MAX_FILES)
    receipts = [receipt for some in receive_in_batches(files, sender) for receipt in some]
    if (noted := named_batch(sender.user, batch)) is not None and receipts:
        batch_add(
            noted,
            [
                BatchFile(name=one.name, outcome=str(one.outcome), message=one.message, replay_id=one.replay_id)
                for one in receipts
            ],
        )
    if all(receipt.outcome is Outcome.REFUSED for receipt in receipts):
        codes = {receipt.code for receipt in receipts}
        if "storage_full" in codes:
            raise StorageFull
        if "store_away" in codes:
            raise StoreUnreachableError
        for code in CODES:
            if sender.quota is not None and code in codes:
                raise sender.quota.exceeded(code)
    return receipts


def receive_many(
    sources: Iterable[Source], *, uploader: User | None, enqueue: bool = True, trust: Trust = NO_TRUST
) -> list[Receipt]:
    """Receive files without a quota; one receipt for each file, or for each member of a zip archive or set, in order."""
    batches = receive_in_batches(sources, Sender(uploader), enqueue=enqueue, trust=trust)
    return [receipt for receipts in batches for receipt in receipts]


def receive_in_batches(
    sources: Iterable[Source],
    sender: Sender,
    *,
    enqueue: bool = True,
    only_recognised: bool = False,
    trust: Trust = NO_TRUST,
    behind: bool = False,
) -> Iterator[list[Receipt]]:
    """Yield the receipts of files in batches, each after its files are stored, committed and queued.

    Files that the quota of ``sender`` does not allow are refused, and so is everything while the disk is full or the file
    store is away.

    ``only_recognised``: files that no format recognises are refused; otherwise they become rejected replays.
    ``behind``: they are analysed when nothing else waits.
    """
    intake = _Intake(sender, trust, enqueue, only_recognised, behind, sender.found_room)
    batch: list[_File | Receipt] = []
    size_bytes = 0
    for item in _contents(sources, intake):
        batch.append(item)
        size_bytes += len(item.data) if isinstance(item, _File) else 0
        if len(batch) >= BATCH_FILES or size_bytes >= BATCH_BYTES:
            yield _store_batch(batch, intake)
            batch, size_bytes = [], 0
    if batch:
        yield _store_batch(batch, intake)


def _contents(sources: Iterable[Source], intake: _Intake) -> Iterator[_File | Receipt]:
    """The files, or members of archives and sets, one in memory at a time; receipts of those that are refused."""
    for source in sources:
        name, content = (source.name or "", source) if isinstance(source, UploadedFile) else source
        stream = BytesIO(content) if isinstance(content, bytes) else content
        stream.seek(0)
        head = stream.read(archives.GAME_HEAD_BYTES)
        stream.seek(0)
        if is_system_file(name) and not archives.holds_games(head):
            yield passed_over(file_name(name), [file_name(name)])
        elif archives.is_zip(head):
            most = {"max_files": limits.ARCHIVE_MAX_FILES, "max_bytes": limits.ARCHIVE_MAX_BYTES}
            yield from _members(archives.members(stream, name, **most, stopped=lambda: intake.stopped), intake)
        else:
            yield from _plain(name, stream, intake)


def _plain(name: str, stream: IO[bytes], intake: _Intake) -> Iterator[_File | Receipt]:
    """Yield a file that is not a zip archive: itself, or the replays of a set, for which the limits of an archive hold."""
    data = stream.read(MAX_REPLAY_BYTES + 1)
    if not archives.is_set(data):
        yield _checked(name, data, intake)
        return
    size, limit = stream.seek(0, 2), limits.ARCHIVE_MAX_BYTES
    stream.seek(0)
    if size > limit:
        yield refusal(file_name(name), "too_large", limit=limit)
        return
    replays = archives.replays_of_set(
        stream, name, max_files=limits.ARCHIVE_MAX_FILES, size=size, stopped=lambda: intake.stopped
    )
    yield from _members(replays, intake)


def _members(members: Iterable[archives.Member], intake: _Intake) -> Iterator[_File | Receipt]:
    for member in members:
        if member.system_files:
            yield passed_over(file_name(member.name), member.system_files)
        elif member.refused:
            intake.count_refused(member.unpacked_bytes)
            yield _refusal(file_name(member.name), member.refused, **member.params)
        else:
            yield _checked(member.name, member.data, intake)


def _checked(raw_name: str, data: bytes, intake: _Intake) -> _File | Receipt:
    """The file, or its refusal; ``data`` has at most one byte more than the limit."""
    name = file_name(raw_name)
    if code := _problem(data):
        intake.count_refused(len(data))
        return refusal(name, code, limit=MAX_REPLAY_BYTES)
    if code := intake.refused(data):
        return _refusal(name, code)
    return _File(name, data, file_store.sha256_of(data))


def _problem(data: bytes) -> str:
    if not data:
        return "empty"
    if len(data) > MAX_REPLAY_BYTES:
        return "too_large"
    return "other_archive" if archives.is_other_archive(data) else ""


def _refusal(name: str, code: str, **params: object) -> Receipt:
    return refusal(name, code, **{**quota_limits(), **params})


def _store_batch(batch: Sequence[_File | Receipt], intake: _Intake) -> list[Receipt]:
    files = [item for item in batch if isinstance(item, _File)]
    try:
        made = _store(files, intake)
    except (StorageFull, StoreUnreachableError) as error:
        intake.stopped = error.code
        made = [refusal(file.name, error.code) for file in files]
    if intake.sender.quota is not None:
        taken = sum(len(file.data) for file in files)
        pairs = zip(files, made, strict=True)
        stored_bytes = sum(len(file.data) for file, receipt in pairs if receipt.outcome is Outcome.STORED)
        intake.sender.quota.settle(len(files), stored_bytes, taken - stored_bytes)
    receipts = iter(made)
    return [item if isinstance(item, Receipt) else next(receipts) for item in batch]


def _store(batch: Sequence[_File], intake: _Intake) -> list[Receipt]:
    """Store files, then insert rows and queue their analysis; one receipt for each file, in the same order.

    Raises :class:`StorageFull` or ``StoreUnreachableError``, with nothing of ``batch`` stored.
    """
    if not batch:
        return []
    if not intake.found_room:
        if not has_room():
            raise StorageFull
        store_mark.require_visible()
    intake.found_room = False
    by_hash: dict[str, _File] = {}
    for file in batch:
        by_hash.setdefault(file.sha256, file)
    try:
        # Also files of existing rows, in case they were lost from the store.
        file_store.put_many({file.sha256: file.data for file in by_hash.values()})
        new, rows = _store_rows(list(by_hash.values()), intake)
        if intake.sender.user is not None and (known := [row.pk for sha256, row in rows.items() if sha256 not in new]):
            send_again(intake.sender.user, known)
            confirm_sent(intake.sender.user, known)
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
def _store_rows(files: Sequence[_File], intake: _Intake) -> tuple[set[str], dict[str, Replay]]:
    """Insert the missing rows of ``files``; returns the hashes of the new rows, and all rows by hash.

    Rows that exist, or that another request is inserting, are not changed.
    """
    now = timezone.now()
    evidence = Replay.Evidence.HERE.value if intake.trust.played_here else ""
    ownership = Replay.Ownership.VOUCHED.value if intake.trust.names else Replay.Ownership.NOT_ASKED.value
    uploader_id = None if intake.sender.user is None else intake.sender.user.pk
    same = (uploader_id, now, now, evidence, intake.trust.dates, ownership, *_FIXED.values())
    sizes = [len(file.data) for file in files]
    hashes = [file.sha256 for file in files]
    with transaction.atomic():
        turns = take_turns(uploader_id, sizes, behind=intake.behind)
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
        if intake.enqueue:
            queue(ANALYSE, [*sorted(pk for _sha256, pk in inserted), *again])
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
