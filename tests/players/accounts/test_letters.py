"""E-mail addresses: verified where letters are sent, and never told to strangers."""

from __future__ import annotations

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings as django_settings
from django.core import mail
from django.test import Client
from pytest_django import Settings

from players.models import User
from tests.conftest import PASSWORD
from tests.pages.html import Document
from tests.players.accounts.conftest import Person

pytestmark = pytest.mark.django_db


def sign_up(person: Person, name: str, email: str) -> Any:
    data = {"username": name, "email": email, "password1": PASSWORD, "password2": PASSWORD}
    return person.post("/sign-up/", data, host="localhost:6666")


def link_in(letter: Any) -> str:
    found = re.search(rf"^{re.escape(django_settings.SITE_URL)}(/\S+)$", str(letter.body), re.MULTILINE)
    assert found is not None, letter.body
    assert "6666" not in letter.body
    return found[1]


def test_an_address_is_verified_before_its_account_signs_in(db: None, person: Person) -> None:
    assert sign_up(person, "ada", "ada@example.org").headers["Location"] == "/account/email/sent/"
    assert not person.is_signed_in
    assert not person.sign_in("ada")
    (letter,) = mail.outbox
    link = link_in(letter)
    assert "ada" in person.client.get(link).content.decode()
    assert not EmailAddress.objects.get().verified, "programs open links in letters, too"
    person.client.post(link)
    assert EmailAddress.objects.get().verified
    assert person.sign_in("ada")


def test_an_account_without_an_address_signs_in(db: None, person: Person) -> None:
    assert sign_up(person, "ada", "").headers["Location"] == "/upload/"
    assert person.is_signed_in
    assert mail.outbox == []


def test_sign_up_does_not_tell_whether_an_address_exists(owner: User, person: Person) -> None:
    answers = [sign_up(person, "ada", "new@example.org"), sign_up(Person(), "bob", owner.email)]
    assert len({(answer.status_code, answer.headers["Location"]) for answer in answers}) == 1
    assert [letter.subject for letter in mail.outbox] == ["Confirm your e-mail address"] * 2
    link = link_in(mail.outbox[1])
    page = Client().get(link).content.decode()
    assert 'class="sheet pad form"' not in page, "there is nothing to confirm"
    assert 'href="/password-reset/"' in page
    Client().post(link)
    assert EmailAddress.objects.get(email=owner.email, verified=True).user == owner


def test_reset_does_not_tell_whether_an_address_exists(owner: User) -> None:
    answers = [Client().post("/password-reset/", {"email": email}) for email in (owner.email, "nobody@example.org")]
    assert len({(answer.status_code, answer.headers["Location"]) for answer in answers}) == 1
    assert len(mail.outbox) == 2, "both take as long: each sends a letter"
    assert ["/password-reset/" in letter.body for letter in mail.outbox] == [True, False]


def test_sign_in_does_not_tell_whether_an_account_exists(owner: User) -> None:
    texts = set()
    for name in ("owner", "nobody"):
        answer = Person().post("/sign-in/", {"login": name, "password": "wrong"})
        texts.add(" ".join(Document(answer.content.decode()).text.replace(name, "").split()))
    assert len(texts) == 1


def test_a_letter_that_cannot_be_sent_is_no_500(owner: User, settings: Settings) -> None:
    settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_PORT = (
        "django.core.mail.backends.smtp.EmailBackend", "127.0.0.1", 1,
    )  # fmt: skip
    answer = Client().post("/password-reset/", {"email": owner.email})
    assert answer.headers["Location"] == "/password-reset/sent/"


def test_a_new_address_replaces_the_old_one_when_it_is_verified(owner: User, person: Person) -> None:
    old = owner.email
    person.sign_in("owner")
    person.post("/account/confirm/", {"password": PASSWORD})
    person.post("/account/email/", {"email": "new@example.org", "action_add": "1"})
    owner.refresh_from_db()
    assert owner.email == old
    assert "new@example.org" in person.client.get("/account/email/").content.decode()
    person.client.post(link_in(mail.outbox[0]))
    owner.refresh_from_db()
    assert owner.email == "new@example.org"
    assert not EmailAddress.objects.filter(email=old).exists()


def test_a_stolen_session_does_not_change_the_address(owner: User, owner_client: Client) -> None:
    answer = owner_client.post("/account/email/", {"email": "thief@example.org", "action_add": "1"})
    assert answer.headers["Location"].startswith("/account/confirm/")
    assert mail.outbox == []


def test_a_site_without_a_mail_server_asks_for_no_address(owner: User, person: Person, settings: Settings) -> None:
    settings.EMAIL_IS_SENT = False
    assert 'name="email"' not in person.client.get("/sign-up/").content.decode()
    sign_up(person, "ada", "ada@example.org")
    assert person.is_signed_in
    assert User.objects.get(username="ada").email == ""
    assert 'name="email"' not in Client().get("/password-reset/").content.decode()
    assert Client().post("/password-reset/", {"email": owner.email}).status_code == 405
    assert mail.outbox == []
