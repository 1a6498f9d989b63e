from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from django.http import HttpRequest
from rest_framework.request import Request

from players.models import MAX_ID
from players.web.users import signed_in_user
from replays.models import BatchFile, UploadBatch
from replays.upload.batches.selectors import batch_of
from replays.upload.batches.services import batch_add

#: The field of an upload that holds the number of its batch.
FIELD: Final = "batch"


class Received(Protocol):
    """The result for one file: a receipt of ``replays.upload.intake``, which imports this feature, not the reverse."""

    @property
    def name(self) -> str: ...
    @property
    def outcome(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def replay_id(self) -> int | None: ...


def named_batch(request: HttpRequest | Request) -> UploadBatch | None:
    """Return None without a batch, or for an unknown one: files matter more than notes."""
    user, given = signed_in_user(request), str(request.POST.get(FIELD, ""))
    if user is None or not (given.isascii() and given.isdigit() and len(given) <= len(str(MAX_ID))):
        return None
    try:
        return batch_of(user, min(int(given), MAX_ID))
    except UploadBatch.DoesNotExist:
        return None


def note_received(batch: UploadBatch | None, files: Sequence[Received]) -> None:
    if batch is not None and files:
        batch_add(
            batch,
            [
                BatchFile(name=file.name, outcome=str(file.outcome), message=file.message, replay_id=file.replay_id)
                for file in files
            ],
        )
