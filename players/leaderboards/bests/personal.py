"""Reading and writing the rows of ``PersonalBest``.  Callers have locked the players (``services.lock_players``)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from django.db.models import QuerySet

from players.db import bulk
from players.leaderboards import ranked_games
from players.leaderboards.boards import Best, Game, PersonalKey
from players.models import PersonalBest

Bests = dict[PersonalKey, Best]


@dataclass(frozen=True, slots=True)
class Improvement:
    """A result that beat the player's best on a board, or was the first there (``old`` is None)."""

    key: PersonalKey
    old: Best | None
    new: Best


def read_bests(player_ids: Collection[int], levels: Collection[str], styles: Collection[str]) -> Bests:
    rows = PersonalBest.objects.filter(player_id__in=player_ids, level__in=levels, style__in=styles)
    return as_bests(rows)


_COLUMNS = ("player_id", "statistic", "level", "style", "rank_key", "achieved_at", "replay_id", "value")


def as_bests(rows: QuerySet[PersonalBest]) -> Bests:
    return {PersonalKey(*row[:4]): Best(*row[4:]) for row in bulk.fetch(rows.values_list(*_COLUMNS))}


def improve(bests: Bests, games: Iterable[Game]) -> list[Improvement]:
    """Update ``bests`` by the results of ``games``, in the given order; returns the improvements.

    An equal value that was achieved earlier replaces the best, but is not an improvement.
    """
    improvements = []
    for game in games:
        for key, best in game.bests():
            old = bests.get(key)
            if old is not None and old <= best:
                continue
            bests[key] = best
            if old is None or best.rank_key < old.rank_key:
                improvements.append(Improvement(key, old, best))
    return improvements


def upsert_bests(bests: Mapping[PersonalKey, Best]) -> dict[PersonalKey, int]:
    rows = [key + best for key, best in bests.items()]
    written = bulk.upsert(PersonalBest, PersonalKey._fields, Best._fields, rows, returning=("id", *PersonalKey._fields))
    return {PersonalKey(*key): pk for pk, *key in written}


def delete_bests(keys: Collection[PersonalKey]) -> None:
    """Delete the rows of ``keys``, and by cascade the combined bests of which they are parts."""
    if not keys:
        return
    given = set(keys)
    rows = PersonalBest.objects.filter(
        player_id__in={key.player_id for key in given}, level__in={key.level for key in given}
    ).values_list("id", "player_id", "statistic", "level", "style")
    PersonalBest.objects.filter(id__in=[row[0] for row in rows if PersonalKey(*row[1:]) in given]).delete()


# --- the next best when a best is removed -----------------------------------------------------------------------------


def next_bests(keys: Collection[PersonalKey], excluded_ids: Collection[int]) -> Bests:
    by_level = defaultdict(list)
    for key in keys:
        by_level[key.player_id, key.level].append(key)
    found: Bests = {}
    for (player_id, level), level_keys in by_level.items():
        boards = [(key.statistic, key.style) for key in level_keys]
        bests: Bests = {}
        improve(bests, ranked_games.holding_bests(player_id, level, boards, excluded_ids))
        requested = set(level_keys)
        found.update((key, best) for key, best in bests.items() if key in requested)
    return found
