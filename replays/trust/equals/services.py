from __future__ import annotations

from collections.abc import Collection
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from players.db.retry import retry_on_conflict
from players.db.text import storable_text
from players.models import User
from replays.models import GameLink, Replay
from replays.trust.equals.linking import MOST_LINKS, ask_again, linked_with
from replays.trust.equals.stands import Stands
from replays.trust.judging.services import check_not_own, judge_row

DECISIONS: Final = (Stands.FIRST.value, Stands.SECOND.value, Stands.BOTH.value)
_NOT_REFUSED: Final = (Replay.Judgement.LINKED.value, Replay.Judgement.ACCEPTED.value)


@retry_on_conflict
def pair_decide(link: GameLink, stands: str, reason: str, by: User) -> GameLink:
    """Decide which of two linked files stands, once: it is accepted, and no rule takes its place again.

    The other one does not count; its uploader can put nothing in dispute any more, and what they have in dispute is
    decided again.  "both": the files have nothing to do with each other.  Raises ``ValidationError`` on another decision,
    without a reason or on a game of their own, and ``GameLink.DoesNotExist`` if one of the files is gone.
    """
    reason = storable_text(reason)
    if stands not in DECISIONS:
        raise ValidationError(_("Unknown decision: %(decision)s."), params={"decision": stands})
    if not reason:
        raise ValidationError(_("Give a reason."))
    with transaction.atomic():
        link = GameLink.objects.get(pk=link.pk)
        ids = (link.first_id, link.second_id)
        locked = Replay.objects.select_for_update(of=("self",), no_key=True).select_related("player")
        rows = {row.pk: row for row in locked.filter(pk__in=ids, status=Replay.Status.DONE).order_by("pk")}
        if len(rows) < len(ids):
            raise GameLink.DoesNotExist
        for row in rows.values():
            check_not_own(row, by)
        loser_id = {Stands.FIRST: link.second_id, Stands.SECOND: link.first_id}.get(Stands(stands))
        # What leaves the boards goes first: the other may take its place.
        for row in sorted(rows.values(), key=lambda row: row.pk != loser_id):
            if row.pk == loser_id:
                winner_id = ids[0] if row.pk == ids[1] else ids[1]
                judge_row(row, Replay.Judgement.LINKED, reason, by, {"replay": winner_id})
            else:
                judge_row(row, Replay.Judgement.ACCEPTED, reason, by)
        ask_again(ids)
        if loser_id is not None:
            _ask_about_others(rows[loser_id])
    return link


def _ask_about_others(loser: Replay) -> None:
    """Decide again about what the account has in dispute that has just lost a pair."""
    if loser.uploader_id is None:
        return
    rows = Replay.objects.filter(uploader=loser.uploader_id, judgement=Replay.Judgement.DISPUTED).order_by("-pk")
    ask_again(list(rows.values_list("pk", flat=True)[:MOST_LINKS]))


def after_decision(ids: Collection[int]) -> None:
    """Ask again about what is linked with replays about which staff decided; to be called in the same transaction.

    What lost a pair against a file that staff refuse now is judged by the rules again.
    """
    refused = Replay.objects.filter(pk__in=ids, judgement_code=Replay.DECIDED).exclude(judgement__in=_NOT_REFUSED)
    for pk in refused.values_list("pk", flat=True):
        lost = Replay.objects.filter(
            pk__in=linked_with([pk]), judgement=Replay.Judgement.LINKED, judgement_code=Replay.DECIDED
        )
        lost.filter(judgement_params__replay=pk).update(
            judgement_code="", judgement_reason="", judged_by=None, judged_at=None
        )
    ask_again(ids)
