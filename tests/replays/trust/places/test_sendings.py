"""Senders of the bytes of a file: all are remembered, and deleting takes back only one's own sending (S5)."""

from __future__ import annotations

import pytest
from django.test import Client

from players.models import Identity, Player, User
from replays.models import Contest, Replay, ReportedThing, Sending
from replays.own.account_deletion.erasing import _uploads
from replays.trust.judging.permissions import may_delete
from replays.trust.ownership.services import games_answer
from replays.trust.provisional import marking
from replays.upload.batches.selectors import known_files, uploads_of
from replays.upload.processing.deletion import replay_delete
from tests.factories import receive_one, replay_report
from tests.replays.conftest import Ingest
from tests.replays.trust.places.conftest import copied, original

pytestmark = pytest.mark.django_db


@pytest.fixture
def shared(ingest: Ingest, owner: User, thief: User) -> Replay:
    """The owner's very file, which the thief sent first."""
    first = ingest(original(), uploader=thief)
    assert ingest(original(), uploader=owner).pk == first.pk
    return first


def test_t5_who_sends_the_bytes_first_does_not_own_them(shared: Replay, owner: User, thief: User) -> None:
    assert replay_delete(shared, by=thief)
    shared.refresh_from_db()
    assert (shared.uploader, shared.ranked, shared.original_name) == (owner, True, "")
    assert not Sending.objects.exists()
    assert replay_delete(shared, by=owner)
    assert not Replay.objects.exists()


def test_the_later_sender_takes_only_the_own_sending_back(shared: Replay, owner: User, thief: User) -> None:
    assert may_delete(shared, owner)
    assert replay_delete(shared, by=owner)
    shared.refresh_from_db()
    assert (shared.uploader, shared.ranked) == (thief, True)
    assert not may_delete(shared, owner)


def test_the_answer_says_that_the_game_is_here(shared: Replay) -> None:
    receipt = receive_one(original(), name="again", uploader=User.objects.create_user("third"), enqueue=False)
    assert receipt.message == f"Your game is here already, as replay #{shared.pk}. We'll remember that you sent it too."


def test_own_lists_have_it(shared: Replay, owner: User, owner_client: Client) -> None:
    assert list(uploads_of(owner)) == [shared]
    assert owner_client.get("/api/v1/me/uploads/").json()["rows"][0]["id"] == shared.pk
    assert f'href="{shared.get_absolute_url()}"' in owner_client.get("/account/uploads/").content.decode()
    assert owner_client.delete(f"/api/v1/replays/{shared.pk}/").status_code == 204
    assert list(uploads_of(owner)) == []


def test_a_file_of_somebody_else_is_sent_though_its_hash_is_known(shared: Replay, owner: User) -> None:
    """Else the page would not send it, and its owner would not be remembered."""
    third = User.objects.create_user("third")
    assert known_files(third, [shared.sha256]) == []
    assert [row.pk for row in known_files(owner, [shared.sha256])] == [shared.pk]


def test_to_send_it_is_the_yes_of_the_owner_of_the_name(ingest: Ingest, owner: User, thief: User) -> None:
    Player.objects.filter(user=owner).update(name="Ada Bot")
    player = Player.objects.get(user=owner)
    Identity.objects.create(name="Ada Bot", player=player, first_player=player, claimant=owner, state="claimed")
    first = ingest(original(), uploader=thief)
    assert (first.ownership, first.ranked) == ("waiting", False)
    ingest(original(), uploader=owner)
    first.refresh_from_db()
    assert (first.ownership, first.ranked) == ("confirmed", True)
    games_answer(owner, [first.pk], "disowned")
    ingest(original(), uploader=owner)
    first.refresh_from_db()
    assert (first.ownership, first.ranked) == ("disowned", False), "a given answer stays"


def test_an_account_that_is_deleted_leaves_the_file_to_the_others(shared: Replay, owner: User, thief: User) -> None:
    from replays.models import AccountDeletion

    deletion = AccountDeletion(user=thief, uploads=AccountDeletion.Uploads.DELETE)
    assert _uploads(deletion) == 1
    shared.refresh_from_db()
    assert shared.uploader == owner


def test_whoever_sends_a_copy_again_disputes_nothing_twice(ingest: Ingest, owner: User, thief: User) -> None:
    ingest(original(), uploader=owner)
    copy = ingest(copied(), uploader=thief)
    third = User.objects.create_user("third")
    for user in (thief, third, third):
        receive_one(copied(), name="again", uploader=user, enqueue=False)
    assert sorted(Contest.objects.values_list("user__username", "game")) == [
        ("other_player", copy.pk), ("third", copy.pk),
    ]  # fmt: skip


# --- reports ---


def test_t6_a_report_is_not_shaken_off_by_deleting_and_sending_again(ingest: Ingest, owner: User, thief: User) -> None:
    """It was deleted with the file (S6)."""
    copy = ingest(copied(), uploader=thief)
    case = replay_report(copy, owner, "Not played by a hand.").thing
    assert replay_delete(copy, by=thief)
    case.refresh_from_db()
    assert case.closed_at is None
    again = ingest(copied("mirrored"), uploader=thief)
    case.refresh_from_db()
    assert (case.number, case.about) == (again.pk, thief)
    assert again.provisional_until is None


def test_a_dispute_starts_no_clock_that_a_report_stopped(
    ingest: Ingest, owner: User, thief: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = ingest(original(), uploader=owner)
    replay_report(mine, User.objects.create_user("third"), "A bot.")
    copy = ingest(copied(), uploader=thief)
    monkeypatch.setattr(marking, "_why", lambda *_given: ("top", {"statistic": "time", "style": "all", "places": 10}))
    assert replay_delete(copy, by=thief)
    mine.refresh_from_db()
    assert (mine.ranked, mine.judgement, mine.provisional_until) == (True, "provisional", None)


def test_a_report_ends_with_what_a_moderator_deletes(ingest: Ingest, owner: User, thief: User, staff: User) -> None:
    copy = ingest(copied(), uploader=thief)
    replay_report(copy, owner, "A bot.")
    assert replay_delete(copy, by=staff)
    assert not ReportedThing.objects.filter(closed_at=None).exists()
