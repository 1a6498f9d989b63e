"""Accounts: signing up and in, preferences, names, token."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.conf import settings
from django.core import mail
from django.test import Client
from django.urls import reverse

from players.accounts.claims.services import claim_make
from players.accounts.services import store_new_account
from players.models import Claim, Identity, Player, User
from players.people.services import player_of_user
from replays.models import Replay
from tests.conftest import PASSWORD
from tests.factories import give_name
from tests.pages.html import Document
from tests.replays.games import game_file

Ingest = Callable[..., Replay]
NEW = {"username": "newcomer", "password1": "a long pass-phrase", "password2": "a long pass-phrase", "email": ""}


def test_sign_up_signs_in_and_stores_the_browsers_zone(db: None, client: Client) -> None:
    response = client.post("/sign-up/", {**NEW, "time_zone": "Asia/Shanghai", "next": "/replays/"})
    assert response.headers["Location"] == "/replays/"
    user = User.objects.get(username="newcomer")
    assert user.time_zone == "Asia/Shanghai"
    assert client.get("/account/").status_code == 200


@pytest.mark.parametrize("zone", ["Mars/Olympus", "", "../../etc/passwd"])
def test_an_unknown_zone_does_not_prevent_the_sign_up(db: None, client: Client, zone: str) -> None:
    client.post("/sign-up/", {**NEW, "time_zone": zone})
    assert User.objects.get(username="newcomer").time_zone == "UTC"
    assert client.get("/").status_code == 200


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
def test_sign_up_redirects_to_no_other_site(db: None, client: Client, elsewhere: str) -> None:
    response = client.post("/sign-up/", {**NEW, "next": elsewhere})
    assert response.headers["Location"] == "/upload/"


def test_sign_up_refuses_bad_passwords_and_taken_names(owner: User, client: Client) -> None:
    assert "same password" in client.post("/sign-up/", {**NEW, "password2": "another"}).content.decode()
    assert "already exists" in client.post("/sign-up/", {**NEW, "username": "owner"}).content.decode()
    assert User.objects.count() == 1


def test_sign_in_and_out(owner: User, client: Client) -> None:
    assert "not correct" in client.post("/sign-in/", {"login": "owner", "password": "x"}).content.decode()
    response = client.post("/sign-in/", {"login": "owner", "password": PASSWORD, "next": "/replays/"})
    assert response.headers["Location"] == "/replays/"
    assert client.get("/sign-out/").status_code == 405  # GET must not sign anybody out
    client.post("/sign-out/")
    assert client.get("/account/").headers["Location"] == "/sign-in/?next=/account/"


def test_forgotten_password(owner: User, client: Client) -> None:
    client.post("/password-reset/", {"email": owner.email}, headers={"host": "localhost:6666"})
    (letter,) = mail.outbox
    link = re.search(rf"{settings.SITE_URL}(/password-reset/\S+)", str(letter.body))
    assert link is not None
    form = client.get(link[1], follow=True)
    address = form.redirect_chain[-1][0]
    client.post(address, {"password1": "quite another phrase", "password2": "quite another phrase"})
    owner.refresh_from_db()
    assert owner.check_password("quite another phrase")
    assert "has expired" in client.get(link[1], follow=True).content.decode()


def test_password_change(owner: User, owner_client: Client) -> None:
    new = {"oldpassword": PASSWORD, "password1": "quite another phrase", "password2": "quite another phrase"}
    assert owner_client.post("/account/password/", new).headers["Location"] == "/account/"
    owner.refresh_from_db()
    assert owner.check_password("quite another phrase")


def test_preferences(owner: User, owner_client: Client) -> None:
    wanted = {"language": "en", "time_zone": "Europe/Vienna", "clock": "one"}
    assert owner_client.post("/account/", wanted).status_code == 302
    owner.refresh_from_db()
    assert (owner.time_zone, owner.clock) == ("Europe/Vienna", "one")
    assert owner_client.post("/account/", {**wanted, "time_zone": "Mars/Olympus"}).status_code == 422
    assert owner_client.post("/account/", {**wanted, "clock": "two"}).status_code == 422


def test_times_are_in_the_users_zone(game: Replay, owner: User, owner_client: Client) -> None:
    Replay.objects.filter(pk=game.pk).update(uploaded_at="2024-03-01T23:30:00Z")
    assert "2024-03-01 23:30" in owner_client.get(game.get_absolute_url()).content.decode()
    owner.time_zone = "Asia/Shanghai"
    owner.save()
    source = owner_client.get(game.get_absolute_url()).content.decode()
    assert "2024-03-02 07:30" in source
    assert 'datetime="2024-03-01T23:30:00+00:00"' in source


def test_claiming_a_name(ingest: Ingest, owner: User, owner_client: Client) -> None:
    ingest(game_file(), uploader=owner)
    assert '<option value="Ada Bot">' in owner_client.get("/account/").content.decode()
    response = owner_client.post("/account/names/", {"name": "Ada Bot"}, follow=True)
    claim = Claim.objects.get()
    assert claim.code in Document(response.content.decode()).text
    assert Identity.objects.get(name="Ada Bot").state == Identity.State.UNCLAIMED  # an upload proves nothing
    address = reverse("claim", args=[claim.pk])
    assert owner_client.post(address, {"text": ""}).status_code == 422
    owner_client.post(address, {"text": "It is on my home page."})
    claim.refresh_from_db()
    assert (claim.state, claim.text) == (Claim.State.REQUESTED, "It is on my home page.")
    assert reverse("claim", args=[claim.pk]) in owner_client.get("/account/").content.decode()
    owner_client.post(reverse("claim-withdraw", args=[claim.pk]))
    claim.refresh_from_db()
    assert claim.state == Claim.State.WITHDRAWN


def test_claims_of_others_are_not_shown(owner: User, other_client: Client) -> None:
    claim = claim_make(owner, "Ada Bot")
    for response in (
        other_client.get(reverse("claim", args=[claim.pk])),
        other_client.post(reverse("claim", args=[claim.pk]), {"text": "mine"}),
        other_client.post(reverse("claim-withdraw", args=[claim.pk])),
    ):
        assert response.status_code == 404
    claim.refresh_from_db()
    assert claim.state == Claim.State.OPEN


def test_releasing_a_name_asks_first(ingest: Ingest, owner: User, owner_client: Client) -> None:
    ingest(game_file(), uploader=owner)
    identity = give_name(owner, "Ada Bot")
    address = reverse("release-name", args=[identity.pk])
    assert address in owner_client.get("/account/").content.decode()
    page = owner_client.get(address)
    assert "1 replay will leave your profile" in Document(page.content.decode()).text
    assert owner_client.post(address).status_code == 200  # the same question
    identity.refresh_from_db()
    assert identity.state == Identity.State.CLAIMED
    owner_client.post(address, {"confirmed": "yes"})
    identity.refresh_from_db()
    assert identity.state == Identity.State.UNCLAIMED


def test_only_the_owner_releases_a_name(ingest: Ingest, owner: User, other_client: Client) -> None:
    ingest(game_file(), uploader=owner)
    identity = give_name(owner, "Ada Bot")
    assert other_client.post(reverse("release-name", args=[identity.pk]), {"confirmed": "yes"}).status_code == 404
    identity.refresh_from_db()
    assert identity.claimant == owner


@pytest.mark.parametrize("name", ["", "a\0b", "x" * 256])
def test_a_claim_of_an_impossible_name_is_refused(owner_client: Client, name: str) -> None:
    response = owner_client.post("/account/names/", {"name": name}, follow=True)
    assert [message.level_tag for message in response.context["messages"]] == ["error"]
    assert not Claim.objects.exists()


def test_a_name_that_another_request_has_just_used(db: None, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_late(user: User, **settings_of_account: str) -> User:
        User.objects.create_user(user.username)
        return store_new_account(user, **settings_of_account)

    monkeypatch.setattr("players.accounts.forms.store_new_account", too_late)
    data = {"username": "ada", "password1": PASSWORD, "password2": PASSWORD}
    response = client.post("/sign-up/", data)
    assert "already exists" in Document(response.content.decode()).text
    assert not User.objects.exists()  # the other one was rolled back with this test's savepoint


def test_the_country_of_a_sign_up_comes_to_the_player(db: None, client: Client) -> None:
    """An account has no player at first; the country waits for it."""
    client.post("/sign-up/", {**NEW, "country": "PL"})
    user = User.objects.get(username="newcomer")
    assert user.country == "PL"
    assert not Player.objects.exists()
    assert player_of_user(user).country == "PL"


def test_a_country_may_stay_open_and_must_be_one(db: None, client: Client) -> None:
    assert "Country (optional)" in client.get("/sign-up/").content.decode()
    assert "is not one of the available choices" in client.post("/sign-up/", {**NEW, "country": "XX"}).content.decode()
    client.post("/sign-up/", NEW)
    assert User.objects.get(username="newcomer").country == ""


def test_a_claimed_name_takes_the_country_of_its_account(ingest: Ingest, owner: User) -> None:
    Player.objects.filter(user=owner).delete()
    User.objects.filter(pk=owner.pk).update(country="JP")
    ingest(game_file(), uploader=owner)
    give_name(owner, "Ada Bot")
    assert Player.objects.get(user=owner).country == "JP"


def test_the_country_is_changed_with_and_without_a_player(owner: User, owner_client: Client) -> None:
    data = {"language": "", "time_zone": "UTC", "clock": "zero", "country": "SE"}
    owner_client.post("/account/", data)
    owner.refresh_from_db()
    assert owner.country == "SE"
    assert player_of_user(owner).country == "SE"
    owner_client.post("/account/", {**data, "country": ""})
    assert Player.objects.get(user=owner).country == ""


def test_time_zones_are_cities_by_region(owner: User, owner_client: Client) -> None:
    page = owner_client.get("/account/").content.decode()
    assert '<optgroup label="Asia">' in page
    assert '<option value="America/Argentina/Buenos_Aires">Buenos Aires</option>' in page
    assert "Asia/Calcutta" not in page
    owner_client.cookies[settings.LANGUAGE_COOKIE_NAME] = "zh-hans"
    assert '<option value="Asia/Shanghai">上海</option>' in owner_client.get("/account/").content.decode()


def test_an_old_name_of_a_zone_is_understood_and_one_without_a_city_is_kept(owner: User, owner_client: Client) -> None:
    Client().post("/sign-up/", {**NEW, "time_zone": "Asia/Calcutta"})
    assert User.objects.get(username="newcomer").time_zone == "Asia/Kolkata"
    User.objects.filter(pk=owner.pk).update(time_zone="Etc/GMT+5")
    assert '<option value="Etc/GMT+5" selected>' in owner_client.get("/account/").content.decode()
