"""Who improved their best time most in the last 30 days, from the record history.

A player's improvement is the share by which the best of these days is below the best before them: from 50 s to 45 s is
10 %.  Who had no result before is not listed, since there is nothing to compare with.  Days are those of the games, by
the dates that count.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db.models import Count, F, Max, Min, OuterRef, Q, Subquery
from django.utils import timezone

from players.leaderboards.boards import COMBINED, ON_LEVEL
from players.models import RecordEvent
from players.people.player_refs import PlayerRef, player_refs

#: The days of the list.
DAYS: Final = 30
#: The longest list.
MOST: Final = 100
LEVELS: Final = (*ON_LEVEL, COMBINED)


class Improvement(NamedTuple):
    """A player's best time before the days (s) and since; ``replay_id``: of the latter, of a sum the game that completed it.

    ``steps``: how many personal bests it took; ``precision_ms``: of the clock of ``replay_id``, None if unknown.
    """

    rank: int
    player: PlayerRef
    old_value: float
    new_value: float
    steps: int
    replay_id: int
    precision_ms: int | None
    achieved_at: datetime

    @property
    def gain(self) -> float:
        """Seconds."""
        return self.old_value - self.new_value

    @property
    def share(self) -> float:
        """The gain as a share of the old value, 0 to 1."""
        return self.gain / self.old_value


def improvements(level: str, style: str, now: datetime | None = None) -> list[Improvement]:
    """The list of ``level`` ("combined": of sums) in one style, most improved first; three statements."""
    since = (now or timezone.now()) - timedelta(days=DAYS)
    events = RecordEvent.objects.filter(
        kind=RecordEvent.Kind.PERSONAL, statistic="time", level=level, style=style, happened_at__gte=since
    )  # fmt: skip
    last = events.filter(player=OuterRef("player")).order_by("new_value", "id")
    found = (
        events.order_by()
        .values("player")
        .annotate(
            old=Max("old_value"), new=Min("new_value"), steps=Count("id"), firsts=Count("id", filter=Q(old_value=None))
        )
        .filter(firsts=0, old__gt=F("new"))
        .annotate(share=(F("old") - F("new")) / F("old"), event=Subquery(last.values("id")[:1]))
        .order_by("-share", "new", "player")
        .values_list("player", "old", "new", "steps", "event")[:MOST]
    )
    rows = list(found)
    players = player_refs([player_id for player_id, *_more in rows])
    columns = ("id", "replay_id", "replay__time_precision_ms", "happened_at")
    ways = RecordEvent.objects.filter(pk__in=[row[-1] for row in rows]).values_list(*columns)
    by_event = {event: (replay_id, precision_ms, at) for event, replay_id, precision_ms, at in ways}
    made: list[Improvement] = []
    for index, (player_id, old, new, steps, event) in enumerate(rows):
        if player_id not in players or event not in by_event:
            continue  # deleted since the first statement
        tied = bool(made) and (made[-1].old_value, made[-1].new_value) == (old, new)
        replay_id, precision_ms, at = by_event[event]
        rank = made[-1].rank if tied else index + 1
        made.append(Improvement(rank, players[player_id], old, new, steps, replay_id, precision_ms, at))
    return made
