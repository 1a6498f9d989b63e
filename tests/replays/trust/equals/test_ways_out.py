"""Every state of a linked file has a way out that its owner finds: each is walked to its end, by pages and by the API."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from players.models import Identity, Player, User
from replays.models import Appeal, GameLink, Replay
from tests.factories import replay_ref
from tests.replays.conftest import Ingest
from tests.replays.trust.equals.conftest import aged, copied, original

pytestmark = pytest.mark.django_db

Disputed = tuple[Replay, Replay, GameLink]


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def state(row: Replay) -> tuple[str, bool]:
    row.refresh_from_db()
    return row.judgement, row.ranked


@pytest.fixture
def held(ingest: Ingest, owner: User, thief: User) -> tuple[Replay, Replay, GameLink]:
    """The owner's game, linked to the thief's copy, which has been on the boards for a month."""
    copy = aged(ingest(copied(), uploader=thief), 30)
    mine = ingest(original(), uploader=owner)
    assert state(mine) == ("linked", False)
    assert state(copy) == ("accepted", True)
    return mine, copy, GameLink.objects.get()


@pytest.fixture
def thief_client(thief: User) -> Client:
    client = Client()
    client.force_login(thief)
    return client


# --- everybody ---


def test_everybody_reads_of_the_other_file_and_nobody_is_blamed(disputed: Disputed, client: Client) -> None:
    mine, copy, _link = disputed
    for one, other in ((mine, copy), (copy, mine)):
        text = page(client, one.get_absolute_url())
        assert f"replay #{other.pk}." in text
        assert f'href="{other.get_absolute_url()}"' in text
        assert '<span class="badge disputed">in dispute</span>' in text
        assert "suspicious" not in text
    client.cookies["django_language"] = "zh-hans"
    text = page(client, mine.get_absolute_url())
    assert "有争议" in text
    assert f"与录像 #{copy.pk} 点击相同。" in text


def test_the_api_says_the_same(disputed: Disputed, client: Client) -> None:
    mine, copy, _link = disputed
    body = client.get(f"/api/v1/replays/{mine.pk}/").json()
    assert (body["judgement"], body["judgement_code"], body["ranked"]) == ("disputed", "same_clicks", False)
    assert {finding["code"] for finding in body["findings"]} == {"text_format"}
    assert f"#{copy.pk}" in body["equals"][0].pop("text")
    assert body["equals"] == [
        {"replay": replay_ref(copy.pk), "kind": "same_clicks", "stands": "neither", "judgement": "disputed"}
    ]
    rows = client.get("/api/v1/replays/?judgement=disputed").json()["rows"]
    assert {row["id"] for row in rows} == {mine.pk, copy.pk}
    assert f'href="{mine.get_absolute_url()}"' in page(client, "/replays/?judgement=disputed")


# --- in dispute ---


def test_both_owners_are_told(disputed: Disputed, owner_client: Client, thief_client: Client, thief: User) -> None:
    mine, copy, _link = disputed
    for client, own, other in ((owner_client, mine, copy), (thief_client, copy, mine)):
        text = page(client, "/")
        assert f"replay #{other.pk}." in text
        assert f'href="{own.get_absolute_url()}"' in text


def test_the_owner_of_the_name_is_told_too(disputed: Disputed, owner: User) -> None:
    """The owner of the name in the game is told, though another account uploaded it."""
    mine, _copy, _link = disputed
    assert mine.player is not None
    namesake = User.objects.create_user("namesake")
    Player.objects.filter(pk=mine.player_id or 0).update(user=namesake)
    Identity.objects.filter(name="Ada Bot").update(state="claimed", claimant=namesake)
    client = Client()
    client.force_login(namesake)
    assert f'href="{mine.get_absolute_url()}"' in page(client, "/")


def test_a_dispute_by_pages(
    disputed: Disputed, owner_client: Client, thief_client: Client, staff_client: Client
) -> None:
    mine, copy, link = disputed
    text = page(owner_client, mine.get_absolute_url())
    assert f'href="/replays/{mine.pk}/appeal/"' in text
    owner_client.post(f"/replays/{mine.pk}/appeal/", {"text": "I played it, here is the film."})
    thief_client.post(f"/replays/{copy.pk}/appeal/", {"text": "No, I did."})
    queue = page(staff_client, "/staff/pairs/")
    for expected in ("I played it, here is the film.", "No, I did.", f"#{mine.pk}", f"#{copy.pk}", "other_player"):
        assert expected in queue
    assert f'action="/staff/pairs/{link.pk}/"' in queue
    assert 'href="/staff/pairs/"' in page(staff_client, "/staff/judgements/")
    answer = staff_client.post(f"/staff/pairs/{link.pk}/", {"stands": "second", "reason": ""}, follow=True)
    assert f'action="/staff/pairs/{link.pk}/"' in answer.content.decode(), "without a reason nothing is decided"
    answer = staff_client.post(
        f"/staff/pairs/{link.pk}/", {"stands": "second", "reason": "It has the film."}, follow=True
    )
    assert 'action="/staff/pairs/' not in answer.content.decode()
    assert (state(mine), state(copy)) == (("accepted", True), ("linked", False))
    assert list(Appeal.objects.order_by("replay").values_list("replay", "state", "answer")) == [
        (copy.pk, "denied", "It has the film."), (mine.pk, "granted", "It has the film."),
    ]  # fmt: skip
    assert "It has the film." in page(owner_client, "/")
    # Who lost may appeal again, and cannot delete the file to send it once more.
    assert "It has the film." in page(thief_client, copy.get_absolute_url())
    assert thief_client.post(f"/replays/{copy.pk}/delete/").status_code == 403
    thief_client.post(f"/replays/{copy.pk}/appeal/", {"text": "Look again."})
    assert "Look again." in page(staff_client, "/staff/pairs/")
    staff_client.post(f"/staff/pairs/{link.pk}/", {"stands": "first", "reason": "The film is of this one."})
    assert (state(mine), state(copy)) == (("linked", False), ("accepted", True))


def test_a_dispute_by_the_api(disputed: Disputed, owner_client: Client, staff_client: Client) -> None:
    mine, copy, link = disputed
    said = owner_client.post(f"/api/v1/replays/{mine.pk}/appeal/", {"text": "Mine."}, content_type="application/json")
    assert said.status_code == 201
    (pair,) = staff_client.get("/api/v1/judgements/pairs/").json()["rows"]
    assert (pair["id"], pair["kind"], pair["stands"]) == (link.pk, "same_clicks", "neither")
    assert [side["id"] for side in pair["sides"]] == [copy.pk, mine.pk]
    assert [side["appeals"] for side in pair["sides"]] == [[], ["Mine."]]
    assert [side["evidence"] for side in pair["sides"]] == ["open", "open"]
    address = f"/api/v1/judgements/pairs/{link.pk}/"
    for wrong in ({"stands": "neither", "reason": "x"}, {"stands": "first", "reason": " "}, {"stands": "first"}):
        assert staff_client.post(address, wrong, content_type="application/json").status_code == 400
    decided = staff_client.post(address, {"stands": "second", "reason": "Film."}, content_type="application/json")
    assert decided.status_code == 200
    assert decided.json()["stands"] == "second"
    assert staff_client.get("/api/v1/judgements/pairs/").json()["rows"] == []
    assert (state(mine), state(copy)) == (("accepted", True), ("linked", False))
    missing = staff_client.post("/api/v1/judgements/pairs/999/", {"stands": "both", "reason": "x"}, content_type="application/json")  # fmt: skip
    assert missing.status_code == 404


def test_a_dispute_ends_when_one_side_deletes_its_file(
    disputed: Disputed, thief_client: Client, owner_client: Client
) -> None:
    mine, copy, _link = disputed
    owner_client.post(f"/replays/{mine.pk}/appeal/", {"text": "Mine."})
    assert thief_client.post(f"/replays/{copy.pk}/delete/").status_code == 302
    assert state(mine) == ("accepted", True)
    assert Appeal.objects.get().state == "granted"


def test_anybody_may_object_to_a_file_in_dispute(
    disputed: Disputed, owner_client: Client, staff_client: Client
) -> None:
    """It was 409 "not_ranked" (S1)."""
    _mine, copy, _link = disputed
    said = owner_client.post(
        f"/api/v1/replays/{copy.pk}/objection/", {"text": "A copy."}, content_type="application/json"
    )
    assert said.status_code == 201
    assert "A copy." in page(staff_client, "/staff/pairs/")
    assert f'href="/replays/{copy.pk}/object/"' in page(staff_client, copy.get_absolute_url())


# --- linked: another file counts ---


def test_the_owner_of_a_linked_file_appeals_and_the_other_stays_until_staff_decide(
    held: Disputed, owner_client: Client, staff_client: Client
) -> None:
    mine, copy, link = held
    text = page(owner_client, mine.get_absolute_url())
    assert f'href="/replays/{mine.pk}/appeal/"' in text
    assert mine.get_absolute_url() not in page(staff_client, "/staff/pairs/")
    said = owner_client.post(f"/api/v1/replays/{mine.pk}/appeal/", {"text": "Mine."}, content_type="application/json")
    assert said.status_code == 201
    assert state(copy) == ("accepted", True), "an appeal takes no record from anybody"
    assert "Mine." in page(staff_client, "/staff/pairs/")
    staff_client.post(f"/staff/pairs/{link.pk}/", {"stands": "second", "reason": "The older film."})
    assert (state(mine), state(copy)) == (("accepted", True), ("linked", False))


def test_staff_deny_an_appeal(held: Disputed, owner_client: Client, staff_client: Client) -> None:
    mine, copy, link = held
    owner_client.post(f"/replays/{mine.pk}/appeal/", {"text": "Mine."})
    staff_client.post(f"/staff/pairs/{link.pk}/", {"stands": "first", "reason": "No."})
    assert (state(mine), state(copy)) == (("linked", False), ("accepted", True))
    assert Appeal.objects.get().state == "denied"
    assert "No." in page(owner_client, mine.get_absolute_url())


def test_staff_accept_a_linked_file_alone(held: Disputed, staff_client: Client) -> None:
    """It answered 200 and changed nothing (S1)."""
    mine, _copy, _link = held
    address = f"/api/v1/replays/{mine.pk}/judgement/"
    assert staff_client.post(address, {"judgement": "accepted"}, content_type="application/json").status_code == 200
    assert state(mine) == ("accepted", True)


def test_the_states_are_filters_of_the_queue(disputed: Disputed, staff_client: Client) -> None:
    mine, copy, _link = disputed
    rows = staff_client.get("/api/v1/judgements/?state=disputed&code=same_clicks").json()["rows"]
    assert {row["id"] for row in rows} == {mine.pk, copy.pk}
    assert all(f"#{mine.pk + copy.pk - row['id']}" in row["text"] for row in rows), "the other file"


def test_own_uploads_say_why(held: Disputed, owner_client: Client) -> None:
    mine, copy, _link = held
    body: Any = owner_client.get("/api/v1/me/uploads/?state=judged").json()
    assert [row["id"] for row in body["rows"]] == [mine.pk]
    assert f"replay #{copy.pk}." in page(owner_client, "/account/uploads/?state=judged")
