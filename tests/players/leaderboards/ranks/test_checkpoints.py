"""Ranks from checkpoints equal those of a plain count after any changes."""

from __future__ import annotations

import random
import threading
from operator import attrgetter
from typing import Any

import pytest
from django.conf import settings
from django.db import connection, transaction

from players.leaderboards.boards import BETTER, COMBINED, COMBINED_BETTER, COMBINED_ORDER, ORDER, BoardKey, all_boards
from players.leaderboards.ranks import checkpoints as module
from players.leaderboards.ranks.checkpoints import (
    Change,
    boards_to_count,
    count_boards,
    log_rank_changes,
)
from players.leaderboards.ranks.count import Place, place_of
from players.leaderboards.services import rebuild_boards
from players.models import PersonalBest, Player, RankChange, RankCheckpoint
from players.tasks import count_busy_boards
from replays.models import Replay
from tests.effort import seeds
from tests.factories import EPOCH, random_ranked_replay, rank_replays, unrank_replays
from tests.players.made_games import rows_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _close_checkpoints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROWS_A_CHECKPOINT", 2)


def saved(source: random.Random, player: Player) -> Replay:
    replay = random_ranked_replay(source, player)
    replay.save()
    return replay


def assert_ranks_are_right() -> None:
    for key in all_boards():
        rows = list(rows_of(key))
        order, better = (COMBINED_ORDER, COMBINED_BETTER) if key.level == COMBINED else (ORDER, BETTER)
        standing, listed_by = attrgetter(*better), attrgetter(*order)
        for row in rows:
            ahead = sum(standing(other) < standing(row) for other in rows)
            before = sum(listed_by(other) < listed_by(row) for other in rows)
            assert place_of(key, row) == Place(1 + ahead, before), row


@pytest.mark.long(
    beside="tests/players/leaderboards/ranks/test_checkpoints.py::test_a_tie_of_any_size_lies_between_two_checkpoints"
)
@pytest.mark.parametrize("seed", seeds(0, 1, 2))
def test_ranks_are_right_after_any_changes(seed: int) -> None:
    source = random.Random(seed)
    players = [Player.objects.create(name=f"player {number}") for number in range(7)]
    alive: list[Replay] = []
    for _ in range(12):
        new = [saved(source, source.choice(players)) for _ in range(source.randint(1, 6))]
        rank_replays(new)
        alive += new
        if source.random() < 0.5:
            gone = [alive.pop(source.randrange(len(alive))) for _ in range(min(3, len(alive)))]
            unrank_replays(gone)
            Replay.objects.filter(pk__in=[replay.pk for replay in gone]).delete()
        if source.random() < 0.4:
            count_boards(source.sample(all_boards(), 60))
    assert RankChange.objects.exists()
    assert_ranks_are_right()
    count_boards()
    assert RankCheckpoint.objects.exists()
    assert not RankChange.objects.exists()
    assert_ranks_are_right()
    rebuild_boards()
    assert not RankChange.objects.exists()  # nothing moved


def test_a_tie_of_any_size_lies_between_two_checkpoints() -> None:
    for number, value in enumerate([1.0, *[2.0] * 9, 3.0, 3.0, 4.0]):
        player = Player.objects.create(name=str(number))
        best = {"statistic": "corr", "level": "expert", "style": "all", "value": value, "rank_key": value}
        replay = saved(random.Random(number), player)
        PersonalBest.objects.create(player=player, replay=replay, achieved_at=EPOCH, **best)
    key = BoardKey("expert", "corr", "all")
    assert count_boards([key]) == 1
    checkpoints = RankCheckpoint.objects.order_by("rank_key").values_list("rank_key", "ahead")
    assert list(checkpoints) == [(3.0, 10), (4.0, 12)]
    assert_ranks_are_right()


def test_only_moves_are_logged_and_busy_boards_are_counted() -> None:
    here = ("time", "expert", "all")
    log_rank_changes([Change(*here, 1.0, 1.0), Change(*here, None, None)])
    assert not RankChange.objects.exists()
    log_rank_changes([Change(*here, None, float(number)) for number in range(3)])
    log_rank_changes([Change("time", COMBINED, "NF", 2.0, None)])
    assert boards_to_count(3) == [BoardKey("expert", "time", "all")]
    assert boards_to_count(1) == [BoardKey("expert", "time", "all"), BoardKey(COMBINED, "time", "NF")]
    count_boards(boards_to_count(3))
    assert boards_to_count(1) == [BoardKey(COMBINED, "time", "NF")]


@pytest.mark.django_db(transaction=True)
def test_only_one_process_counts_at_a_time() -> None:
    counted: list[int] = []

    def other() -> None:
        counted.append(count_boards())
        connection.close()

    with transaction.atomic():
        assert count_boards([BoardKey("expert", "time", "all")]) == 1
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert counted == [0]


@pytest.mark.django_db(transaction=True)
def test_a_change_that_commits_during_a_count_is_neither_counted_nor_deleted() -> None:
    """A writer that has changed a board and not yet committed while the board is counted."""
    players = [Player.objects.create(name=f"player {number}") for number in range(8)]
    source = random.Random(5)
    for player in players:
        rank_replays([saved(source, player)])
    wrote, counted = threading.Event(), threading.Event()
    errors: list[BaseException] = []

    def writer(player: Player) -> None:
        try:
            with transaction.atomic():
                rank_replays([saved(random.Random(6), player)])
                wrote.set()
                assert counted.wait(30)
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=writer, args=(Player.objects.create(name="late"),))
    thread.start()
    assert wrote.wait(30)
    count_boards()
    counted.set()
    thread.join()
    assert not errors
    late: Any = Player.objects.get(name="late")
    assert late.personal_bests.exists()
    assert RankChange.objects.exists()
    assert_ranks_are_right()


def test_the_schedule_counts_busy_boards() -> None:
    log_rank_changes([Change("time", "expert", "all", None, float(number)) for number in range(module.CHANGES_A_BOARD)])
    log_rank_changes([Change("time", "beginner", "all", None, 1.0)])
    count_busy_boards()
    assert boards_to_count(1) == [BoardKey("beginner", "time", "all")]
    assert settings.CELERY_BEAT_SCHEDULE["count-busy-boards"]["task"] == count_busy_boards.name
