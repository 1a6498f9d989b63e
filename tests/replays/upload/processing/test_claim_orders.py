"""Two workers that claim the same replays, in every order of their statements."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from replays.models import Replay
from replays.upload.processing.services import _claim
from tests.factories import stored_replay
from tests.interleavings import Statements, every_order

pytestmark = [
    pytest.mark.django_db(transaction=True),
]


@pytest.mark.parametrize(("again", "attempts"), [(False, 0), (True, 1)], ids=["queued", "left by a dead worker"])
def test_each_replay_is_claimed_once(again: bool, attempts: int) -> None:
    rows = [stored_replay(None, ranked=False) for _ in range(2)]
    ids = [row.pk for row in rows]
    long_ago = timezone.now() - timedelta(days=1)

    def scenario(run: Callable[..., None]) -> None:
        status = Replay.Status.RUNNING if again else Replay.Status.QUEUED
        Replay.objects.update(status=status, attempts=attempts, claimed_at=long_ago)
        first = Statements(partial(_claim, ids, again=again))
        second = Statements(partial(_claim, ids[1:], again=again))
        run(first, second)
        claimed = sorted(row.pk for task in (first, second) for row in task.result)
        assert claimed == ids, "each by one of them"
        assert set(Replay.objects.values_list("status", "attempts")) == {(Replay.Status.RUNNING, attempts + 1)}

    assert every_order(scenario) > 10
