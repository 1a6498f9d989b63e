"""Receipts: what became of each uploaded file."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from replays.models import Replay
from replays.reasons import sentence


class Outcome(StrEnum):
    """STORED: new, waits for its analysis.  DUPLICATE: these bytes are here.  REFUSED: not stored."""

    STORED = "stored"
    DUPLICATE = "duplicate"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of one file.

    ``replay_id`` and ``status`` (of ``Replay.Status``) belong to the new row or to the one that was there before.
    ``code`` is empty for a stored file; ``message`` is a sentence in the active language.
    """

    name: str
    outcome: Outcome
    replay_id: int | None = None
    code: str = ""
    message: str = ""
    status: str = ""


def stored(name: str, replay: Replay) -> Receipt:
    """The receipt of a new row."""
    return Receipt(name, Outcome.STORED, replay.pk, status=replay.status)


def duplicate(name: str, replay_id: int, status: str) -> Receipt:
    """The receipt of bytes that are here already."""
    code = "duplicate_file"
    return Receipt(name, Outcome.DUPLICATE, replay_id, code, sentence(code, {"replay": replay_id}), status)


def refusal(name: str, code: str, **params: object) -> Receipt:
    """The receipt of a file that was not stored."""
    return Receipt(name, Outcome.REFUSED, None, code, sentence(code, params))
