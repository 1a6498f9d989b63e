"""Results that are final: what a player's new game is compared with before anybody has looked at it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from typing import TypeAlias

from django.db.models import Q

from analysis.statistics import BY_NAME
from players.leaderboards.boards import PersonalKey
from players.models import PROVISIONAL, PersonalBest, RecordEvent

#: Date and rank key of each result.
Results: TypeAlias = list[tuple[datetime, float]]


def final_results(
    player_ids: Collection[int], statistics: Collection[str], with_steps: Collection[str], levels: Collection[str]
) -> dict[PersonalKey, Results]:
    """The bests of these players that are not provisional, in no order; of ``with_steps`` also all bests before them.

    One statement.  The steps are those of the record history, which has no provisional game.
    """
    of_players = Q(player_id__in=player_ids, level__in=levels)
    bests = PersonalBest.objects.filter(of_players, statistic__in=statistics).exclude(replay__judgement=PROVISIONAL)
    steps = RecordEvent.objects.filter(of_players, kind=RecordEvent.Kind.PERSONAL, statistic__in=with_steps)
    rows = bests.values_list(*PersonalKey._fields, "achieved_at", "value").union(
        steps.values_list(*PersonalKey._fields, "happened_at", "new_value"), all=True
    )
    found: dict[PersonalKey, Results] = defaultdict(list)
    for *key, achieved_at, value in rows:
        of_board = PersonalKey(*key)
        found[of_board].append((achieved_at, BY_NAME[of_board.statistic].rank_key(value)))
    return found
