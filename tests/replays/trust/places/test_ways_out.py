"""Every honest dispute has a way out that its people find: each is walked to its end, by pages and by the API."""

from __future__ import annotations

import pytest
from django.test import Client

from players.models import PersonalBest, User
from replays.models import Appeal, Contest, Place, Replay
from tests.replays.conftest import Ingest
from tests.replays.games import recording
from tests.replays.trust.places.conftest import COPIES, GAME, copied, original

pytestmark = pytest.mark.django_db

Disputed = tuple[Replay, Replay, Place]
COUNTS, LINKED, DISPUTED = ("accepted", True), ("linked", False), ("disputed", False)


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def state(row: Replay) -> tuple[str, bool]:
    row.refresh_from_db()
    return row.judgement, row.ranked


def decide(client: Client, place: Place, **form: object) -> str:
    return client.post(f"/staff/places/{place.pk}/", form, follow=True).content.decode()


# --- staff: the list, a place, its decision ---


def test_staff_decide_a_place_by_its_form(
    disputed: Disputed, owner_client: Client, other_client: Client, staff_client: Client
) -> None:
    mine, copy, place = disputed
    address = f"/staff/places/{place.pk}/"
    for client, own, other in ((owner_client, mine, copy), (other_client, copy, mine)):
        text = page(client, own.get_absolute_url())
        assert f"as replay #{other.pk}." in text
        assert f'href="/replays/{own.pk}/appeal/"' in text
        assert f'href="{own.get_absolute_url()}"' in page(client, "/"), "told at home, too"
    assert "You say this game is yours." in page(owner_client, mine.get_absolute_url())
    owner_client.post(f"/replays/{mine.pk}/appeal/", {"text": "I played it, here is the film."})

    listed = page(staff_client, "/staff/places/")
    assert f'href="{address}"' in listed
    for expected in (
        "I played it, here is the film.",
        f"#{mine.pk}",
        f"#{copy.pk}",
        "holds the place",
        "honest mistake",
    ):
        assert expected in page(staff_client, address)
        assert expected in listed
    assert 'href="/staff/places/"' in page(staff_client, "/staff/judgements/")
    assert "Give a reason." in decide(staff_client, place, counts=mine.pk, reason="")
    assert state(mine) == DISPUTED
    assert not PersonalBest.objects.exists()

    assert "Saved." in decide(staff_client, place, counts=mine.pk, reason="It has the film.")
    assert (state(mine), state(copy)) == (COUNTS, LINKED)
    assert set(PersonalBest.objects.values_list("replay", flat=True)) == {mine.pk}
    assert f'href="{address}"' not in page(staff_client, "/staff/places/")
    log = page(staff_client, "/staff/decisions/")
    assert log.count("It has the film.") >= 2
    again = page(staff_client, address)
    assert "Decided" in again
    assert "It has the film." in again

    # Who lost reads why, and may appeal: the place comes back, with what was decided.
    assert Appeal.objects.get().answer == "It has the film."
    assert "It has the film." in page(other_client, copy.get_absolute_url())
    other_client.post(f"/replays/{copy.pk}/appeal/", {"text": "Look again."})
    assert "Look again." in page(staff_client, "/staff/places/")
    decide(staff_client, place, counts=copy.pk, reason="The film is of this one.")
    assert (state(mine), state(copy)) == (LINKED, COUNTS)


def test_games_that_are_not_one_answer_both_appeals(
    disputed: Disputed, owner_client: Client, other_client: Client, staff_client: Client
) -> None:
    mine, copy, place = disputed
    owner_client.post(f"/replays/{mine.pk}/appeal/", {"text": "Mine."})
    other_client.post(f"/replays/{copy.pk}/appeal/", {"text": "Mine, too."})
    decide(staff_client, place, counts="none", reason="A board of a tournament.")
    assert (state(mine), state(copy)) == (COUNTS, COUNTS)
    assert list(Appeal.objects.values_list("state", "answer")) == [("granted", "A board of a tournament.")] * 2


# --- honest disputes ---


