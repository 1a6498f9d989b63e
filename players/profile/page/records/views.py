from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from analysis.statistics import BY_NAME, RANKED, Statistic
from players.leaderboards import ranked_games
from players.leaderboards.boards import LEVEL_ORDER, LOGGED_STATISTICS, ON_LEVEL, STYLE, BoardKey
from players.leaderboards.ranked_games import Corpse
from players.leaderboards.ranks import percentile
from players.leaderboards.records.by_game import records_by_game
from players.leaderboards.records.selectors import RecordRow, records_of_player
from players.leaderboards.sub_n.selectors import SubStep, sub_ladders
from players.models import MAX_ID, Player
from players.profile.charts.kinds.ladder import STEPS, make_ladder
from players.profile.page.board_counts import BoardCounts, board_counts
from players.profile.page.head import Head, head_of
from players.profile.page.records.ranks_of_bests import RanksThen, cached_board_sizes, ranks_then
from players.profile.page.records.site_records import site_records_of
from players.profile.page.selectors import PlayerBests, RankedBest, player_bests
from players.web.errors import handle_bad_addresses
from players.web.parameters import choice, form_of
from players.web.statistic_groups import grouped

_RECENT = 10
#: Records that are read to show ``_RECENT`` games: a good game sets ten records or more.
_EVENTS_READ = 100
_RECORDS_SHOWN: Final = 12


@dataclass(frozen=True, slots=True)
class BestsRow:
    row: Statistic
    cells: list[tuple[str, StandingBest | None]]


@dataclass(frozen=True, slots=True)
class StandingBest:
    """A best with its percentile, and how many ranks it has lost (negative: won) since it was set; None if unknown."""

    best: RankedBest
    percentile: float
    ranks_lost: int | None


@dataclass(frozen=True, slots=True)
class BestsGroup:
    title: str
    rows: list[BestsRow]


#: ``statistics=all``: bests of every statistic instead of the main ones.
RecordsForm = form_of(STYLE, choice("statistics", ["all"]))


@require_safe
@handle_bad_addresses
def player_records(request: HttpRequest, pk: int) -> HttpResponse:
    values = RecordsForm(request.GET).values()
    style, every = values["style"], values["statistics"] == "all"
    read = _read(min(pk, MAX_ID), style, () if every else LOGGED_STATISTICS)
    levels = [level for level in LEVEL_ORDER if level in read.bests]
    context: dict[str, object] = read.head.context("player-records", style, read.bests) | {
        "levels": levels,
        "every": every,
        "statistics": len(RANKED),
        "groups": _bests_groups(read, levels, style),
        "boards_played": read.boards_played,
        "corpses": [(*board, BY_NAME[board[1]], corpse) for board, corpse in read.corpses.items()],
        "min_completion": settings.MINIMUM_COMPLETION,
        **_records(read.head.player, style),
        "ladders": _ladders(read, style),
        "records": records_by_game(read.records, _RECENT),
    }
    return render(request, "players/profile/page/records.html", context)


@dataclass(frozen=True, slots=True)
class _Read:
    head: Head
    bests: PlayerBests
    ladders: dict[str, list[SubStep]]
    records: list[RecordRow]
    ranks_then: RanksThen
    boards_played: list[BoardCounts]
    corpses: dict[tuple[str, str], Corpse]


def _read(pk: int, style: str, statistics: Sequence[str]) -> _Read:
    """Nine statements; raises ``Player.DoesNotExist``."""
    return _Read(
        head_of(pk),
        bests=player_bests(pk, style, statistics),
        ladders=sub_ladders(pk, style),
        records=records_of_player(pk, _EVENTS_READ, style),
        ranks_then=ranks_then(pk, style, statistics),
        boards_played=board_counts(pk),
        corpses=ranked_games.best_corpses(pk, style),
    )


def _best(bests: PlayerBests, level: str, statistic: str, style: str) -> RankedBest | None:
    return bests.get(level, {}).get(statistic, {}).get(style)


def _bests_groups(read: _Read, levels: list[str], style: str) -> list[BestsGroup]:
    groups = []
    sizes = cached_board_sizes(style) if levels else {}

    def standing(level: str, row: Statistic) -> StandingBest | None:
        best = _best(read.bests, level, row.name, style)
        if best is None:
            return None
        then = read.ranks_then.get((level, row.name, style))
        size = max(sizes.get(BoardKey(level, row.name, style), 0), best.rank)
        return StandingBest(best, percentile(best.rank, size), None if then is None else best.rank - then)

    for group in grouped(RANKED):
        rows = [BestsRow(row, [(level, standing(level, row)) for level in levels]) for row in group.rows]
        rows = [entry for entry in rows if any(best for _level, best in entry.cells)]
        if rows:
            groups.append(BestsGroup(group.title, rows))
    return groups


def _records(player: Player, style: str) -> dict[str, object]:
    records = site_records_of(player.pk, style)
    return {
        "site_records": records[:_RECORDS_SHOWN],
        "site_records_held": sum(record.is_held for record in records),
        "site_records_lost": sum(not record.is_held for record in records),
        "site_records_more": max(0, len(records) - _RECORDS_SHOWN),
    }


@dataclass(frozen=True, slots=True)
class _Ladder:
    """The steps of a level with games in their last second, lowest N first, and what there is to say of them."""

    level: str
    steps: list[SubStep]
    sentences: list[str]


def _ladders(read: _Read, style: str) -> list[_Ladder]:
    found = []
    for level in ON_LEVEL:
        steps, best = read.ladders.get(level), _best(read.bests, level, "time", style)
        if steps and best is not None:
            ladder = make_ladder(steps, best.value, best.precision_ms)
            reached = [step for step in steps if step.games_in_second][:STEPS]
            found.append(_Ladder(level, reached, ladder.sentences()))
    return found
