from __future__ import annotations

from collections.abc import Collection
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.db.retry import retry_on_conflict
from players.db.text import storable_text
from players.models import User
from replays.models import Appeal, Replay

#: Most appeals of one replay.
MAX_APPEALS: Final = 3


@retry_on_conflict
def appeal_create(replay: Replay, user: User, text: str) -> Appeal:
    """Open an appeal of ``user``, who must own the replay (``permissions.owns``).

    Raises ``ValidationError``, also on a text that is empty or too long.
    """
    words = _paragraphs(text)
    if not words:
        raise ValidationError(_("Tell us why the judgement is wrong."), code="empty_text")
    if len(words) > Appeal.MAX_CHARS:
        raise ValidationError(
            _("At most %(limit)s characters; you wrote %(count)s."),
            code="text_too_long",
            params={"limit": Appeal.MAX_CHARS, "count": len(words)},
        )
    with transaction.atomic():
        # The lock prevents parallel appeals, and waits for a judgement that is being saved.
        row = Replay.objects.select_for_update(no_key=True).only("status", "judgement", "ownership").get(pk=replay.pk)
        refusal = appeal_refusal(row, list(row.appeals.values_list("state", flat=True)))
        if refusal is not None:
            raise refusal
        return Appeal.objects.create(replay=row, user=user, text=words, created_at=timezone.now())


def appeal_refusal(replay: Replay, states: Collection[str]) -> ValidationError | None:
    """Return an error saying why a replay with appeals in these ``states`` cannot be appealed now; None if it can."""
    disowned = replay.ownership in (Replay.Ownership.DISOWNED, Replay.Ownership.REPORTED)
    if replay.status != Replay.Status.DONE or (replay.judgement == Replay.Judgement.ACCEPTED and not disowned):
        return ValidationError(_("This replay is accepted, so there's nothing to appeal."), code="accepted")
    if Appeal.State.OPEN in states:
        return ValidationError(_("You've already appealed; a moderator will answer."), code="appeal_open")
    if len(states) >= MAX_APPEALS:
        return ValidationError(_("You've used all your appeals for this replay."), code="too_many_appeals")
    return None


def appeal_close(replay: Replay, answer: str) -> None:
    """Close the open appeal of ``replay``, if any: granted if it is accepted now, else denied."""
    granted = replay.judgement == Replay.Judgement.ACCEPTED and replay.ownership not in Replay.NOT_OWNED
    Appeal.objects.filter(replay=replay, state=Appeal.State.OPEN).update(
        state=Appeal.State.GRANTED if granted else Appeal.State.DENIED, answer=answer, answered_at=timezone.now()
    )


def appeals_grant(accepted_ids: Collection[int], answer: str = "") -> None:
    """Grant the open appeals of replays that the rules accept now.  No query without ids."""
    if accepted_ids:
        owned = Replay.objects.filter(pk__in=accepted_ids).exclude(ownership__in=Replay.NOT_OWNED)
        Appeal.objects.filter(replay__in=owned, state=Appeal.State.OPEN).update(
            state=Appeal.State.GRANTED, answer=answer, answered_at=timezone.now()
        )


def _paragraphs(text: str) -> str:
    """``text`` with each line cleaned for storage, and runs of empty lines reduced to one."""
    lines: list[str] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        words = storable_text(line, len(line))
        if words or (lines and lines[-1]):
            lines.append(words)
    return "\n".join(lines).strip()
