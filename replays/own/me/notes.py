"""Notes: what happened to the games of an account.

They are read from the replays themselves, but for games that somebody else deleted (``DeletedGame``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from operator import attrgetter
from typing import Final

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from analysis.statistics import BY_NAME
from players.leaderboards.boards import HARDEST_FIRST
from players.leaderboards.pages.board_texts import level_text, more_text
from players.models import ALL_STYLES, Player, User
from players.profile.page.selectors import PlayerBests, player_bests
from players.web.clock import shown_text
from replays.models import DeletedGame, RecomputeNote, Replay
from replays.trust.judging.selectors import judgement_text
from replays.trust.places.selectors import disputes_of
from replays.trust.reasons import reject_text

#: So many notes are shown, and at most so many of each kind are read.
MOST_NOTES: Final = 12
#: So many of the latest games that a rule judged, and files that were rejected, are read to count those with one reason.
MOST_READ: Final = 100
#: So many of the latest recomputes are told, with so many bests each.
MOST_RECOMPUTES: Final = 3
MOST_BESTS: Final = 4
_COLUMNS: Final = (
    "status", "original_name", "uploaded_at", "analysed_at", "reject_code", "reject_params", "judgement", "judgement_reason", "judgement_code",
    "judgement_params", "judged_at",
)  # fmt: skip


class Kind(StrEnum):
    """Kinds of events: staff judged the game, a rule did, another file of it came, its file was rejected, somebody else
    deleted it, or bests of the account were recomputed.
    """

    DECIDED = "decided"
    JUDGED = "judged"
    LINKED = "linked"
    REJECTED = "rejected"
    DELETED = "deleted"
    RECOMPUTED = "recomputed"


@dataclass(frozen=True, slots=True)
class Note:
    """``state``: what the game is now, ``text``: why, both in the active language; ``name``: of the file.

    ``is_new``: since the last visit.  ``games``: how many of the account's latest uploads have the same reason, for those
    that a rule judged or rejected; the note is about the newest.  Of recomputed bests the replay is that of the first
    of them, None if none is left.
    """

    kind: Kind
    at: datetime
    replay_number: int | None
    name: str
    state: str
    text: str
    is_new: bool
    games: int = 1

    @property
    def is_there(self) -> bool:
        return self.kind is not Kind.DELETED and self.replay_number is not None


def notes_of(user: User, player: Player | None, since: datetime | None) -> list[Note]:
    """The latest notes, newest first.  Eight statements, and one for ranks if bests were recomputed."""
    decided = {row.pk: row for rows in _decided(user, player) for row in rows}
    notes = [_note(Kind.DECIDED, row, since) for row in decided.values()]
    linked = {row.pk: (at, row) for at, row in disputes_of(user, MOST_NOTES)}
    notes += [_linked(row, at, since) for at, row in linked.values()]
    for kind, rows in _by_rules(user):
        others = [row for row in rows if row.pk not in decided and row.pk not in linked]
        games = Counter((row.judgement_code, row.reject_code) for row in others)
        newest = {(row.judgement_code, row.reject_code): row for row in reversed(others)}
        notes += [_note(kind, row, since, games=games[reason]) for reason, row in newest.items()]
    notes += [
        _deleted(row, since) for row in DeletedGame.objects.filter(user=user).order_by("-deleted_at")[:MOST_NOTES]
    ]
    notes += _recomputed(user, player, since)
    return sorted(notes, key=attrgetter("at"), reverse=True)[:MOST_NOTES]


def _decided(user: User, player: Player | None) -> Iterable[QuerySet[Replay]]:
    """Yield two queries for the games that staff judged, latest first: uploads of ``user``, and games of ``player``."""
    rows = Replay.objects.only(*_COLUMNS).filter(judged_at__isnull=False).order_by("-judged_at")
    yield rows.filter(uploader=user)[:MOST_NOTES]
    if player is not None:
        yield rows.filter(player=player)[:MOST_NOTES]


def _by_rules(user: User) -> Iterable[tuple[Kind, QuerySet[Replay]]]:
    """Uploads that a rule judged, and rejected ones.  The conditions are those of partial indexes."""
    rows = Replay.objects.only(*_COLUMNS).filter(uploader=user).order_by("-id")
    judged = rows.filter(status=Replay.Status.DONE).exclude(judgement=Replay.Judgement.ACCEPTED)
    yield Kind.JUDGED, judged[:MOST_READ]
    yield Kind.REJECTED, rows.filter(status=Replay.Status.REJECTED)[:MOST_READ]


def _note(kind: Kind, row: Replay, since: datetime | None, *, games: int = 1) -> Note:
    if kind is Kind.REJECTED:
        at, state, text = row.analysed_at, row.get_status_display(), reject_text(row)
    else:
        at = row.judged_at if kind is Kind.DECIDED else row.analysed_at
        state, text = row.get_judgement_display(), judgement_text(row)
        if kind is Kind.DECIDED and not text:
            text = row.judgement_reason
    at = at or row.uploaded_at
    return Note(kind, at, row.pk, row.original_name, state, text, _is_new(at, since), games)


def _linked(row: Replay, at: datetime, since: datetime | None) -> Note:
    """About a game that does not count for the sake of another file: also to the owner of its name."""
    state, text = row.get_judgement_display(), judgement_text(row)
    return Note(Kind.LINKED, at, row.pk, row.original_name, state, text, _is_new(at, since))


def _deleted(row: DeletedGame, since: datetime | None) -> Note:
    is_new = _is_new(row.deleted_at, since)
    return Note(
        Kind.DELETED, row.deleted_at, row.replay_number, row.original_name, _("deleted"), _("A moderator deleted this replay."), is_new
    )  # fmt: skip


def _recomputed(user: User, player: Player | None, since: datetime | None) -> list[Note]:
    rows = list(RecomputeNote.objects.filter(user=user).exclude(changes={}).order_by("-day")[:MOST_RECOMPUTES])
    shown = {row.pk: sorted(row.changes, key=_board_order)[:MOST_BESTS] for row in rows}
    names = sorted({board.split()[1] for boards in shown.values() for board in boards} & BY_NAME.keys())
    ranks = player_bests(player.pk, ALL_STYLES, names) if player is not None and names else {}
    notes = []
    for row in rows:
        texts = [_change_text(board, row.changes[board], ranks) for board in shown[row.pk]]
        if more := len(row.changes) - len(texts):
            texts.append(more_text(more))
        number = next((row.changes[board]["replay"] for board in shown[row.pk]), None)
        state = _("recomputed")
        notes.append(
            Note(Kind.RECOMPUTED, row.changed_at, number, "", state, "; ".join(texts), _is_new(row.changed_at, since))
        )
    return notes


def _board_order(board: str) -> tuple[int, int]:
    """The hardest level first, in it the statistics in the order of the registry."""
    level, name = board.split()
    level_place = HARDEST_FIRST.index(level) if level in HARDEST_FIRST else len(HARDEST_FIRST)
    return level_place, list(BY_NAME).index(name) if name in BY_NAME else 0


def _change_text(board: str, change: Mapping[str, float | None], ranks: PlayerBests) -> str:
    level, name = board.split()
    row = BY_NAME[name]
    before, after = ("–" if value is None else shown_text(row, value) for value in (change["before"], change["after"]))
    text = f"{level_text(level)} {_(row.label)}: {before} → {after}"
    best = ranks.get(level, {}).get(name, {}).get(ALL_STYLES)
    return text if best is None else f"{text} ({_('now rank %(rank)s') % {'rank': best.rank}})"


def _is_new(at: datetime, since: datetime | None) -> bool:
    return since is not None and at > since
