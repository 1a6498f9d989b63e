"""Nothing is lost or counted twice when a worker is killed or the broker stops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, transaction

from analysis.bots import demo_games
from analysis.formats import rawvf
from players.leaderboards.services import rebuild_boards
from players.models import CombinedBest, PersonalBest, Player, SecondCount, User
from replays.models import LUCK_IS_WANTED, Replay
from tests.effort import amount
from tests.factories import receive_one
from tests.services import Broker, wait_until
from tests.worker import Worker

pytestmark = [pytest.mark.stack, pytest.mark.django_db(transaction=True)]

UPLOADS = amount(long=200, usual=100)
#: What is handed in before a broker stops, and while it is away.
_THIRD = UPLOADS * 7 // 20
_NOT_A_REPLAY = b"this is no replay, number %d"
_SETTLED = [Replay.Status.DONE, Replay.Status.REJECTED]


@pytest.fixture(scope="module")
def uploads() -> list[tuple[str, bytes]]:
    """Different files: games of bots, and every tenth is no replay at all."""
    games = demo_games(7, UPLOADS, until=datetime(2024, 6, 1, tzinfo=UTC))
    return [
        (f"{number}.rawvf", _NOT_A_REPLAY % number if number % 10 == 0 else rawvf.write(game))
        for number, game in enumerate(games)
    ]


def hand_in(uploads: Sequence[tuple[str, bytes]], uploader: User) -> None:
    """One upload at a time, as separate people would."""
    for name, data in uploads:
        receive_one(data, name=name, uploader=uploader)


def settled() -> int:
    return Replay.objects.filter(status__in=_SETTLED).count()


def _has_moved(before: int) -> bool:
    return before < settled() or settled() == UPLOADS


def _all_settled() -> bool:
    return settled() == UPLOADS and not Replay.objects.filter(LUCK_IS_WANTED).exists()


def wait_all_settled(worker: Worker) -> None:
    """Until all are analysed and nothing works on the boards any more."""
    wait_until(
        _all_settled,
        seconds=300,
        what=f"{UPLOADS} settled replays with their luck, got {settled()}:\n{worker.text()[-2000:]}",
    )


def assert_each_once() -> None:
    """Every upload has one settled row, every row the outcome that its bytes deserve, and the boards agree."""
    assert Replay.objects.count() == UPLOADS
    by_status = Counter(Replay.objects.values_list("status", flat=True))
    assert by_status == {Replay.Status.DONE: UPLOADS - UPLOADS // 10, Replay.Status.REJECTED: UPLOADS // 10}
    incremental = boards()
    assert incremental["PersonalBest"], "no game counts: this test compares nothing"
    rebuild_boards()
    assert boards() == incremental


def boards() -> dict[str, list[Any]]:
    """All rows of the boards, without their keys."""
    return {
        "PersonalBest": sorted(
            PersonalBest.objects.values_list("player", "statistic", "level", "style", "value", "replay", "achieved_at")
        ),
        "CombinedBest": sorted(
            CombinedBest.objects.values_list("player", "statistic", "style", "value", "achieved_at")
        ),
        "SecondCount": sorted(
            SecondCount.objects.values_list("player", "level", "style", "second", "games", "first_at", "first_replay")
        ),
    }


@pytest.mark.long(
    beside="tests/replays/upload/processing/test_analyse.py::test_a_worker_that_lost_its_claim_saves_nothing"
)
def test_a_worker_killed_in_the_middle_loses_nothing(
    worker: Worker, uploads: list[tuple[str, bytes]], owner: User
) -> None:
    hand_in(uploads[: UPLOADS // 2], owner)
    with transaction.atomic(), connection.cursor() as cursor:
        # No player can be added now, so the worker stands still between claiming replays and saving what they are worth.
        cursor.execute(f"LOCK TABLE {Player._meta.db_table} IN EXCLUSIVE MODE")
        worker.start()
        wait_until(Replay.objects.filter(status=Replay.Status.RUNNING).exists, what="the worker to be at work")
        worker.kill()
    assert settled() < UPLOADS // 2
    hand_in(uploads[UPLOADS // 2 :], owner)
    worker.start()
    wait_all_settled(worker)
    assert_each_once()


@pytest.mark.long(
    beside="tests/replays/upload/processing/test_analyse.py::test_a_worker_that_lost_its_claim_saves_nothing"
)
def test_a_worker_killed_again_and_again_gets_there(
    worker: Worker, uploads: list[tuple[str, bytes]], owner: User
) -> None:
    hand_in(uploads, owner)
    for _ in range(2):
        worker.start()
        wait_until(partial(_has_moved, settled()), every=0.005, what="any progress")
        worker.kill()
    worker.start()
    wait_all_settled(worker)
    assert_each_once()


@pytest.mark.long(
    beside="tests/replays/upload/intake/test_services.py::test_a_broker_that_is_down_does_not_refuse_an_upload"
)
def test_a_broker_that_stops_during_uploads_refuses_and_loses_nothing(
    worker: Worker, broker: Broker, uploads: list[tuple[str, bytes]], owner: User
) -> None:
    """It forgets its whole queue, too: only the rows know what is to be done."""
    worker.start()
    hand_in(uploads[:_THIRD], owner)
    broker.stop()
    hand_in(uploads[_THIRD : 2 * _THIRD], owner)
    # The worker may take some along that wait beside its last message.
    assert Replay.objects.filter(status=Replay.Status.QUEUED).count() >= _THIRD - 25
    broker.start()
    hand_in(uploads[2 * _THIRD :], owner)
    wait_all_settled(worker)
    assert_each_once()


@pytest.mark.long(
    beside="tests/replays/upload/intake/test_services.py::test_a_broker_that_is_down_does_not_refuse_an_upload"
)
def test_uploads_without_a_broker_wait_for_it(
    worker: Worker, broker: Broker, uploads: list[tuple[str, bytes]], owner: User
) -> None:
    broker.stop()
    hand_in(uploads, owner)
    assert settled() == 0
    broker.start()
    worker.start()
    wait_all_settled(worker)
    assert_each_once()


def test_the_models_compared_are_all_that_the_boards_have() -> None:
    """A new table of bests must join the comparison above.

    Checkpoints and logs say nothing that bests do not; boards are counted where games are played, with no worker.
    """
    tables = {model.__name__ for model in apps.get_app_config("players").get_models()}
    others = {
        "User", "ApiToken", "Player", "Identity", "NamePart", "Claim", "RecordEvent", "RankCheckpoint", "RankChange",
        "LevelChange", "BoardCount", "Change", "Decision",
    }  # fmt: skip
    assert tables - others == {"PersonalBest", "CombinedBest", "SecondCount"}
