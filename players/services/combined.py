"""The rows of ``CombinedBest``: sums of bests on Beginner 8x8, Intermediate and Expert."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from players.boards import COMBINED_LEVELS, COMBINED_NAMES, PersonalKey
from players.models import CombinedBest, PersonalBest


class CombinedKey(NamedTuple):
    """The place of one row of ``CombinedBest``."""

    player_id: int
    statistic: str
    style: str


def combined_refresh(changed: Iterable[PersonalKey], *, deleted: bool) -> None:
    """Bring every sum in which one of the bests ``changed`` has a part up to date.

    ``deleted``: some of them may be gone, and with them their sums.
    """
    keys = {
        CombinedKey(key.player_id, key.statistic, key.style)
        for key in changed
        if key.level in COMBINED_LEVELS and key.statistic in COMBINED_NAMES
    }
    if not keys:
        return
    parts = _read_parts(keys)
    complete = {key: levels for key, levels in parts.items() if len(levels) == len(COMBINED_LEVELS)}
    _upsert([_combined(key, **levels) for key, levels in complete.items()])
    if deleted:
        _delete(keys - complete.keys())


def _read_parts(keys: set[CombinedKey]) -> dict[CombinedKey, dict[str, PersonalBest]]:
    rows = PersonalBest.objects.filter(
        player_id__in={key.player_id for key in keys},
        statistic__in={key.statistic for key in keys},
        level__in=COMBINED_LEVELS,
        style__in={key.style for key in keys},
    )
    parts: dict[CombinedKey, dict[str, PersonalBest]] = defaultdict(dict)
    for row in rows:
        key = CombinedKey(row.player_id, row.statistic, row.style)
        if key in keys:
            parts[key][row.level] = row
    return parts


def _combined(
    key: CombinedKey, *, beginner: PersonalBest, intermediate: PersonalBest, expert: PersonalBest
) -> CombinedBest:
    return CombinedBest(
        **key._asdict(),
        value=_sum(beginner.value, intermediate.value, expert.value),
        rank_key=_sum(beginner.rank_key, intermediate.rank_key, expert.rank_key),
        expert_key=expert.rank_key,
        intermediate_key=intermediate.rank_key,
        achieved_at=max(beginner.achieved_at, intermediate.achieved_at, expert.achieved_at),
        beginner=beginner,
        intermediate=intermediate,
        expert=expert,
    )


def _sum(*parts: float) -> float:
    """The sum without the noise of binary addition, which would part sums that are equal on paper (0.1 + 0.2)."""
    return round(math.fsum(parts), 9)


def _upsert(rows: list[CombinedBest]) -> None:
    CombinedBest.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["player", "statistic", "style"],
        update_fields=[
            "value", "rank_key", "expert_key", "intermediate_key", "achieved_at", "beginner", "intermediate", "expert",
        ],
    )  # fmt: skip


def _delete(keys: set[CombinedKey]) -> None:
    rows = CombinedBest.objects.filter(player_id__in={key.player_id for key in keys}).values_list(
        "id", "player_id", "statistic", "style"
    )
    gone = [row[0] for row in rows if CombinedKey(*row[1:]) in keys]
    if gone:
        CombinedBest.objects.filter(id__in=gone).delete()
