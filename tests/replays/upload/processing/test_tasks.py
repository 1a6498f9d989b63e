from __future__ import annotations

import logging
import os
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from celery import current_app
from django.conf import settings
from django.utils import timezone

from players.models import Player
from replays import tasks
from replays.browse.home.selectors import SiteCounts, site_counts
from replays.models import Replay
from replays.upload.intake.services import receive_many
from replays.upload.processing import queue
from tests.factories import rank_replays, stored_replay
from tests.replays.games import game_file
from tests.replays.sent_tasks import sent_ids
from tests.services import Broker, wait_until
from tests.worker import Worker

pytestmark = pytest.mark.django_db


def queued(*contents: bytes) -> list[int]:
    receipts = receive_many([("a", data) for data in contents], uploader=None, enqueue=False)
    return [receipt.replay_id for receipt in receipts if receipt.replay_id is not None]


def test_the_task_has_the_name_by_which_it_is_sent() -> None:
    assert tasks.analyse.name == queue.ANALYSE.name
    assert tasks.analyse.acks_late


def test_no_task_is_killed_after_it_is_queued_again_or_before_it_is_told() -> None:
    """Celery refuses a task with a soft limit beyond its limit."""
    assert settings.STALE_AFTER_SECONDS >= settings.CELERY_TASK_TIME_LIMIT + settings.SWEEP_EVERY_SECONDS
    assert settings.CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"] > 2 * settings.CELERY_TASK_TIME_LIMIT
    own = [task for task in current_app.tasks.values() if task.name.startswith("replays.")]
    assert tasks.clip in own
    for task in own:
        if task.time_limit != settings.CELERY_TASK_TIME_LIMIT:
            assert task.soft_time_limit != settings.CELERY_TASK_SOFT_TIME_LIMIT
        assert task.soft_time_limit < task.time_limit, task.name


def test_the_task_may_run_any_number_of_times() -> None:
    ids = queued(game_file(1), b"bad")
    for _ in range(3):
        tasks.analyse(ids)
    assert sorted(Replay.objects.values_list("status", "attempts")) == [("done", 0), ("rejected", 1)]


def test_the_sweep_queues_again_and_clears_leftovers(
    store: Path, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    sent = sent_ids(monkeypatch, queue.ANALYSE)
    ids = queued(game_file())
    Replay.objects.update(claimed_at=timezone.now() - timedelta(days=1))
    leftover = store / "incoming" / "leftover"
    leftover.write_bytes(b"")
    os.utime(leftover, (time.time() - 10**6,) * 2)
    with django_capture_on_commit_callbacks(execute=True):
        tasks.sweep()
    assert sent == [ids]
    assert not leftover.exists()


def test_kernels_are_compiled_when_the_worker_starts(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="replays.tasks"):
        tasks.prepare()
    assert "The analysis is ready after" in caplog.text


@pytest.mark.long(
    beside="tests/replays/upload/processing/test_analyse.py::test_a_worker_that_lost_its_claim_saves_nothing"
)
@pytest.mark.stack
@pytest.mark.django_db(transaction=True)
def test_tasks_reach_a_worker_and_the_sweep_queues_lost_ones(broker: Broker, worker: Worker, settings: Any) -> None:
    backend = settings.STORAGES["replays"] | {"OPTIONS": {"location": settings.REPLAY_FILES_DIR}}
    settings.STORAGES = {**settings.STORAGES, "replays": backend}
    broker.stop()
    receive_many([("lost", game_file(1))], uploader=None)  # its task is lost
    broker.start()
    receive_many([("sent", game_file(2))], uploader=None)
    worker.start()
    wait_until(lambda: Replay.objects.filter(status="done").count() == 2, what="both replays")


@pytest.mark.stack
@pytest.mark.django_db(transaction=True)
def test_a_long_list_is_sent_in_several_tasks(broker: Broker, settings: Any) -> None:
    import redis

    ids = list(range(1, 2 * queue.CHUNK + 2))
    queue.queue(queue.ANALYSE, ids)
    client = redis.Redis.from_url(settings.CELERY_BROKER_URL)
    assert client.llen("celery") == 3
    client.close()


def test_the_counts_of_the_start_page_are_refreshed_by_beat() -> None:
    before = site_counts()
    player = Player.objects.create(name="counted")
    rank_replays([stored_replay(player)])
    assert site_counts() == before
    tasks.count_site()
    assert site_counts() == SiteCounts(1, 1, 1)
    assert settings.CELERY_BEAT_SCHEDULE["count-site"]["task"] == tasks.count_site.name
