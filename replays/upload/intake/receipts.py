from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from players.web import counters
from replays.models import Replay
from replays.trust.reasons import sentence

#: Code of the receipt of files that an operating system made.
SYSTEM_FILES: Final = "system_files"
_NAMED: Final = 5


class Outcome(StrEnum):
    """STORED: new, queued for analysis.  DUPLICATE: the same bytes were stored before.  REFUSED: not stored."""

    STORED = "stored"
    DUPLICATE = "duplicate"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Receipt:
    """``replay_id`` and ``status`` (``Replay.Status``): of the new row, or of the one with the same bytes.  ``code`` and
    ``message`` (in the active language): why it was not stored; empty for a stored file.  ``system_files``: the names of
    the files of an operating system that it stands for.
    """

    name: str
    outcome: Outcome
    replay_id: int | None = None
    code: str = ""
    message: str = ""
    status: str = ""
    system_files: tuple[str, ...] = ()


def stored(name: str, replay: Replay) -> Receipt:
    return Receipt(name, Outcome.STORED, replay.pk, status=replay.status)


def duplicate(name: str, replay_id: int, status: str) -> Receipt:
    code = "duplicate_file"
    return Receipt(name, Outcome.DUPLICATE, replay_id, code, sentence(code, {"replay": replay_id}), status)


def some_names(names: Sequence[str]) -> str:
    return ", ".join(names[:_NAMED]) + ("…" if len(names) > _NAMED else "")


def passed_over(name: str, names: Sequence[str]) -> Receipt:
    """Return one line for all files of an operating system among ``names``."""
    receipt = refusal(name, SYSTEM_FILES, count=len(names), names=some_names(names))
    return replace(receipt, system_files=tuple(names))


def refusal(name: str, code: str, **params: object) -> Receipt:
    counters.count("refusals", reason=code)
    return Receipt(name, Outcome.REFUSED, None, code, sentence(code, params))
