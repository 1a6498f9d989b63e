"""Luck is measured by real workers: behind the analyses, and again when a worker is killed."""

from __future__ import annotations

import re
from typing import Any

import pytest

from analysis import formats
from analysis.luck import luck_of
from analysis.recording import Level
from players.leaderboards.services import rebuild_boards
from players.models import PersonalBest, User
from replays.models import LUCK_IS_WANTED, Replay, file_store
from replays.upload.processing.queue import LUCK, queue
from tests.factories import receive_one
from tests.replays.games import game_file
from tests.services import wait_until
from tests.worker import Worker

pytestmark = [pytest.mark.stack, pytest.mark.django_db(transaction=True)]

GAMES = 30
_RECEIVED = re.compile(r"Task (replays\.(?:analyse|luck))\[")


@pytest.fixture(autouse=True)
def _store_of_the_worker(settings: Any) -> None:
    """The worker reads the files of the site's own store."""
    backend = settings.STORAGES["replays"] | {"OPTIONS": {"location": settings.REPLAY_FILES_DIR}}
    settings.STORAGES = {**settings.STORAGES, "replays": backend}


def hand_in(numbers: range, owner: User) -> None:
    for seed in numbers:
        receive_one(game_file(seed, Level.INTERMEDIATE), name=f"{seed}.rawvf", uploader=owner)


def all_measured() -> bool:
    return not Replay.objects.exclude(status="done").exists() and not Replay.objects.filter(LUCK_IS_WANTED).exists()


def bests() -> list[tuple[Any, ...]]:
    return sorted(PersonalBest.objects.values_list("player", "statistic", "level", "style", "value", "replay"))


def received(worker: Worker) -> list[str]:
    """The tasks in the order in which the worker took them."""
    return _RECEIVED.findall("\n".join(line for line in worker.text().splitlines() if " received" in line))


@pytest.mark.long(beside="tests/replays/odds/luck/test_luck.py::test_luck_is_queued_when_an_analysis_is_saved")
def test_luck_arrives_after_ranking(worker: Worker, owner: User) -> None:
    hand_in(range(1, GAMES + 1), owner)
    worker.start()
    wait_until(lambda: Replay.objects.filter(ranked=True).count() == GAMES, seconds=180, what="ranked replays")
    wait_until(all_measured, seconds=180, what=f"luck:\n{worker.text()[-2000:]}")
    for row in Replay.objects.all()[:5]:
        expected = luck_of(formats.read(file_store.get(row.sha256))).values
        assert {name: row.statistic(name) for name in expected} == expected
    assert PersonalBest.objects.filter(statistic="pluck", style="all").count() == 1
    followed = bests()
    rebuild_boards()
    assert bests() == followed


@pytest.mark.long(beside="tests/replays/odds/luck/test_luck.py::test_luck_is_queued_when_an_analysis_is_saved")
def test_uploads_are_taken_before_luck_that_waits_longer(worker: Worker, owner: User) -> None:
    """Luck messages are in the broker first, and many of them; the one that is under way is finished."""
    worker.beat = False
    for _ in range(20):
        queue(LUCK, [10**9])
    hand_in(range(1, 11), owner)
    worker.start()
    wait_until(all_measured, seconds=180, what=f"luck:\n{worker.text()[-2000:]}")
    wait_until(lambda: received(worker).count("replays.luck") >= 20, seconds=120, what="all messages")
    order = received(worker)
    assert order.count("replays.analyse") == 10
    before_the_last_upload = order[: len(order) - order[::-1].index("replays.analyse")]
    assert before_the_last_upload.count("replays.luck") <= 2


@pytest.mark.long(beside="tests/replays/odds/luck/test_luck.py::test_luck_is_queued_when_an_analysis_is_saved")
def test_a_worker_killed_while_it_measures_leaves_nothing_undone(worker: Worker, owner: User) -> None:
    hand_in(range(1, GAMES + 1), owner)
    worker.start()
    wait_until(lambda: "replays.luck" in received(worker), every=0.005, seconds=180, what="the first luck task")
    worker.kill()
    worker.start()
    wait_until(all_measured, seconds=180, what=f"luck:\n{worker.text()[-2000:]}")
    followed = bests()
    rebuild_boards()
    assert bests() == followed
    assert not Replay.objects.exclude(luck_code="").exists()
