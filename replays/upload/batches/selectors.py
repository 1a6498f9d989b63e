from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from players.db.keyset import Page, page_of
from players.models import MAX_ID, User
from players.web.parameters import CURSOR, choice
from replays.models import BatchFile, Replay, Sending, UploadBatch
from replays.trust.judging.selectors import judgement_text
from replays.trust.reasons import reject_text

PAGE_SIZE: Final = 50
#: The field of an upload that holds the number of its batch.
BATCH_FIELD: Final = "batch"
#: If a file that was rejected with one of these codes is sent again, it is analysed again: its stored bytes were lost,
#: or its format may be supported by now.
RETRIED_CODES: Final = frozenset({"file_missing", "file_damaged", "unknown_format"})
_LINE: Final = (
    "level", "result", "original_name", "uploaded_at", "time", "time_precision_ms", "identifier",
)  # fmt: skip


#: The columns of a replay that :func:`upload_state`, :func:`reason_of` and the rows of the API read.
STATE_COLUMNS: Final = (
    "status", "uploader", "reject_code", "reject_params", "judgement", "judgement_reason", "judgement_code",
    "judgement_params",
)  # fmt: skip


class State(StrEnum):
    """The state of an upload."""

    WAITING = "waiting"
    DONE = "done"
    JUDGED = "judged"
    REJECTED = "rejected"


#: The conditions are those of partial indexes.
CONDITIONS: Final[dict[str, Q]] = {
    State.WAITING: Q(status__in=[Replay.Status.QUEUED, Replay.Status.RUNNING]),
    State.DONE: Q(status=Replay.Status.DONE),
    State.JUDGED: Q(status=Replay.Status.DONE) & ~Q(judgement=Replay.Judgement.ACCEPTED),
    State.REJECTED: Q(status=Replay.Status.REJECTED),
}
UPLOADS_PARAMETERS: Final = (
    choice(
        "state", list(State), description="Only uploads of which this became; “judged”: not accepted, or not final."
    ),
    CURSOR,
)


def uploads_of(user: User, state: str | None = None) -> QuerySet[Replay]:
    """The files that ``user`` uploaded, and those of others that they sent as well and that are public by now."""
    sent = list(Sending.objects.filter(user=user, replay__status=Replay.Status.DONE).values_list("replay", flat=True))
    rows = Replay.objects.filter(Q(uploader=user) | Q(pk__in=sent)) if sent else Replay.objects.filter(uploader=user)
    return rows.filter(CONDITIONS[state]) if state else rows


def uploads_page(user: User, state: str | None, cursor: str | None, size: int = PAGE_SIZE) -> Page[Replay]:
    """Return uploads newest first; one query.  Raises ``players.db.keyset.BadCursor``."""
    rows = uploads_of(user, state).only(*_LINE, *STATE_COLUMNS)
    return page_of(rows, ("-id",), cursor, size)


def upload_state(replay: Replay) -> State:
    if replay.status == Replay.Status.DONE:
        return State.DONE if replay.judgement == Replay.Judgement.ACCEPTED else State.JUDGED
    return State.REJECTED if replay.status == Replay.Status.REJECTED else State.WAITING


def reason_of(replay: Replay) -> str:
    """Return why the file was rejected, or why the game is not accepted, in the active language; "" if it is."""
    if replay.status == Replay.Status.DONE:
        return judgement_text(replay)
    return reject_text(replay)


# --- files that are here already --------------------------------------------------------------------------------------


def known_files(viewer: User, hashes: Collection[str]) -> list[Replay]:
    """The replays of the files with these SHA-256, those alone that ``viewer`` sent before; one query.

    Who has only a hash has not the file, and a file of somebody else is sent, so that its sender is remembered.  A file that
    would be analysed again, or whose bytes are gone, is not known, and so is sent, too.
    """
    mine = Q(uploader=viewer) | Q(Exists(Sending.objects.filter(replay=OuterRef("pk"), user=viewer)))
    rows = Replay.objects.filter(mine, sha256__in=hashes, file_deleted_at=None)
    return list(rows.exclude(reject_code__in=RETRIED_CODES).only("sha256", "status").order_by("pk"))


# --- batches ----------------------------------------------------------------------------------------------------------


def batch_of(user: User, pk: int) -> UploadBatch:
    """Raise ``UploadBatch.DoesNotExist``, also for batches of others."""
    return UploadBatch.objects.get(pk=pk, user=user)


def named_batch(user: User | None, given: str) -> UploadBatch | None:
    """Return None without a batch, or for an unknown one: files matter more than notes."""
    if user is None or not (given.isascii() and given.isdigit() and len(given) <= len(str(MAX_ID))):
        return None
    return UploadBatch.objects.filter(pk=min(int(given), MAX_ID), user=user).first()


@dataclass(frozen=True, slots=True)
class FileLine:
    """``state``: of ``State``, or "refused", or "deleted"; ``reason``: why it is no replay of its own."""

    file: BatchFile
    state: str
    reason: str

    @property
    def replay_id(self) -> int | None:
        return self.file.replay_id

    @property
    def judgement(self) -> str:
        return "" if self.file.replay is None else self.file.replay.get_judgement_display()


def batch_files(batch: UploadBatch, cursor: str | None, size: int = PAGE_SIZE) -> Page[FileLine]:
    """Return files in the order in which they came; one query."""
    rows = BatchFile.objects.filter(batch=batch).select_related("replay")
    rows = rows.only("name", "outcome", "message", "batch", *(f"replay__{name}" for name in STATE_COLUMNS))
    page = page_of(rows, ("id",), cursor, size)
    lines = [_file_line(row, batch) for row in page.rows]
    return Page(lines, page.next_cursor, page.previous_cursor)


def _file_line(file: BatchFile, batch: UploadBatch) -> FileLine:
    replay = file.replay
    if file.outcome == BatchFile.Outcome.STORED:
        if replay is None:
            return FileLine(file, "deleted", "")
        return FileLine(file, upload_state(replay), reason_of(replay))
    if replay is not None and replay.status != Replay.Status.DONE and replay.uploader_id != batch.user_id:
        file.replay_id = None  # somebody else's upload, which has no page for this account
        return FileLine(file, file.outcome, reject_text(replay) or file.message)
    return FileLine(file, file.outcome, file.message)
