"""The second factor: turning it on and off, signing in with it, recovery codes."""

from __future__ import annotations

import re
import time
from typing import Any
from urllib.parse import quote

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.test import Client
from pytest_django import Settings

from players.models import User
from tests.conftest import PASSWORD
from tests.pages.html import Document
from tests.players.accounts.conftest import Person

pytestmark = pytest.mark.django_db
PERIOD_SECONDS = 30


def code_of(secret: str, later: int = 0) -> str:
    """The code that an app shows now, or ``later`` periods from now."""
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // PERIOD_SECONDS + later)))


def turned_on(person: Person) -> tuple[str, list[str]]:
    """Turn it on as a person does; the secret and the recovery codes."""
    assert person.sign_in("owner")
    first = person.client.get("/account/two-factor/on/")
    assert first.headers["Location"] == "/account/confirm/?next=%2Faccount%2Ftwo-factor%2Fon%2F"
    person.post("/account/confirm/", {"password": PASSWORD, "next": "/account/two-factor/on/"})
    page = Document(person.client.get("/account/two-factor/on/").content.decode())
    (picture,) = page.all("img")
    assert picture["src"].startswith("data:image/svg+xml;base64,")
    secret = next(field["value"] for field in page.all("input") if field.get("id") == "secret")
    answer = person.post("/account/two-factor/on/", {"code": code_of(secret)})
    assert answer.headers["Location"] == "/account/two-factor/codes/"
    shown = person.client.get("/account/two-factor/codes/").content.decode()
    return secret, re.findall(r"<li><code>(\d{8})</code>", shown)


def test_signing_in_takes_a_code_then(owner: User, person: Person) -> None:
    secret, codes = turned_on(person)
    assert len(codes) == 10
    assert "/account/two-factor/off/" in person.client.get("/account/").content.decode()
    person.sign_out()
    assert not person.sign_in("owner")
    person.post("/sign-in/code/", {"code": "000000"})
    assert not person.is_signed_in
    assert person.post("/sign-in/code/", {"code": code_of(secret, 1)}).status_code == 302
    assert person.is_signed_in


def test_a_code_is_taken_once(owner: User) -> None:
    secret = generate_totp_secret()
    TOTP.activate(owner, secret)
    code = code_of(secret)
    for person, gets_in in ((Person("192.0.2.1"), True), (Person("192.0.2.2"), False)):
        person.sign_in("owner")
        person.post("/sign-in/code/", {"code": code})
        assert person.is_signed_in is gets_in


def test_recovery_codes_are_shown_once_and_taken_once(owner: User, person: Person) -> None:
    _secret, codes = turned_on(person)
    again = person.client.get("/account/two-factor/codes/").content.decode()
    assert not any(code in again for code in codes)
    assert "10 codes" in again
    for gets_in in (True, False):
        person.sign_out()
        person.sign_in("owner")
        person.post("/sign-in/code/", {"code": codes[0]})
        assert person.is_signed_in is gets_in


def test_secrets_are_encrypted_in_the_database(owner: User, person: Person) -> None:
    secret, codes = turned_on(person)
    stored = str(list(Authenticator.objects.values_list("data", flat=True)))
    assert secret not in stored
    assert not any(code in stored for code in codes)


def test_it_is_turned_off_with_the_password_again(owner: User, person: Person) -> None:
    turned_on(person)
    session = Client()
    session.force_login(owner)  # a stolen session
    assert session.post("/account/two-factor/off/").headers["Location"].startswith("/account/confirm/")
    assert Authenticator.objects.filter(user=owner).exists()
    person.post("/account/two-factor/off/", {})
    assert not Authenticator.objects.filter(user=owner).exists()


def test_staff_with_it_need_it_for_the_admin(staff: User, person: Person) -> None:
    secret = generate_totp_secret()
    Authenticator.objects.filter(user=staff).delete()
    TOTP.activate(staff, secret)
    staff.email = ""
    staff.save()
    person.post("/sign-in/?next=/admin/", {"login": "staff", "password": PASSWORD})
    assert person.client.get("/admin/").status_code == 302
    answer = person.post("/sign-in/code/?next=/admin/", {"code": code_of(secret)})
    assert answer.headers["Location"] == "/admin/"
    assert person.client.get("/admin/").status_code == 200


