"""A task of few replays also analyses those that have waited longest."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from replays.models import Replay
from replays.processing.services import add_waiting
from replays.tasks import analyse
from tests.factories import receive_one
from tests.replays.games import game_file

pytestmark = [pytest.mark.database, pytest.mark.django_db]

UPLOADS = 6


@pytest.fixture
def uploads() -> list[int]:
    """Queued uploads, the first one for the longest time."""
    ids = []
    for number in range(UPLOADS):
        receipt = receive_one(game_file(number + 1), name=f"{number}.rawvf", uploader=None, enqueue=False)
        assert receipt.replay_id is not None
        claimed_at = timezone.now() - timedelta(seconds=UPLOADS - number)
        Replay.objects.filter(pk=receipt.replay_id).update(claimed_at=claimed_at)
        ids.append(receipt.replay_id)
    return ids


def test_replays_that_have_waited_longest_are_added(uploads: list[int]) -> None:
    assert add_waiting([uploads[4]], 3) == [uploads[4], uploads[0], uploads[1]]
    assert add_waiting([uploads[4]]) == [uploads[4], *uploads[:4], uploads[5]]


def test_nothing_is_added_to_a_full_task(uploads: list[int], django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        assert add_waiting(uploads[3:], 3) == uploads[3:]


@pytest.mark.parametrize(
    "state",
    [
        {"status": Replay.Status.RUNNING, "attempts": 1},
        {"status": Replay.Status.DONE},
        {"status": Replay.Status.REJECTED},
        {"attempts": 1},
    ],
)
def test_running_and_retried_replays_are_not_added(uploads: list[int], state: dict[str, Any]) -> None:
    """A file that kills its worker must not affect others."""
    Replay.objects.filter(pk=uploads[0]).update(**state)
    assert add_waiting([uploads[1]]) == uploads[1:]


def test_one_task_analyses_all_and_the_others_find_nothing_to_do(uploads: list[int]) -> None:
    analyse([uploads[2]])
    assert Replay.objects.filter(status=Replay.Status.DONE).count() == UPLOADS
    assert set(Replay.objects.values_list("attempts", flat=True)) == {1}
    with CaptureQueriesContext(connection) as queries:
        for replay_id in uploads:
            analyse([replay_id])
    writes = [query["sql"] for query in queries if query["sql"].startswith(("UPDATE", "INSERT", "DELETE"))]
    assert writes == []
    assert set(Replay.objects.values_list("attempts", flat=True)) == {1}
