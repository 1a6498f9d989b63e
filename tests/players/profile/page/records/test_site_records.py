"""The records of the site that a player holds, beside the boards."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from django.utils import timezone

from analysis.recording import Level
from players.leaderboards.boards import BoardKey
from players.leaderboards.records.holders import record_holders
from players.models import Player
from players.profile.page.records.site_records import SiteRecord, site_records_of
from players.profile.top_lists.improvements import improvements
from replays.models import Replay
from tests.effort import amount, seeds
from tests.factories import EPOCH, rank_replays, stored_replay, unrank_replays

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
TIME = BoardKey("expert", "time", "all")


def won(player: Player, seconds: float, days: float = 0, level: Level = Level.EXPERT) -> Replay:
    replay = stored_replay(player, level, time_ms=round(seconds * 1000), achieved_at=EPOCH + days * DAY)
    rank_replays([replay])
    return replay


def unranked(replay: Replay) -> None:
    Replay.objects.filter(pk=replay.pk).update(ranked=False)
    unrank_replays([replay])


def of_time(player: Player) -> SiteRecord | None:
    return next((one for one in site_records_of(player.pk) if one.key == TIME), None)


def test_a_record_is_not_held_by_who_is_second() -> None:
    """The record that beat Ada's is taken off the boards: Ben, who was third, leads now; he never set a record."""
    ada, ben, cheat = (Player.objects.create(name=name) for name in ("Ada", "Ben", "Cheat"))
    won(ada, 50)
    fake = won(cheat, 40)
    bens = won(ben, 45)
    unranked(fake)
    found = of_time(ada)
    assert found is not None
    assert not found.is_held
    assert found.beaten_by is not None
    assert found.beaten_by.pk == ben.pk
    assert found.beaten_with is not None
    assert (found.beaten_with.value, found.beaten_with.replay_id) == (45.0, bens.pk)


@pytest.mark.parametrize("seed", seeds(1, 2))
def test_held_records_are_first_rows(seed: int) -> None:
    source = random.Random(seed)
    players = [Player.objects.create(name=f"p{number}") for number in range(5)]
    games: list[Replay] = []
    for number in range(amount(long=60, usual=60, short=30)):
        if games and source.random() < 0.4:
            unranked(games.pop(source.randrange(len(games))))
        games.append(
            won(
                source.choice(players),
                source.randint(40, 60),
                number,
                source.choice([Level.EXPERT, Level.BEGINNER, Level.INTERMEDIATE]),
            )
        )
    leaders = {holder.key: holder for holder in record_holders()}
    for player in players:
        for one in site_records_of(player.pk):
            leader = leaders.get(one.key)
            rank_key = one.key.row.rank_key
            assert leader is not None
            if one.is_held:
                assert rank_key(one.own.value) <= rank_key(leader.value), (one, leader)
            else:
                assert one.beaten_with is not None
                assert rank_key(one.beaten_with.value) < rank_key(one.own.value), one


def test_improvements_know_nothing_of_games_that_do_not_count() -> None:
    player = Player.objects.create(name="Ada")
    now = timezone.now()

    def play(days_ago: float, seconds: int) -> Replay:
        replay = stored_replay(player, time_ms=seconds * 1000, achieved_at=now - days_ago * DAY)
        rank_replays([replay])
        return replay

    play(60, 50)
    fake = play(20, 45)
    play(10, 44)
    unranked(fake)
    (row,) = improvements("expert", "all")
    assert (row.old_value, row.new_value, row.steps) == (50.0, 44.0, 1)


def test_improvements_of_who_is_left_with_another_game() -> None:
    """The best of the days is taken off the boards; the second best is below the best before as well."""
    player = Player.objects.create(name="Ada")
    now = timezone.now()
    games = []
    for days_ago, seconds in ((60, 50), (20, 40), (10, 45)):
        games.append(stored_replay(player, time_ms=seconds * 1000, achieved_at=now - days_ago * DAY))
        rank_replays(games[-1:])
    unranked(games[1])
    assert [(row.old_value, row.new_value) for row in improvements("expert", "all")] == [(50.0, 45.0)]
