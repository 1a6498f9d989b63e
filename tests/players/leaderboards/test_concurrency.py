"""Many threads change the same players: no best, count or record is lost, and no thread waits for ever."""

from __future__ import annotations

import datetime
import random
import threading
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from django.db import connection, transaction

from analysis.statistics import CLASSIC_LEVELS
from players.leaderboards.services import (
    rebuild_boards,
)
from players.models import Player, RecordEvent
from replays.models import Replay
from tests.factories import EPOCH, rank_replays, replay_of, unrank_replays
from tests.players.naive_boards import expected_boards, stored_boards

pytestmark = pytest.mark.django_db(transaction=True)

THREADS = 8


def run_at_once(works: Iterable[Callable[[], Any]]) -> None:
    """Run ``works`` at the same time in threads with a connection each; fails if any raises."""
    works = list(works)
    gate, errors = threading.Barrier(len(works)), []

    def run(work: Callable[[], Any]) -> None:
        try:
            gate.wait(30)
            work()
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not any(thread.is_alive() for thread in threads), "a thread waits for ever"
    assert errors == []


def games(source: random.Random, players: list[Player], count: int) -> list[Replay]:
    return [
        replay_of(
            source.choice(players),
            source.choice(CLASSIC_LEVELS),
            time_ms=source.randint(3, 9) * 500,
            bv=source.randint(20, 23),
            style=source.choice(["NF", "FL"]),
            achieved_at=EPOCH + datetime.timedelta(days=source.randint(0, 3)),
            source=source,
        )
        for _ in range(count)
    ]


def store(replays: list[Replay]) -> None:
    with transaction.atomic():
        rank_replays(Replay.objects.bulk_create(replays))


def test_no_best_is_lost_between_eight_threads() -> None:
    player = Player.objects.create(name="Ada")

    def work(seed: int) -> Callable[[], None]:
        source = random.Random(seed)
        batches = [games(source, [player], 3) for _ in range(6)]

        def run() -> None:
            for batch in batches:
                store(batch)

        return run

    run_at_once(work(seed) for seed in range(THREADS))
    assert Replay.objects.count() == THREADS * 18
    assert stored_boards() == expected_boards()
    # Each record has the value of the one before as its old value.
    values = RecordEvent.objects.filter(kind="personal", statistic="time", level="expert", style="all").order_by("id")
    chain = [(event.old_value, event.new_value) for event in values]
    assert chain[0][0] is None
    assert [old for old, _ in chain[1:]] == [new for _, new in chain[:-1]]


@pytest.mark.long(beside="tests/players/leaderboards/test_concurrency.py::test_no_best_is_lost_between_eight_threads")
def test_batches_of_the_same_players_in_any_order_do_not_deadlock() -> None:
    players = [Player.objects.create(name=f"p{number}") for number in range(5)]

    def work(seed: int) -> Callable[[], None]:
        source = random.Random(seed)
        batches = [games(source, players, 6) for _ in range(4)]

        def run() -> None:
            for batch in batches:
                store(batch)
            with transaction.atomic():
                half = batches[0][:3]
                Replay.objects.filter(pk__in=[replay.pk for replay in half]).update(ranked=False)
                unrank_replays(half)
            rebuild_boards([player.pk for player in source.sample(players, 3)])

        return run

    run_at_once(work(seed) for seed in range(THREADS))
    assert stored_boards() == expected_boards()
