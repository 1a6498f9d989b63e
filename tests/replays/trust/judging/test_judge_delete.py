from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError

from players.decision_log import Decision
from players.models import PersonalBest, SecondCount, User
from replays.models import Replay, file_store
from replays.trust.judging.services import replay_judge
from replays.upload.processing.deletion import replay_delete
from replays.upload.processing.queue import ANALYSE
from replays.upload.processing.services import analyse_replays
from replays.upload.processing.stale import replays_requeue, requeue_stale
from tests.replays.conftest import Ingest
from tests.replays.games import avf_file, game_file, other_wrapper
from tests.replays.sent_tasks import sent_ids

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    return sent_ids(monkeypatch, ANALYSE)


def holders() -> set[int]:
    return set(PersonalBest.objects.values_list("replay_id", flat=True))


def test_freezing_removes_a_replay_from_the_boards_and_accepting_adds_it_again(ingest: Ingest, staff: User) -> None:
    row = ingest(game_file())
    assert holders() == {row.pk}
    frozen = replay_judge(row, "frozen", "edited file", staff)
    assert (frozen.judgement, frozen.judgement_reason, frozen.ranked) == ("frozen", "edited file", False)
    assert not PersonalBest.objects.exists()
    assert not SecondCount.objects.exists()
    assert replay_judge(row, "accepted", "", staff).ranked
    assert holders() == {row.pk}
    logged = Decision.objects.order_by("pk").values_list("by_number", "before", "after", "reason")
    assert list(logged) == [
        (staff.pk, "accepted", "frozen", "edited file"), (staff.pk, "frozen", "accepted", ""),
    ]  # fmt: skip


def test_the_next_best_returns(ingest: Ingest, staff: User) -> None:
    rows = sorted((ingest(game_file(seed)) for seed in range(1, 5)), key=lambda row: row.statistic("time") or 0)
    replay_judge(rows[0], "suspicious", "too fast", staff)
    assert PersonalBest.objects.get(statistic="time", style="all").replay == rows[1]


@pytest.mark.parametrize(("judgement", "reason"), [("frozen", ""), ("suspicious", "  "), ("nonsense", "why not")])
def test_a_judgement_must_be_known_and_have_a_reason(judgement: str, reason: str, ingest: Ingest, staff: User) -> None:
    row = ingest(game_file())
    with pytest.raises(ValidationError):
        replay_judge(row, judgement, reason, staff)
    row.refresh_from_db()
    assert (row.judgement, row.ranked) == ("accepted", True)
    assert not Decision.objects.exists()


def test_a_judgement_stays_through_another_analysis(ingest: Ingest, staff: User) -> None:
    row = ingest(game_file())
    replay_judge(row, "frozen", "edited", staff)
    Replay.objects.filter(pk=row.pk).update(status=Replay.Status.QUEUED, attempts=0)
    analyse_replays([row.pk])
    row.refresh_from_db()
    assert (row.status, row.judgement, row.ranked) == ("done", "frozen", False)
    assert not PersonalBest.objects.exists()


def test_deleting_removes_row_bests_and_file(
    ingest: Ingest, staff: User, django_capture_on_commit_callbacks: Any
) -> None:
    row = ingest(game_file())
    with django_capture_on_commit_callbacks(execute=True):
        replay_delete(row, by=staff)
        assert file_store.exists(row.sha256)  # needed after a rollback
    assert not Replay.objects.exists()
    assert not PersonalBest.objects.exists()
    assert not file_store.exists(row.sha256)
    assert Decision.objects.get().action == "deleted"
    replay_delete(row, by=staff)  # deleted already


def test_bytes_that_were_uploaded_again_keep_their_file(
    ingest: Ingest, staff: User, django_capture_on_commit_callbacks: Any
) -> None:
    row = ingest(game_file())
    with django_capture_on_commit_callbacks(execute=True):
        replay_delete(row, by=staff)
        again = ingest(game_file())
    assert file_store.get(again.sha256) == game_file()


def test_a_frozen_game_does_not_come_back_as_its_copy(
    ingest: Ingest, staff: User, django_capture_on_commit_callbacks: Any
) -> None:
    """Neither when it is frozen nor when staff delete it: files of its uploader go with it."""
    owner = ingest(avf_file(), uploader=staff)
    copy = ingest(other_wrapper(avf_file()), uploader=staff)
    owner = replay_judge(owner, "frozen", "edited", staff)
    copy.refresh_from_db()
    assert (copy.judgement, copy.ranked) == ("linked", False)
    with django_capture_on_commit_callbacks(execute=True):
        replay_delete(owner, by=staff)
    analyse_replays([copy.pk])
    copy.refresh_from_db()
    assert (copy.status, copy.judgement, copy.judgement_reason, copy.ranked) == ("done", "frozen", "edited", False)
    assert not PersonalBest.objects.exists()


def test_a_linked_file_takes_the_place_of_a_deleted_one(ingest: Ingest, staff: User) -> None:
    owner = ingest(avf_file(), uploader=staff)
    other = ingest(other_wrapper(avf_file()), uploader=staff)
    assert (other.status, other.judgement, other.ranked) == ("done", "linked", False)
    assert holders() == {owner.pk}
    replay_delete(owner, by=staff)
    other.refresh_from_db()
    assert (other.judgement, other.judgement_code, other.ranked) == ("accepted", "", True)
    assert holders() == {other.pk}


def test_rejected_replays_can_be_tried_again(
    ingest: Ingest, sent: list[list[int]], django_capture_on_commit_callbacks: Any
) -> None:
    done, rejected = ingest(game_file()), ingest(b"bad")
    with django_capture_on_commit_callbacks(execute=True):
        assert replays_requeue([done.pk, rejected.pk]) == 1
    assert sent == [[rejected.pk]]
    rejected.refresh_from_db()
    assert (rejected.status, rejected.attempts, rejected.reject_code) == ("queued", 0, "")


def test_the_sweep_queues_stale_rows_again(
    ingest: Ingest, sent: list[list[int]], settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    from datetime import timedelta

    from django.utils import timezone

    rows = [ingest(game_file(seed)) for seed in range(1, 6)]
    old, new = timezone.now() - timedelta(seconds=settings.STALE_AFTER_SECONDS + 5), timezone.now()
    states = [("queued", old), ("running", old), ("queued", new), ("running", new), ("done", old)]
    for row, (state, claimed_at) in zip(rows, states, strict=True):
        Replay.objects.filter(pk=row.pk).update(status=state, claimed_at=claimed_at)
    with django_capture_on_commit_callbacks(execute=True):
        assert sorted(requeue_stale()) == [rows[0].pk, rows[1].pk]
    assert [sorted(ids) for ids in sent] == [[rows[0].pk, rows[1].pk]]
    assert requeue_stale() == []
    assert [Replay.objects.get(pk=row.pk).status for row in rows] == ["queued", "queued", "queued", "running", "done"]
