"""The boards computed by plain loops over Replay rows: the slow twin of the services."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

from analysis.recording import Level
from analysis.statistics import RANKED, Better
from players.models import CombinedBest, PersonalBest, SecondCount
from replays.models import Replay

Rows = dict[Any, Any]


def expected_boards() -> tuple[Rows, Rows, Rows]:
    """Personal bests, combined bests and second counts computed from the ranked replays of the database."""
    replays = list(Replay.objects.filter(ranked=True))
    bests = _personal(replays)
    return bests, _combined(bests), _seconds(replays)


def stored_boards() -> tuple[Rows, Rows, Rows]:
    """The rows of the three tables."""
    bests = {
        (row.player_id, row.statistic, row.level, row.style): (row.value, row.rank_key, row.achieved_at, row.replay_id)
        for row in PersonalBest.objects.all()
    }
    combined = {
        (row.player_id, row.statistic, row.style): (
            row.value, row.rank_key, row.expert_key, row.intermediate_key, row.achieved_at,
            row.beginner.replay_id, row.intermediate.replay_id, row.expert.replay_id,
        )
        for row in CombinedBest.objects.prefetch_related("beginner", "intermediate", "expert")
    }  # fmt: skip
    seconds = {
        (row.player_id, row.level, row.style, row.second): (row.games, row.first_at, row.first_replay_id)
        for row in SecondCount.objects.all()
    }
    return bests, combined, seconds


def _personal(replays: list[Any]) -> Rows:
    groups = defaultdict(list)
    for replay in replays:
        for statistic in RANKED:
            if Level(replay.level) in statistic.levels and replay.statistic(statistic.name) is not None:
                for style in ("all", replay.style):
                    groups[replay.player_id, statistic.name, replay.level, style].append(replay)
    low = {statistic.name: statistic.better is Better.LOW for statistic in RANKED}
    bests = {}
    for (player, name, level, style), games in groups.items():
        sign = 1 if low[name] else -1
        best = min(games, key=lambda game: (sign * game.statistic(name), game.achieved_at, game.pk))
        value = best.statistic(name)
        assert value is not None
        bests[player, name, level, style] = (value, sign * value, best.achieved_at, best.pk)
    return bests


def _combined(bests: Rows) -> Rows:
    combined = {}
    for player, name, level, style in bests:
        parts: list[Any] = [bests.get((player, name, part, style)) for part in ("beginner", "intermediate", "expert")]
        if level != "expert" or None in parts:
            continue
        beginner, intermediate, expert = parts
        combined[player, name, style] = (
            sum_of(beginner[0], intermediate[0], expert[0]), sum_of(beginner[1], intermediate[1], expert[1]), expert[1],
            intermediate[1], max(part[2] for part in parts), beginner[3], intermediate[3], expert[3],
        )  # fmt: skip
    return combined


def sum_of(*parts: float) -> float:
    """The sum without any rounding in between, to nine decimals."""
    return round(float(sum(map(Fraction, parts))), 9)


def _seconds(replays: list[Any]) -> Rows:
    groups = defaultdict(list)
    for replay in replays:
        for style in ("all", replay.style):
            groups[replay.player_id, replay.level, style, int(replay.time_ms / 1000) + 1].append(replay)
    return {key: (len(games), *min((game.achieved_at, game.pk) for game in games)) for key, games in groups.items()}
