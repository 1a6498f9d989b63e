"""Appeals: who may appeal and when, how appeals are closed, and the API."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from players.models import PersonalBest, Player, User
from replays.models import Appeal, Replay
from replays.trust.judging.appeals import MAX_APPEALS, AppealRefused, appeal_create
from replays.trust.judging.services import replay_judge
from replays.upload.processing.deletion import replay_delete
from replays.upload.processing.stale import requeue_stale
from tests.cases import check_each_on_site
from tests.replays.conftest import Ingest
from tests.replays.games import game_file

pytestmark = pytest.mark.django_db
LONG_AGO = datetime.datetime(2005, 1, 1, tzinfo=datetime.UTC)


@pytest.fixture
def frozen(ingest: Ingest, owner: User, staff: User) -> Replay:
    return replay_judge(ingest(game_file(), uploader=owner), "frozen", "Looks edited.", staff)


def test_an_accepted_replay_has_nothing_to_appeal(ingest: Ingest, owner: User) -> None:
    row = ingest(game_file(), uploader=owner)
    with pytest.raises(AppealRefused):
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
    with pytest.raises(AppealRefused) as refused:
        appeal_create(frozen, owner, "It really was me.")
    assert refused.value.code == "appeal_open"
    with pytest.raises(IntegrityError), transaction.atomic():
        Appeal.objects.create(replay=frozen, user=owner, text="around the service", created_at=timezone.now())


def test_the_number_of_appeals_is_limited(frozen: Replay, owner: User, staff: User) -> None:
    for number in range(MAX_APPEALS):
        appeal_create(frozen, owner, f"Please {number}")
        replay_judge(frozen, "frozen", f"No {number}", staff)
    with pytest.raises(AppealRefused) as refused:
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


# --- the interface ---


def address(row: Replay) -> str:
    return f"/api/v1/replays/{row.pk}/appeal/"


def send(client: Client, row: Replay, body: Any) -> Any:
    return client.post(address(row), body, content_type="application/json")


def test_the_owner_appeals_and_reads_the_answer(
    frozen: Replay, owner_client: Client, other_client: Client, staff_client: Client, staff: User
) -> None:
    response = send(owner_client, frozen, {"text": "It was <b>me</b>."})
    assert response.status_code == 201
    sent = response.json()
    assert (sent["replay"]["id"], sent["text"], sent["state"], sent["answer"]) == (
        frozen.pk,
        "It was <b>me</b>.",
        "open",
        None,
    )
    again = send(owner_client, frozen, {"text": "Hello?"})
    assert (again.status_code, again.json()["code"]) == (409, "appeal_open")
    replay_judge(frozen, "accepted", "Fine.", staff)
    for client in (owner_client, staff_client):
        (row,) = client.get(address(frozen)).json()["rows"]
        assert (row["state"], row["answer"]) == ("granted", "Fine.")
    assert other_client.get(address(frozen)).status_code == 403
    assert send(owner_client, frozen, {"text": "Thanks"}).json()["code"] == "accepted"


def test_bad_texts_are_refused(frozen: Replay, owner_client: Client) -> None:
    def is_refused(body: dict[str, Any]) -> None:
        response = send(owner_client, frozen, body)
        assert response.status_code == 400
        assert response.json()["detail"]
        assert not Appeal.objects.exists()

    cases = [{}, {"text": ""}, {"text": "  "}, {"text": "x" * 1001}, {"text": None}, {"text": ["a"]}, {"text": "\x00"}]
    check_each_on_site(is_refused, cases)


def test_only_owners_appeal(
    frozen: Replay, anonymous: Client, other_client: Client, staff_client: Client, other_player: User
) -> None:
    assert send(anonymous, frozen, {"text": "Let me"}).status_code == 401
    assert anonymous.get(address(frozen)).status_code == 401
    assert send(other_client, frozen, {"text": "Let me"}).status_code == 403
    assert send(staff_client, frozen, {"text": "Let me"}).status_code == 403
    assert other_client.post("/api/v1/replays/999999/appeal/", {"text": "x"}).status_code == 404
    assert not Appeal.objects.exists()
    Replay.objects.filter(pk=frozen.pk).update(player=Player.objects.get(user=other_player))
    assert send(other_client, frozen, {"text": "It counts for me"}).status_code == 201


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
