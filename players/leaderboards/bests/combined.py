"""The rows of ``CombinedBest``: sums of a player's bests on Beginner 8x8, Intermediate and Expert."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import NamedTuple, TypeAlias

from players.db import bulk
from players.leaderboards.boards import COMBINED_LEVELS, COMBINED_NAMES, PART_IDS, Best, CombinedKey, PersonalKey
from players.models import CombinedBest, PersonalBest


class Part(NamedTuple):
    id: int
    value: float
    rank_key: float
    achieved_at: datetime
    replay_id: int


_Result: TypeAlias = Best | Part


class Sum(NamedTuple):
    value: float
    rank_key: float
    expert_key: float
    intermediate_key: float
    achieved_at: datetime


class StoredSum(NamedTuple):
    id: int
    rank_key: float
    parts: dict[str, Part]


def combined_keys(changed: Iterable[PersonalKey]) -> set[CombinedKey]:
    return {
        CombinedKey(key.player_id, key.statistic, key.style)
        for key in changed
        if key.level in COMBINED_LEVELS and key.statistic in COMBINED_NAMES
    }


def combined_rank_keys(keys: Collection[CombinedKey]) -> dict[CombinedKey, float]:
    if not keys:
        return {}
    rows = CombinedBest.objects.filter(
        player_id__in={key.player_id for key in keys}, statistic__in={key.statistic for key in keys}
    ).values_list(*CombinedKey._fields, "rank_key")
    return {key: row[-1] for row in rows if (key := CombinedKey(*row[:-1])) in keys}


def refresh_sums(keys: Collection[CombinedKey], *, deleted: bool) -> dict[CombinedKey, StoredSum]:
    """Write the sums of ``keys`` anew from their parts; returns those that have all three parts.

    ``deleted``: parts may have been deleted, so incomplete sums are deleted as well.
    """
    if not keys:
        return {}
    parts = _read_parts(keys)
    complete = {key: levels for key, levels in parts.items() if len(levels) == len(COMBINED_LEVELS)}
    rows = [key + sum_of(**levels) + _ids(**levels) for key, levels in complete.items()]
    returned = ("id", "rank_key", *CombinedKey._fields)
    written = bulk.upsert(CombinedBest, CombinedKey._fields, (*Sum._fields, *PART_IDS), rows, returning=returned)
    if deleted:
        _delete(set(keys) - complete.keys())
    return {(key := CombinedKey(*names)): StoredSum(pk, rank_key, complete[key]) for pk, rank_key, *names in written}


def _read_parts(keys: Collection[CombinedKey]) -> dict[CombinedKey, dict[str, Part]]:
    rows = PersonalBest.objects.filter(
        player_id__in={key.player_id for key in keys},
        statistic__in={key.statistic for key in keys},
        level__in=COMBINED_LEVELS,
        style__in={key.style for key in keys},
    ).values_list(*CombinedKey._fields, "level", *Part._fields)
    parts: dict[CombinedKey, dict[str, Part]] = defaultdict(dict)
    for player_id, statistic, style, level, *part in bulk.fetch(rows):
        key = CombinedKey(player_id, statistic, style)
        if key in keys:
            parts[key][level] = Part(*part)
    return parts


def sum_of(*, beginner: _Result, intermediate: _Result, expert: _Result) -> Sum:
    return Sum(
        value=rounded_sum(beginner.value, intermediate.value, expert.value),
        rank_key=rounded_sum(beginner.rank_key, intermediate.rank_key, expert.rank_key),
        expert_key=expert.rank_key,
        intermediate_key=intermediate.rank_key,
        achieved_at=max(beginner.achieved_at, intermediate.achieved_at, expert.achieved_at),
    )


def _ids(*, beginner: Part, intermediate: Part, expert: Part) -> tuple[int, int, int]:
    return beginner.id, intermediate.id, expert.id


def rounded_sum(*parts: float) -> float:
    """The sum, rounded to 9 decimals: binary rounding errors must not break ties (0.1 + 0.2 and 0.3)."""
    return round(math.fsum(parts), 9)


def _delete(keys: set[CombinedKey]) -> None:
    rows = CombinedBest.objects.filter(player_id__in={key.player_id for key in keys}).values_list(
        "id", "player_id", "statistic", "style"
    )
    gone = [row[0] for row in rows if CombinedKey(*row[1:]) in keys]
    if gone:
        CombinedBest.objects.filter(id__in=gone).delete()
