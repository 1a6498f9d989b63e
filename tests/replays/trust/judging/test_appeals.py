"""Appeals: who may appeal and when, how appeals are closed, and the API."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from players.models import PersonalBest, User
from replays.models import Appeal, Replay
from replays.trust.judging.appeals import MAX_APPEALS, appeal_create
from replays.trust.judging.services import replay_judge
from replays.upload.processing.deletion import replay_delete
from replays.upload.processing.stale import requeue_stale
from tests.replays.conftest import Ingest
from tests.replays.games import game_file

pytestmark = pytest.mark.django_db
LONG_AGO = datetime.datetime(2005, 1, 1, tzinfo=datetime.UTC)


@pytest.fixture
def frozen(ingest: Ingest, owner: User, staff: User) -> Replay:
    return replay_judge(ingest(game_file(), uploader=owner), "frozen", "Looks edited.", staff)


def test_an_accepted_replay_has_nothing_to_appeal(ingest: Ingest, owner: User) -> None:
    row = ingest(game_file(), uploader=owner)
    with pytest.raises(ValidationError):
        appeal_create(row, owner, "Just in case.")
    assert not Appeal.objects.exists()


@pytest.mark.parametrize("text", ["", "   \n \x00 ", "x" * (Appeal.MAX_CHARS + 1)])
def test_a_text_is_required_and_limited(frozen: Replay, owner: User, text: str) -> None:
    with pytest.raises(ValidationError):
        appeal_create(frozen, owner, text)
    assert not Appeal.objects.exists()


def test_a_text_is_cleaned_line_by_line(frozen: Replay, owner: User) -> None:
    appeal = appeal_create(frozen, owner, "First.\r\n\r\n\r\n\x00Second\ud800.\n" + "y" * 900)
    assert appeal.text == "First.\n\nSecond\ufffd.\n" + "y" * 900
    assert Appeal.objects.get() == appeal


def test_one_appeal_is_open_at_a_time(frozen: Replay, owner: User) -> None:
    appeal_create(frozen, owner, "It was me.")
    with pytest.raises(ValidationError) as refused:
        appeal_create(frozen, owner, "It really was me.")
    assert refused.value.code == "appeal_open"
    with pytest.raises(IntegrityError), transaction.atomic():
        Appeal.objects.create(replay=frozen, user=owner, text="around the service", created_at=timezone.now())


def test_the_number_of_appeals_is_limited(frozen: Replay, owner: User, staff: User) -> None:
    for number in range(MAX_APPEALS):
        appeal_create(frozen, owner, f"Please {number}")
        replay_judge(frozen, "frozen", f"No {number}", staff)
    with pytest.raises(ValidationError) as refused:
        appeal_create(frozen, owner, "Please")
    assert refused.value.code == "too_many_appeals"
    answers = Appeal.objects.order_by("id").values_list("state", "answer")
    assert list(answers) == [("denied", f"No {number}") for number in range(MAX_APPEALS)]


@pytest.mark.parametrize(
    ("decision", "answer", "state"),
    [("accepted", "", "granted"), ("accepted", "You are right.", "granted"), ("suspicious", "Still odd.", "denied")],
)
def test_a_judgement_closes_the_appeal_and_updates_the_boards(
    frozen: Replay, owner: User, staff: User, decision: str, answer: str, state: str
) -> None:
    appeal = appeal_create(frozen, owner, "It was me.")
    row = replay_judge(frozen, decision, answer, staff)
    appeal.refresh_from_db()
    assert (appeal.state, appeal.answer) == (state, answer)
    assert appeal.answered_at is not None
    assert (row.judged_by, row.judgement_code) == (staff, "staff")
    assert PersonalBest.objects.filter(replay=row).exists() == (decision == "accepted")


def test_a_judgement_that_fails_closes_no_appeal(frozen: Replay, owner: User, staff: User) -> None:
    appeal = appeal_create(frozen, owner, "It was me.")
    with pytest.raises(ValidationError):
        replay_judge(frozen, "frozen", " ", staff)
    appeal.refresh_from_db()
    assert (appeal.state, appeal.answered_at) == ("open", None)


def test_freezing_an_old_replay_never_deletes_it(frozen: Replay, owner: User, settings: Any) -> None:
    """A competitor deletes frozen replays by the age of their upload, old ones in the same night."""
    Replay.objects.filter(pk=frozen.pk).update(uploaded_at=LONG_AGO, claimed_at=LONG_AGO, judged_at=LONG_AGO)
    assert requeue_stale() == []
    frozen.refresh_from_db()
    assert (frozen.status, frozen.judgement, frozen.judgement_reason) == ("done", "frozen", "Looks edited.")


def test_an_appeal_is_deleted_with_its_replay_and_not_with_its_account(
    frozen: Replay, owner: User, staff: User, django_capture_on_commit_callbacks: Any
) -> None:
    appeal = appeal_create(frozen, owner, "It was me.")
    owner.delete()
    appeal.refresh_from_db()
    assert appeal.user is None
    with django_capture_on_commit_callbacks(execute=True):
        replay_delete(frozen, by=staff)
    assert not Appeal.objects.exists()


def test_the_detail_has_the_reason(ingest: Ingest, settings: Any, client: Client, staff: User) -> None:
    settings.JUDGE_LIMITS = [("beginner", "time", "<", 1000.0)]
    row = ingest(game_file())
    found = client.get(f"/api/v1/replays/{row.pk}/").json()
    assert (found["judgement"], found["judgement_code"], found["judged_at"]) == ("suspicious", "limit", None)
    assert "1000 s" in found["judgement_text"]
    replay_judge(row, "frozen", "Edited.", staff)
    found = client.get(f"/api/v1/replays/{row.pk}/").json()
    assert (found["judgement_code"], found["judgement_text"]) == ("staff", "Edited.")
    replay_judge(row, "accepted", "", staff)
    found = client.get(f"/api/v1/replays/{row.pk}/").json()
    assert (found["judgement"], found["judgement_text"]) == ("accepted", None)
