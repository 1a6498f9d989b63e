from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from players.db.retry import retry_on_conflict
from players.leaderboards.ranked_games import game_of
from players.leaderboards.services import add_games, remove_games
from replays.models import Replay
from replays.trust.judging.rules import VERSION_NEW
from replays.trust.provisional.marking import WAITING

_BATCH: Final = 100
_WRITTEN: Final = ("judgement", "judgement_code", "judgement_params", "provisional_until")


def finalise_due() -> int:
    """Make provisional games final when their time has passed without a report; returns how many."""
    count = 0
    while ids := list(_due().order_by("provisional_until").values_list("pk", flat=True)[:_BATCH]):
        count += _finalise(ids)
    return count


def _due() -> QuerySet[Replay]:
    # The clock of the database: a process with a fast clock makes nothing final.
    return Replay.objects.filter(provisional_until__lte=Now())


@retry_on_conflict
def _finalise(ids: Sequence[int]) -> int:
    with transaction.atomic():
        rows = list(_due().select_for_update(no_key=True).filter(pk__in=ids).order_by("pk"))
        before = [game_of(row) for row in rows if row.ranked]
        for row in rows:
            row.judgement, row.judgement_code = Replay.Judgement.ACCEPTED, ""
            row.judgement_params, row.provisional_until = {}, None
        Replay.objects.bulk_update(rows, _WRITTEN)
        # Removed and added again, so that the record history gets them now.
        remove_games(before)
        add_games([game_of(row) for row in rows if row.ranked])
    return len(rows)


def clock_resume(pk: int) -> None:
    """Let a provisional game that was reported become final, since a moderator found nothing wrong with it.

    Not where a moderator must accept it: a silly report, dismissed, is no way around that.
    """
    held = Replay.objects.filter(pk=pk, judgement=Replay.Judgement.PROVISIONAL, provisional_until=None)
    held.exclude(judgement_code__in=[VERSION_NEW, *WAITING]).update(provisional_until=Now())
