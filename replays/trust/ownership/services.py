"""Answers of owners to the question whose game it is, and decisions of staff about them.

Rows are locked in the order of ids; each call changes the answers and the boards in one transaction.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from players.db.retry import retry_on_conflict
from players.db.text import storable_text
from players.decision_log import Action
from players.models import User
from replays.models import Replay
from replays.trust.judging.appeals import appeal_close
from replays.trust.judging.audit import log_about
from replays.trust.judging.services import check_not_own
from replays.trust.ownership.selectors import clear_waiting_count, games_of_owner
from replays.trust.places.services import update_boards

Ownership = Replay.Ownership
ANSWERS: Final = (Ownership.CONFIRMED, Ownership.DISOWNED, Ownership.REPORTED)
DECISIONS: Final = (Ownership.VOUCHED, Ownership.DISOWNED)
#: Most replays of one answer: they are locked and changed in one transaction.
MAX_ANSWERED: Final = 500


class NotYours(LookupError):
    """Some of the replays are not under a name of this account."""


@retry_on_conflict
def games_answer(owner: User, replay_ids: Collection[int], answer: str) -> int:
    """Store the answer of ``owner`` to replays under their names, and update the boards; returns how many changed.

    An owner may change an answer at any time, and may disown games that they uploaded themselves.  Raises
    ``ValidationError`` on an unknown answer or too many replays, :class:`NotYours` (then nothing is changed).
    """
    if answer not in ANSWERS:
        raise ValidationError(_("Unknown answer: %(answer)s."), params={"answer": answer})
    ids = set(replay_ids)
    if len(ids) > MAX_ANSWERED:
        raise ValidationError(_("At most %(limit)s replays at once."), params={"limit": MAX_ANSWERED})
    with transaction.atomic():
        rows = list(
            games_of_owner(owner)
            .select_for_update(of=("self",), no_key=True)
            .select_related("player")
            .filter(pk__in=ids)
            .order_by("pk")
        )
        if len(rows) < len(ids):
            raise NotYours
        changed = [row for row in rows if row.ownership != answer]
        _store(changed, answer)
    clear_waiting_count(owner.pk)
    return len(changed)


def games_answer_waiting(owner: User, answer: str, uploader_id: int | None = None) -> int:
    """Answer the replays that wait longest (all of one uploader, if given), :data:`MAX_ANSWERED` at most."""
    waiting = games_of_owner(owner).filter(ownership=Ownership.WAITING)
    if uploader_id is not None:
        waiting = waiting.filter(uploader=uploader_id)
    return games_answer(owner, list(waiting.order_by("pk").values_list("pk", flat=True)[:MAX_ANSWERED]), answer)


def confirm_sent(owner: User, replay_ids: Collection[int]) -> None:
    """Take the sending of these files, which are here already, as the yes of the owner for whom they wait."""
    waiting = games_of_owner(owner).filter(pk__in=replay_ids, ownership=Ownership.WAITING)
    if ids := list(waiting.values_list("pk", flat=True)):
        games_answer(owner, ids, Ownership.CONFIRMED)


@retry_on_conflict
def ownership_decide(replay: Replay, decision: str, reason: str, by: User) -> Replay:
    """Staff decide that a game is the owner's (``vouched``) or is not (``disowned``); an open appeal is closed.

    Raises ``ValidationError`` on another decision, without a reason, or on a game of their own.
    """
    reason = storable_text(reason)
    if decision not in DECISIONS:
        raise ValidationError(_("Unknown answer: %(answer)s."), params={"answer": decision})
    if not reason:
        raise ValidationError(_("Give a reason."))
    with transaction.atomic():
        row = Replay.objects.select_for_update(of=("self",), no_key=True).select_related("player").get(pk=replay.pk)
        check_not_own(row, by)
        before = row.ownership
        _store([row], decision)
        appeal_close(row, reason)
        log_about(row, by, Action.OWNED, reason=reason, before=before, after=decision)
    if row.player is not None and row.player.user_id is not None:
        clear_waiting_count(row.player.user_id)
    return row


def _store(rows: Collection[Replay], answer: str) -> None:
    """Store ``answer`` in locked rows with their players, and update the boards."""
    for row in rows:
        row.ownership = answer
    Replay.objects.filter(pk__in=[row.pk for row in rows]).update(ownership=answer)
    update_boards(rows)
