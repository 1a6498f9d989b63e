from __future__ import annotations

from datetime import date
from typing import Final

from django.db import transaction
from django.db.models import F

from players.models import User
from replays.models import Replay, TrainingCard, TrainingDay
from replays.watch.training.schedule import FIRST, box_after, due_on

#: Slips that an account repeats; beyond it no new ones are taken.
MOST_CARDS: Final = 5_000


@transaction.atomic
def answer_store(user: User, replay: Replay, event: int, *, right: bool, today: date) -> bool:
    """Move the slip of ``user`` to its next box; return whether it was its turn.

    Only slips of games whose player is the account's are repeated, and only the first answer of a turn counts.
    """
    if replay.player is None or replay.player.user_id != user.pk:
        return False
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # two answers at once count as one
    card = TrainingCard.objects.filter(user=user, replay=replay, event=event).first()
    if card is None:
        if TrainingCard.objects.filter(user=user).count() >= MOST_CARDS:
            return False
        card = TrainingCard(user=user, replay=replay, event=event, box=FIRST, due_on=today)
    if card.due_on is None or card.due_on > today:
        return False
    card.box = box_after(card.box, right=right)
    card.due_on = due_on(card.box, today)
    card.save()
    TrainingDay.objects.get_or_create(user=user, day=today)
    TrainingDay.objects.filter(user=user, day=today).update(tried=F("tried") + 1, right=F("right") + int(right))
    return True