def test_the_admin_shows_no_secrets(staff_client: Client, owner: User) -> None:
    secret = generate_totp_secret()
    one = TOTP.activate(owner, secret).instance
    page = staff_client.get(f"/admin/mfa/authenticator/{one.pk}/change/").content.decode()
    assert one.data["secret"] not in page


# --- staff must have one ----------------------------------------------------------------------------------------------


@pytest.fixture
def new_staff(db: None) -> User:
    """A member of the staff as ``createsuperuser`` makes one."""
    return User.objects.create_superuser("boss", "", PASSWORD)


def test_staff_set_it_up_at_the_next_sign_in_and_go_on(new_staff: User, person: Person) -> None:
    enrolment = "/account/two-factor/on/?next=%2Fadmin%2F"
    answer = person.post("/sign-in/?next=/admin/", {"login": "boss", "password": PASSWORD, "next": "/admin/"})
    assert answer.headers["Location"] == enrolment
    asked = person.client.get(enrolment).headers["Location"]
    assert asked == f"/account/confirm/?next={quote(enrolment, safe='')}"
    answer = person.post("/account/confirm/", {"password": PASSWORD, "next": enrolment})
    assert answer.headers["Location"] == enrolment
    assert person.client.get("/admin/", follow=True).redirect_chain[-1] == (enrolment, 302)
    page = person.client.get(enrolment).content.decode()
    secret = next(field["value"] for field in Document(page).all("input") if field.get("id") == "secret")
    answer = person.post(enrolment, {"code": code_of(secret)})
    assert answer.headers["Location"] == "/account/two-factor/codes/?next=%2Fadmin%2F"
    links = [link["href"] for link in Document(person.client.get(answer.headers["Location"]).content.decode()).all("a")]
    assert "/admin/" in links
    assert person.client.get("/admin/").status_code == 200
    assert person.client.get("/staff/judgements/").status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        "/staff/judgements/?state=provisional", "/staff/claims/", "/staff/reports/", "/staff/bans/", "/staff/places/",
        "/staff/places/1/",
    ],
)  # fmt: skip
def test_staff_without_it_are_led_to_it(new_staff: User, address: str) -> None:
    client = Client()
    client.force_login(new_staff)
    answer = client.get(address)
    assert answer.status_code == 302
    assert answer.headers["Location"] == f"/account/two-factor/on/?next={quote(address, safe='')}"


@pytest.mark.parametrize("address", ["/admin/", "/admin/players/user/", "/admin/replays/replay/", "/admin/logout/"])
def test_the_admin_is_closed_to_staff_without_it(new_staff: User, address: str) -> None:
    client = Client()
    client.force_login(new_staff)
    chain = client.get(address, follow=True).redirect_chain
    assert "/account/two-factor/on/" in [url.partition("?")[0] for url, _status in chain]
    answer = client.post("/admin/players/user/add/", {"username": "x"})
    assert answer.headers["Location"].startswith("/admin/login/")
    assert not User.objects.filter(username="x").exists()


def test_the_sign_in_of_the_admin_takes_no_password(staff_client: Client, new_staff: User) -> None:
    """Else whoever is signed in as staff would become another member with the password alone."""
    answer = staff_client.post("/admin/login/", {"username": "boss", "password": PASSWORD, "next": "/admin/"})
    assert answer.headers["Location"] == "/admin/"
    assert staff_client.session["_auth_user_id"] != str(new_staff.pk)


def test_a_next_of_another_site_is_dropped(new_staff: User, person: Person) -> None:
    person.post("/sign-in/", {"login": "boss", "password": PASSWORD})
    page = person.client.get("/account/two-factor/codes/?next=https://evil.example/").content.decode()
    assert "evil.example" not in page.partition("<main")[2]


def test_a_site_may_do_without(new_staff: User, person: Person, settings: Settings) -> None:
    settings.STAFF_SECOND_FACTOR = False
    assert person.sign_in("boss")
    assert person.client.get("/admin/").status_code == 200


def test_nobody_else_is_asked_for_it(owner: User, person: Person, django_assert_max_num_queries: Any) -> None:
    answer = person.post("/sign-in/", {"login": "owner", "password": PASSWORD})
    assert answer.headers["Location"] == "/"
    with django_assert_max_num_queries(0):
        assert not owner.lacks_second_factor
