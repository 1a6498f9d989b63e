from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.core.cache import cache

from players.leaderboards.boards import BoardKey, all_boards
from players.leaderboards.ranks.count import board_sizes
from players.models import PersonalBest, RecordEvent

#: A percentile need not follow every game.
_CACHE_SECONDS: Final = 300

#: (level, statistic, style) -> the rank that the record brought when it was set
RanksThen = dict[tuple[str, str, str], int]


def cached_board_sizes(style: str) -> dict[BoardKey, int]:
    """Count the rows of each board of ``style``; the counts are at most some minutes old."""
    keys = [key for key in all_boards() if key.style == style]
    name = f"board-sizes:{style}"
    sizes = cache.get(name)
    if not isinstance(sizes, list) or len(sizes) != len(keys):
        found = board_sizes(keys)
        sizes = [found[key] for key in keys]
        cache.set(name, sizes, _CACHE_SECONDS)
    return dict(zip(keys, sizes, strict=True))


def ranks_then(player_id: int, style: str | None = None, statistics: Sequence[str] = ()) -> RanksThen:
    """The ranks that the player's bests brought (of one ``style`` and of ``statistics``, if given).

    Those of a sum are of the last of its games.
    """
    chosen: dict[str, object] = {"player": player_id}
    if style is not None:
        chosen["style"] = style
    if statistics:
        chosen["statistic__in"] = statistics
    # A player has thousands of records: only those of the replays that are bests now are read.
    replays = PersonalBest.objects.filter(**chosen).values("replay")
    records = RecordEvent.objects.filter(kind=RecordEvent.Kind.PERSONAL, replay__in=replays, **chosen)
    rows = records.order_by("id").values_list("level", "statistic", "style", "rank_after")
    return {(level, statistic, style): rank for level, statistic, style, rank in rows}
