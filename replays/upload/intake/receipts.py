from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from players.web import counters
from replays.models import Replay
from replays.trust.reasons import sentence


class Outcome(StrEnum):
    """STORED: new, queued for analysis.  DUPLICATE: the same bytes were stored before.  REFUSED: not stored."""

    STORED = "stored"
    DUPLICATE = "duplicate"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Receipt:
    """``replay_id`` and ``status`` (``Replay.Status``): of the new row, or of the one with the same bytes.  ``code`` and
    ``message`` (in the active language): why it was not stored; empty for a stored file.
    """

    name: str
    outcome: Outcome
    replay_id: int | None = None
    code: str = ""
    message: str = ""
    status: str = ""


def stored(name: str, replay: Replay) -> Receipt:
    return Receipt(name, Outcome.STORED, replay.pk, status=replay.status)


def duplicate(name: str, replay_id: int, status: str) -> Receipt:
    code = "duplicate_file"
    return Receipt(name, Outcome.DUPLICATE, replay_id, code, sentence(code, {"replay": replay_id}), status)


def refusal(name: str, code: str, **params: object) -> Receipt:
    counters.count("refusals", reason=code)
    return Receipt(name, Outcome.REFUSED, None, code, sentence(code, params))
