"""Notes: what happened to the games of an account.

They are read from the replays themselves, but for games that somebody else deleted (``DeletedGame``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from operator import attrgetter
from typing import Final

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from players.models import Player, User
from players.web.users import counts_from_one
from replays.judging.selectors import judgement_text
from replays.models import DeletedGame, Replay
from replays.reasons import reject_text

#: So many notes are shown, and at most so many of each kind are read.
MOST_NOTES: Final = 12
_COLUMNS: Final = (
    "status", "original_name", "uploaded_at", "analysed_at", "reject_code", "reject_params", "judgement", "judgement_reason", "judgement_code",
    "judgement_params", "judged_at",
)  # fmt: skip


class Kind(StrEnum):
    """What happened: staff judged the game, a rule did, its file was rejected, somebody else deleted it."""

    DECIDED = "decided"
    JUDGED = "judged"
    REJECTED = "rejected"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class Note:
    """``state``: what the game is now, ``text``: why, both in the active language; ``name``: of the file.

    ``is_new``: since the last visit.
    """

    kind: Kind
    at: datetime
    replay_number: int
    name: str
    state: str
    text: str
    is_new: bool

    @property
    def is_there(self) -> bool:
        """Whether the replay has a page."""
        return self.kind is not Kind.DELETED


def notes_of(user: User, player: Player | None, since: datetime | None) -> list[Note]:
    """The latest notes, newest first.  Five statements."""
    from_one = counts_from_one(user)
    rows: dict[int, tuple[Kind, Replay]] = {}
    for kind, found in _rows(user, player):
        for row in found:
            rows.setdefault(row.pk, (kind, row))
    notes = [_note(kind, row, since, from_one=from_one) for kind, row in rows.values()]
    notes += [
        _deleted(row, since) for row in DeletedGame.objects.filter(user=user).order_by("-deleted_at")[:MOST_NOTES]
    ]
    return sorted(notes, key=attrgetter("at"), reverse=True)[:MOST_NOTES]


def _rows(user: User, player: Player | None) -> Iterable[tuple[Kind, QuerySet[Replay]]]:
    """The rows of each kind; a row that is of several is of the first.  The conditions are those of partial indexes."""
    rows = Replay.objects.only(*_COLUMNS)
    decided = rows.filter(judged_at__isnull=False).order_by("-judged_at")
    yield Kind.DECIDED, decided.filter(uploader=user)[:MOST_NOTES]
    if player is not None:
        yield Kind.DECIDED, decided.filter(player=player)[:MOST_NOTES]
    judged = rows.filter(status=Replay.Status.DONE).exclude(judgement=Replay.Judgement.ACCEPTED)
    yield Kind.JUDGED, judged.filter(uploader=user).order_by("-id")[:MOST_NOTES]
    rejected = rows.filter(uploader=user, status=Replay.Status.REJECTED, duplicate_of=None)
    yield Kind.REJECTED, rejected.order_by("-id")[:MOST_NOTES]


def _note(kind: Kind, row: Replay, since: datetime | None, *, from_one: bool) -> Note:
    if kind is Kind.REJECTED:
        at, state, text = row.analysed_at, row.get_status_display(), reject_text(row)
    else:
        at = row.judged_at if kind is Kind.DECIDED else row.analysed_at
        state, text = row.get_judgement_display(), judgement_text(row, from_one=from_one)
        if kind is Kind.DECIDED and not text:
            text = row.judgement_reason
    at = at or row.uploaded_at
    return Note(kind, at, row.pk, row.original_name, state, text, _is_new(at, since))


def _deleted(row: DeletedGame, since: datetime | None) -> Note:
    is_new = _is_new(row.deleted_at, since)
    return Note(
        Kind.DELETED, row.deleted_at, row.replay_number, row.original_name, _("deleted"), _("Staff deleted this replay."), is_new
    )  # fmt: skip


def _is_new(at: datetime, since: datetime | None) -> bool:
    return since is not None and at > since
