"""Decisions of staff about replays."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.db.retry import retry_on_conflict
from players.db.text import storable_text
from players.leaderboards.services import add_games, remove_games
from players.models import User
from replays.judging.appeals import appeal_close
from replays.judging.audit import log_change
from replays.judging.rules import counts_on_boards
from replays.models import Replay
from replays.ranked_games import game_of

_WRITTEN = (
    "judgement", "judgement_reason", "judgement_code", "judgement_params", "judged_by", "judged_at", "ranked",
)  # fmt: skip


@retry_on_conflict
def replay_judge(replay: Replay, judgement: str, reason: str, by: User) -> Replay:
    """Set the judgement with its reason, close an open appeal, and update the boards, in one transaction.

    No rule overrules it when the replay is analysed again.  Raises ``ValidationError`` on an unknown judgement, or on
    one other than "accepted" without a reason.
    """
    reason = storable_text(reason)
    if judgement not in Replay.Judgement.values:
        raise ValidationError(_("Unknown judgement: %(judgement)s."), params={"judgement": judgement})
    if judgement != Replay.Judgement.ACCEPTED and not reason:
        raise ValidationError(_("A reason is needed."))
    with transaction.atomic():
        row = Replay.objects.select_for_update(no_key=True).get(pk=replay.pk)
        before, counted = row.judgement, row.ranked
        row.judgement, row.judgement_reason = judgement, reason
        row.judgement_code, row.judgement_params = Replay.DECIDED, {}
        row.judged_by, row.judged_at = by, timezone.now()
        row.ranked = counts_on_boards(row)
        row.save(update_fields=_WRITTEN)
        if row.ranked and not counted:
            add_games([game_of(row)])
        elif counted and not row.ranked:
            remove_games([game_of(row)])
        appeal_close(row, reason)
        log_change(row, by, f"{before} -> {judgement}: {reason}")
    return row