def test_two_owners_of_one_computer(
    ingest: Ingest, owner: User, other_player: User, other_client: Client, staff_client: Client
) -> None:
    """One uploads the folder with the other's game in it, which has the name that the program was set to."""
    wrong = ingest(original(), uploader=owner)
    right = ingest(copied("renamed"), uploader=other_player)
    assert (state(wrong), state(right)) == (DISPUTED, DISPUTED)
    other_client.post(f"/replays/{right.pk}/appeal/", {"text": "Ada and I share a computer."})
    place = Place.objects.get()
    assert "Ada and I share a computer." in page(staff_client, "/staff/places/")
    decide(staff_client, place, counts=right.pk, reason="One computer.", honest_mistake=[owner.pk])
    assert (state(wrong), state(right)) == (LINKED, COUNTS)
    assert not Contest.objects.filter(user=owner, state="lost").exists()
    theirs = ingest(COPIES["renamed"](recording(2, GAME[1])), uploader=other_player)
    mine = ingest(COPIES["another program"](recording(2, GAME[1])), uploader=owner)
    assert (state(theirs), state(mine)) == (DISPUTED, DISPUTED), "the stakes are there still"
    assert Contest.objects.get(user=owner, game=mine.game or 0).state == "open"


def test_a_shared_club_machine(
    ingest: Ingest, owner: User, other_player: User, owner_client: Client, other_client: Client, staff_client: Client
) -> None:
    """A mate sends all files of the machine; the player sends the same bytes later, and staff are not asked."""
    game = ingest(original(), uploader=other_player)
    assert ingest(original(), uploader=owner).pk == game.pk
    assert state(game) == COUNTS
    assert "No pending decisions." in page(staff_client, "/staff/places/")
    assert f'href="{game.get_absolute_url()}"' in page(owner_client, "/account/uploads/")
    other_client.post(f"/replays/{game.pk}/delete/")
    assert state(game) == COUNTS, "the mate took only the own sending back"
    owner_client.post(f"/replays/{game.pk}/delete/")
    assert not Replay.objects.exists()


def test_a_game_that_comes_again_from_another_clone(
    ingest: Ingest, owner: User, owner_client: Client, staff_client: Client
) -> None:
    first = ingest(original(), uploader=owner)
    again = ingest(copied("another program"), uploader=owner)
    assert (state(first), state(again)) == (COUNTS, LINKED)
    assert f"Same game as replay #{first.pk}. One of its files counts" in page(owner_client, again.get_absolute_url())
    assert f"Same game in another file: replay #{again.pk}." in page(owner_client, first.get_absolute_url())
    assert "No pending decisions." in page(staff_client, "/staff/places/")
    owner_client.post(f"/replays/{first.pk}/delete/")
    assert state(again) == COUNTS


def test_a_dispute_ends_when_one_side_deletes_its_file(disputed: Disputed, other_client: Client) -> None:
    mine, copy, _place = disputed
    other_client.post(f"/replays/{copy.pk}/delete/")
    assert state(mine) == COUNTS


# --- the seal ---


def test_a_seal_in_doubt_is_shown_and_moves_no_place(
    ingest: Ingest, owner: User, other_player: User, client: Client
) -> None:
    other = ingest(original(), uploader=other_player)
    mine = ingest(COPIES["another program"](recording(2, GAME[1])), uploader=owner)
    address = f"/api/v1/replays/{mine.pk}/"
    Replay.objects.filter(pk=mine.pk).update(evidence="sealed")
    assert client.get(address).json()["seal_in_doubt"] is False
    reused = {"code": "seal_reused", "params": {"replay": other.pk}}
    Replay.objects.filter(pk=mine.pk).update(findings=[reused])
    assert client.get(address).json()["seal_in_doubt"] is True
    assert "seal in doubt" in page(client, mine.get_absolute_url())
    assert "seal in doubt" not in page(client, other.get_absolute_url())
    assert not Place.objects.exists()
    Replay.objects.filter(pk=mine.pk).update(evidence="open")
    assert client.get(address).json()["seal_in_doubt"] is False, "an open file says nothing by its seal"
