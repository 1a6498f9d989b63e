"""What staff decide about a replay."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from players.models import User
from players.services import bests_add, bests_remove
from replays.models import Replay
from replays.names import storable_text
from replays.services.audit import log_change
from replays.services.ranking import counts_on_boards


def replay_judge(replay: Replay, judgement: str, reason: str, by: User) -> Replay:
    """Set the judgement with its reason; the boards follow in the same transaction.

    Raises ``ValidationError`` on an unknown judgement, or on one other than "accepted" without a reason.
    """
    reason = storable_text(reason)
    if judgement not in Replay.Judgement.values:
        raise ValidationError(_("Unknown judgement: %(judgement)s."), params={"judgement": judgement})
    if judgement != Replay.Judgement.ACCEPTED and not reason:
        raise ValidationError(_("A reason is needed."))
    with transaction.atomic():
        row = Replay.objects.select_for_update().get(pk=replay.pk)
        before, counted = row.judgement, row.ranked
        row.judgement, row.judgement_reason = judgement, reason
        row.ranked = counts_on_boards(row)
        row.save(update_fields=["judgement", "judgement_reason", "ranked"])
        if row.ranked and not counted:
            bests_add([row])
        elif counted and not row.ranked:
            bests_remove([row])
        log_change(row, by, f"{before} -> {judgement}: {reason}")
    return row
