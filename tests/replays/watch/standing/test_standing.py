"""Tests of where a game stands: shares against counting, places, the games around it, and what it costs."""

from __future__ import annotations

import datetime
import random
from typing import Any

import numpy as np
import pytest
from django.db.models import F
from django.test import Client

from analysis.recording import Level
from analysis.statistics import BY_NAME, LUCK_VERSION, Better
from players.models import Player
from replays.models import PlayTrace, Replay, StatisticQuantiles
from replays.tasks import quantiles
from replays.watch.standing import selectors, services
from replays.watch.standing.selectors import Quantiles, level_quantiles, share_of, standing_of
from replays.watch.standing.services import MOST_VALUES, evenly_spaced, make_quantiles
from tests.caches import clear_caches
from tests.factories import EPOCH, rank_replays, replay_of, stored_replay
from tests.pages.conftest import MakePlayers, board_of
from tests.pages.conftest import make_players as make_players


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shares are told of two games, even of one player."""
    monkeypatch.setattr(selectors, "FEWEST_GAMES", 2)
    monkeypatch.setattr(selectors, "FEWEST_PLAYERS", 1)


@pytest.fixture
def games(db: None, few: None) -> list[Replay]:
    """60 ranked games of three players on Expert with many ties, and games that do not count."""
    source = random.Random(3)
    players = [Player.objects.create(name=f"Player {number}") for number in range(3)]
    made = [
        stored_replay(
            players[number % 3], time_ms=source.randint(80, 100) * 500, bv=source.randint(100, 120), source=source,
            values={"pluck": source.choice([None, 0.5, 1.0]), "accuracy": source.choice([90.0, 95.0, 100.0]), "needless_risk": source.choice([None, 0.0, 1.5])}, achieved_at=EPOCH + datetime.timedelta(days=number),
        )
        for number in range(60)
    ]  # fmt: skip
    rank_replays(made)
    stored_replay(players[0], ranked=False, time_ms=1_000)
    stored_replay(players[0], ranked=False, win=False, result=Replay.Result.LOST, time_ms=500)
    make_quantiles()
    clear_caches()
    return made


def milliseconds(game: Replay) -> float:
    return game.statistic("time_ms") or 0


def worse(game: Replay, others: list[Replay], name: str) -> list[bool]:
    row, own = BY_NAME[name], game.statistic(name)
    assert own is not None
    return [row.rank_key(value) > row.rank_key(own) for other in others if (value := other.statistic(name)) is not None]


def test_shares_are_counted(games: list[Replay]) -> None:
    for game in games[::7]:
        theirs = [other for other in games if other.player_id == game.player_id]
        for name, place in standing_of(game).places.items():
            of_all, of_own = worse(game, games, name), worse(game, theirs, name)
            assert place.all_games is not None
            assert (place.all_games.percent, place.all_games.games) == (100 * sum(of_all) // len(of_all), len(of_all))
            others = len(of_own) - 1
            if not others:
                assert place.own_games is None
                continue
            assert place.own_games is not None
            assert (place.own_games.percent, place.own_games.games) == (100 * sum(of_own) // others, others)


def test_a_number_without_a_value_has_no_place(games: list[Replay]) -> None:
    without = next(game for game in games if game.statistic("pluck") is None)
    assert "pluck" not in standing_of(without).places
    assert "pluck" in standing_of(next(game for game in games if game.statistic("pluck") is not None)).places


def test_places_and_differences_to_the_best(games: list[Replay]) -> None:
    leaders = sorted(games, key=lambda game: (milliseconds(game), game.achieved_at))
    first = standing_of(leaders[0]).places["time"]
    assert first.is_best
    assert first.best is not None
    assert (first.best.rank, first.difference) == (1, 0)
    last = leaders[-1]
    best = min((game for game in games if game.player_id == last.player_id), key=milliseconds)
    place = standing_of(last).places["time"]
    assert not place.is_best
    assert place.difference == pytest.approx((milliseconds(last) - milliseconds(best)) / 1000)
    assert ("time", "all") in standing_of(leaders[0]).held
    assert ("time", "FL") not in standing_of(leaders[0]).held, "it is the best of all styles as well"


def test_games_that_are_not_ranked_have_no_places(games: list[Replay]) -> None:
    for game in Replay.objects.filter(ranked=False):
        found = standing_of(game)
        assert (found.places, found.held) == ({}, {})
        assert found.best_time is not None


def test_the_games_around_it(games: list[Replay]) -> None:
    theirs = [game for game in games if game.player_id == games[0].player_id]
    Replay.objects.filter(pk=theirs[3].pk).update(ownership=Replay.Ownership.WAITING)
    Replay.objects.filter(pk=theirs[1].pk).update(status=Replay.Status.RUNNING)
    found = standing_of(theirs[2])
    assert (found.previous, found.following) == (theirs[0].pk, theirs[4].pk)
    assert standing_of(theirs[0]).previous is None
    nameless = stored_replay(None)
    assert (standing_of(nameless).previous, standing_of(nameless).following) == (None, None)


def test_the_same_board_and_not_its_mirror_image(db: None) -> None:
    """The key of a trace is that of all mirrored boards; only the same mines are the same board."""
    player = Player.objects.create(name="One")
    packed = board_of(Level.EXPERT)
    mirrored = packed[::-1]
    rows = [
        stored_replay(player, board=packed, time_ms=50_000),
        stored_replay(player, board=packed, time_ms=70_000),
        stored_replay(player, board=packed, time_ms=40_000, win=False, result=Replay.Result.LOST, ranked=False),
        stored_replay(player, board=packed, time_ms=60_000),
        stored_replay(player, board=mirrored),
        stored_replay(player, board=packed, status=Replay.Status.REJECTED),
        stored_replay(player, board=packed),
    ]
    for row in rows[:-1]:
        PlayTrace.objects.create(replay=row, board=b"k" * 16)
    PlayTrace.objects.create(replay=rows[-1], board=b"o" * 16)
    assert standing_of(rows[0]).same_board == [rows[3], rows[1], rows[2]]
    assert standing_of(rows[-1]).same_board == []


# --- tables -----------------------------------------------------------------------------------------------------------


def test_a_table_of_many_values_is_exact_to_a_thousandth() -> None:
    values = np.random.default_rng(1).integers(20_000, 99_000, 50_000) / 1000
    chosen = evenly_spaced(values)
    assert len(chosen) == MOST_VALUES
    assert (chosen[0], chosen[-1]) == (values.min(), values.max())
    for name in ("time", "bvs"):
        row = BY_NAME[name]
        for value in values[:200].tolist():
            share = share_of(Quantiles(len(values), 20, chosen), row, value)
            exact = 100 * np.mean(values < value if row.better is Better.HIGH else values > value)
            assert share is not None
            assert abs(share.percent + 0.5 - exact) <= 0.7
            assert share.percent < 100


def test_few_games_say_nothing() -> None:
    row = BY_NAME["time"]
    assert share_of(None, row, 1.0) is None
    assert share_of(Quantiles(199, 20, np.array([1.0])), row, 1.0) is None
    assert share_of(Quantiles(200, 19, np.array([1.0, 2.0])), row, 1.0) is None
    assert share_of(Quantiles(200, 20, np.array([1.0, 2.0])), row, 1.0) is not None


def test_large_levels_are_sampled(games: list[Replay], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MOST_GAMES", 20)
    make_quantiles()
    clear_caches()
    table = level_quantiles("expert")["time"]
    sampled = sorted(game.statistic("time") or 0 for game in games if game.pk % 4 == 0)
    assert (table.games, table.values.tolist()) == (len(sampled), sampled)


def test_tables_are_made_anew(games: list[Replay]) -> None:
    before = StatisticQuantiles.objects.count()
    Replay.objects.filter(pk=games[0].pk).update(ranked=False)
    Replay.objects.filter(pk=games[1].pk).update(time=F("time") + 1000)
    quantiles()
    clear_caches()
    assert StatisticQuantiles.objects.count() == before
    table = level_quantiles("expert")["time"]
    assert table.games == len(games) - 1
    assert table.values.max() > 1000
    assert level_quantiles("beginner")["time"].games == 0


# --- the page ---------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("few")
def test_the_page_says_where_it_stands(make_players: MakePlayers, client: Client) -> None:
    players = make_players(12)
    make_quantiles()
    clear_caches()
    game = Replay.objects.get(player=players[2], level="expert")
    time = standing_of(game).places["time"]
    assert time.all_games is not None
    assert time.best is not None
    assert (time.all_games.percent, time.all_games.games, time.own_games) == (75, 12, None)
    assert (time.best.value, time.best.rank, time.is_best, time.difference) == (game.statistic("time"), 3, True, 0.0)
    page = client.get(game.get_absolute_url()).content.decode()
    assert 'title="compared with 12 games">75%' in page
    assert "PB · #3" in page


def test_one_pass_over_the_own_games(games: list[Replay], django_assert_num_queries: Any) -> None:
    """Bests with ranks, the games around, the own games, the table of the level (kept), the same board."""
    with django_assert_num_queries(5):
        standing_of(games[0])
    with django_assert_num_queries(4):
        standing_of(games[1])


def test_other_levels_are_left_alone(games: list[Replay]) -> None:
    custom = replay_of(games[0].player, Level.EXPERT, ranked=False)
    custom.level = Level.CUSTOM.value
    custom.save()
    assert standing_of(custom).places == {}


def test_only_the_latest_own_games_are_looked_at(games: list[Replay], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "MOST_OWN_GAMES", 5)
    theirs = [game for game in games if game.player_id == games[0].player_id]
    place = standing_of(theirs[0]).places["time"]
    better = worse(theirs[0], theirs[-5:], "time")
    assert place.own_games is not None
    assert (place.own_games.percent, place.own_games.games) == (100 * sum(better) // 5, 5)


def test_scores_of_the_review_have_a_place_on_ranked_games_alone(games: list[Replay]) -> None:
    game = games[0]
    places = standing_of(game).places
    for name, share in selectors.score_shares(game).items():
        assert places[name].all_games == share
    of_all = worse(game, games, "accuracy")
    accuracy = selectors.score_shares(game)["accuracy"]
    assert (accuracy.percent, accuracy.games) == (100 * sum(of_all) // len(of_all), len(of_all))
    assert selectors.score_shares(Replay.objects.filter(ranked=False)[0]) == {}


def test_scores_of_a_former_definition_are_not_compared(games: list[Replay]) -> None:
    """Neither in the table of the level nor as the value that is compared, until luck is measured again."""
    older, current = games[:30], games[30:]
    Replay.objects.filter(pk__in=[game.pk for game in older]).update(luck_version=LUCK_VERSION - 1, accuracy=1.0)
    make_quantiles()
    clear_caches()
    assert level_quantiles(Level.EXPERT)["accuracy"].games == len(current)
    assert level_quantiles(Level.EXPERT)["time"].games == len(games)
    game = current[0]
    own = worse(game, [other for other in current[1:] if other.player_id == game.player_id], "accuracy")
    place = standing_of(game).places["accuracy"]
    assert place.own_games is not None
    assert (place.own_games.percent, place.own_games.games) == (100 * sum(own) // len(own), len(own))
    older[0].refresh_from_db()
    assert "accuracy" not in standing_of(older[0]).places
    assert "accuracy" not in selectors.score_shares(older[0])
