"""Attacks on sign-in, sign-up and letters: each is stopped, and stops nobody but the attacker."""

from __future__ import annotations

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core import mail
from django.test import Client
from pytest_django import Settings

from players.models import User
from tests.conftest import PASSWORD
from tests.players.accounts.conftest import Person
from tests.players.accounts.test_second_factor import code_of

pytestmark = pytest.mark.django_db


def guess(person: Person, name: str, times: int, **headers: str) -> None:
    for number in range(times):
        assert not person.sign_in(name, f"wrong {number}", **headers)


def test_after_40_wrong_passwords_the_right_one_does_not_get_in(
    owner: User, other_player: User, person: Person
) -> None:
    guess(person, "owner", 40)
    assert not person.sign_in("owner")
    assert Person("198.51.100.7").sign_in("other_player"), "nobody else is stopped"
    assert Person("198.51.100.7").sign_in("owner"), "the owner is somewhere else"


def test_other_capitals_are_the_same_account(owner: User, person: Person) -> None:
    assert Person("198.51.100.7").sign_in("OWNER")
    for number in range(12):
        person.sign_in("owner" if number % 2 else "OWNER", "wrong")
    assert not person.sign_in("Owner")


def test_right_passwords_are_not_counted(owner: User, person: Person) -> None:
    for _ in range(15):
        assert person.sign_in("owner")
        person.sign_out()


def test_invented_addresses_and_host_names_make_no_difference(owner: User, person: Person, settings: Settings) -> None:
    for number in range(12):
        guess(person, "owner", 1, x_forwarded_for=f"203.0.113.{number}", host=f"localhost:{1000 + number}")
    assert not person.sign_in("owner", x_forwarded_for="203.0.113.77", host="localhost:99")
    settings.NUM_PROXIES = 1
    proxy = Person("127.0.0.1")
    for number in range(12):  # the proxy adds the last one
        guess(proxy, "owner", 1, x_forwarded_for=f"203.0.113.{number}, 198.51.100.1")
    assert not proxy.sign_in("owner", x_forwarded_for="203.0.113.77, 198.51.100.1")
    assert proxy.sign_in("owner", x_forwarded_for="203.0.113.77, 198.51.100.2")


def test_many_accounts_from_one_address(owner: User, person: Person) -> None:
    for number in range(30):
        assert not person.sign_in(f"account{number}", "wrong")
    assert not person.sign_in("owner")


@pytest.mark.long(beside="tests/players/accounts/test_limits.py::test_the_mark_of_a_browser_is_no_key")
def test_an_account_from_many_addresses_does_not_lock_its_owner_out(owner: User) -> None:
    home = Person("192.0.2.200")
    assert home.sign_in("owner")
    home.sign_out()
    for number in range(120):
        assert not Person(f"198.51.{number}.1").sign_in("owner", "wrong")
    assert not Person("203.0.113.9").sign_in("owner"), "a new address is refused for an hour"
    assert home.sign_in("owner"), "a browser that the account knows is not"


def test_the_mark_of_a_browser_is_no_key(owner: User, other_player: User) -> None:
    thief = Person("192.0.2.9")
    assert thief.sign_in("other_player")
    thief.sign_out()
    guess(thief, "owner", 12)  # his own mark
    assert not thief.sign_in("owner")
    stolen = Person("192.0.2.10")
    assert stolen.sign_in("owner")
    stolen.sign_out()
    guess(stolen, "owner", 12)
    stolen.address = "192.0.2.11"
    assert not stolen.sign_in("owner"), "a known browser has a limit, too"


def test_the_admin_has_the_same_limits(staff: User, person: Person) -> None:
    page = person.client.get("/admin/login/?next=/admin/")
    assert page.headers["Location"].startswith("/sign-in/?next=")
    person.post("/admin/login/", {"username": "staff", "password": PASSWORD})
    assert not person.is_signed_in
    guess(person, "staff", 12)
    assert not person.sign_in("staff")


def test_sign_ups_of_one_address(db: None, person: Person) -> None:
    for number in range(25):
        answer = person.post("/sign-up/", {"username": f"robot{number}", "password1": PASSWORD, "password2": PASSWORD})
        person.client = Client()
    assert answer.status_code == 429
    assert User.objects.count() == 20
    assert "in 15 minutes" in answer.content.decode()


def test_reset_letters(owner: User, other_player: User, person: Person) -> None:
    for number in range(20):
        sender = Person(f"198.51.100.{number}")
        sender.post("/password-reset/", {"email": owner.email})
    assert len(mail.outbox) == 3, "one e-mail address"
    mail.outbox.clear()
    for number in range(20):
        person.post("/password-reset/", {"email": f"stranger{number}@example.org"})
    assert len(mail.outbox) == 10, "one sender"


def test_the_old_password_cannot_be_guessed_in_a_stolen_session(owner: User, owner_client: Client) -> None:
    new = {"password1": "quite another phrase", "password2": "quite another phrase"}
    for _ in range(5):
        owner_client.post("/account/password/", {**new, "oldpassword": "wrong"})
    assert owner_client.post("/account/password/", {**new, "oldpassword": PASSWORD}).status_code == 429
    for number in range(12):
        owner_client.post("/account/confirm/", {"password": f"wrong {number}"})
    assert owner_client.post("/account/confirm/", {"password": PASSWORD}).status_code == 429


def test_codes_of_the_second_factor_cannot_be_guessed(owner: User, person: Person) -> None:
    secret = generate_totp_secret()
    TOTP.activate(owner, secret)
    assert not person.sign_in("owner")
    for number in range(12):
        person.post("/sign-in/code/", {"code": f"{number:06}"})
    person.post("/sign-in/code/", {"code": code_of(secret)})
    assert not person.is_signed_in
