"""Charts, records, rivals, improvements and averages after random changes of every kind, against loops over all rows.

``tests/players/leaderboards/test_changes.py`` does the same for boards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache

from players.leaderboards.board import Board
from players.leaderboards.boards import COMBINED_LEVELS, ON_LEVEL, board_key
from players.leaderboards.filters import BoardFilter
from players.leaderboards.ranks import page_at
from players.leaderboards.records.holders import games_held, record_holders
from players.models import Player
from players.profile.page.records.site_records import site_records_of
from players.profile.page.rivals import rivals_of
from players.profile.top_lists.improvements import DAYS, improvements
from tests.effort import amount
from tests.players.made_games import Shelf, on_shelf
from tests.players.profile.charts.naive_charts import Row, ranked_of
from tests.players.profile.charts.test_twin import ZONES, all_rows, assert_charts_are_right
from tests.players.random_changes import World

pytestmark = pytest.mark.django_db


@pytest.mark.long(beside="tests/players/leaderboards/test_changes.py::test_every_kind_of_change_keeps_every_page_right")
@pytest.mark.parametrize("seed", range(amount(long=6, usual=1)))
def test_player_pages_after_every_kind_of_change(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = Shelf()
    with on_shelf(shelf):
        world = World(seed, shelf, monkeypatch, full=250)
        changes = 0
        while changes < amount(long=900, usual=350):
            changes += world.change()
        for rare in (world.merge, world.release, world.rebuild, world.change_rules, world.merge):
            world.apply(rare)
        cache.clear()
        rows, source = all_rows(), world.source
        players = list(Player.objects.filter(merged_into=None).order_by("pk"))
        active = [player for player in players if any(row["player_id"] == player.pk for row in rows)]
        for player in source.sample(active, 3):
            level, style = source.choice([None, "expert", "intermediate"]), source.choice(["all", "NF", "FL"])
            assert_charts_are_right(player, source.choice(ZONES), level, style)
        assert_records_are_held_by_who_leads(players, rows)
        dates = sorted(row["achieved_at"] for row in rows if row["ranked"])
        for level in ("expert", "beginner", "combined"):
            for date in source.sample(dates, 4):
                assert_improvements_are_right(rows, level, source.choice(["all", "NF"]), date)
        for level in ("expert", "intermediate"):
            for statistic in ("time", "bvs", "ioe"):
                assert_rivals_are_right(players, level, statistic)
                assert_averages_are_right(rows, level, statistic)


def final(rows: Sequence[Row], player: int, level: str, style: str) -> list[Row]:
    """The ranked games of a player that are not provisional."""
    return [row for row in ranked_of(rows, player, level, style) if row["judgement"] != "provisional"]


def assert_records_are_held_by_who_leads(players: list[Player], rows: Sequence[Row]) -> None:
    provisional = {row["id"] for row in rows if row["judgement"] == "provisional"}
    leaders = {holder.key: holder for holder in record_holders()}
    games, held = games_held(list(leaders.values())), set()
    for player in players:
        for one in site_records_of(player.pk):
            leader, rank_key = leaders[one.key], one.key.row.rank_key
            if one.is_held:
                held.add(one.key)
                if provisional.isdisjoint(games[one.key]):
                    assert rank_key(one.own.value) <= rank_key(leader.value), (player, one, leader)
            else:
                assert one.beaten_with is not None
                assert rank_key(one.beaten_with.value) < rank_key(one.own.value), (player, one)
    assert {key for key in leaders if provisional.isdisjoint(games[key])} <= held


def assert_improvements_are_right(rows: Sequence[Row], level: str, style: str, since: Any) -> None:
    levels = COMBINED_LEVELS if level == "combined" else (level,)
    expected = []
    for player in {row["player_id"] for row in rows if row["ranked"]}:
        games = [final(rows, player, one, style) for one in levels]
        every = [ranked_of(rows, player, one, style) for one in levels]
        known = all(any(row["achieved_at"] < since for row in some) for some in games)
        before = [[row["time"] for row in some if row["achieved_at"] < since or is_older(row, since)] for some in games]
        now = [[row["time"] for row in some] for some in every]
        if known and all(now):
            old, new = round(sum(map(min, before)), 9), round(sum(map(min, now)), 9)
            # Who has a provisional best is not listed before it is final.
            if new < old and not any(map(held_provisionally, every)):
                expected.append((-(old - new) / old, new, player))
    found = improvements(level, style, since + timedelta(days=DAYS))
    assert [(row.player.pk, row.new_value) for row in found] == [(pk, new) for _share, new, pk in sorted(expected)][
        :100
    ]


def is_older(row: Row, since: Any) -> bool:
    return row["played_at"] is not None and row["played_at"] < since


def held_provisionally(games: Sequence[Row]) -> bool:
    """Return whether the game that holds the best, of equal ones the first, is provisional."""
    best = min(games, key=lambda row: (row["time"], row["achieved_at"], row["id"]))
    return bool(best["judgement"] == "provisional")


def assert_rivals_are_right(players: list[Player], level: str, statistic: str) -> None:
    key = board_key(level, statistic)
    board = page_at(Board(*key), size=200).rows
    places = {row.player.pk: place for place, row in enumerate(board)}
    for player in players:
        found = rivals_of(player.pk, key)
        if player.pk not in places:
            assert found is None
            continue
        assert found is not None
        place = places[player.pk]
        for rival, neighbour in ((found.above, place - 1), (found.below, place + 1)):
            if 0 <= neighbour < len(board):
                assert rival is not None
                assert rival.row.player.pk == board[neighbour].player.pk
                assert rival.difference == pytest.approx(abs(board[neighbour].value - board[place].value), abs=1e-9)
            else:
                assert rival is None


def assert_averages_are_right(rows: Sequence[Row], level: str, statistic: str) -> None:
    """X.5: the mean of the five best."""
    row = next(row for row in ON_LEVEL[level] if row.name == statistic)
    values = defaultdict(list)
    for game in ranked_of(rows, None, level, "all"):
        if game[statistic] is not None:
            values[game["player_id"]].append(game[statistic])
    expected = {pk: sum(sorted(some, key=row.rank_key)[:5]) / 5 for pk, some in values.items() if len(some) >= 5}
    found = page_at(Board(*board_key(level, statistic), BoardFilter(best_of=5)), size=200).rows
    assert {one.player.pk: one.value for one in found} == pytest.approx(expected, abs=1e-8)
    for one in found:
        assert one.rank == 1 + sum(row.rank_key(other.value) < row.rank_key(one.value) for other in found)
