"""User names: which are refused, and why."""

from __future__ import annotations

import pytest
from django.test import Client

from players import usernames
from players.models import User
from tests.cases import check_each_on_site
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db


def sign_up(name: str) -> str:
    """Try to sign up; the page with its errors, or "" if there is an account now."""
    answer = Client().post("/sign-up/", {"username": name, "password1": PASSWORD, "password2": PASSWORD})
    return "" if answer.status_code == 302 else answer.content.decode()


@pytest.mark.parametrize("name", ["Ada", "ada.lovelace-1815", "王建宁", "Ada王", "カナ漢字", "Łukasz", "Ольга", "한글"])
def test_names_in_any_script(name: str) -> None:
    assert sign_up(name) == ""
    assert User.objects.get().username == name


def test_characters_that_mislead_are_refused() -> None:
    def is_refused(name: str) -> None:
        assert "invisible characters" in sign_up(name) or "valid username" in sign_up(name)
        assert not User.objects.exists()

    cases = ["a\u202eb", "a\u200bb", "\u2060\u2060", "a\u00adb", "ada lovelace", "a\x07b", "a\ufe0fb", "\u3164\u3164", "שלוםa", "☺☺"]  # fmt: skip
    check_each_on_site(is_refused, cases)


@pytest.mark.parametrize("name", ["аda", "Αda", "adа1815"], ids=ascii)  # Cyrillic and Greek letters
def test_mixtures_of_scripts_are_refused(name: str) -> None:
    assert "mixes look-alike letters" in sign_up(name)


def test_look_alikes_of_an_account_are_refused() -> None:
    def is_refused(taken: str, name: str) -> None:
        User.objects.create_user(taken)
        page = sign_up(name)
        assert "looks like another account" in page or "already exists" in page
        assert User.objects.count() == 1

    cases = [
        ("Ivan", "ivan"), ("Ivan", "lvan"), ("Player1", "PlayerI"), ("modern", "modem"), ("boo", "b00"),
        ("pocoxe", "росохе"), ("BOH", "ВОН"), ("ada", "ａｄａ"), ("Ольга", "ольга"), ("cafe\u0301", "café"),
    ]  # fmt: skip
    check_each_on_site(is_refused, cases)


@pytest.mark.parametrize("name", ["Admin", "адmin", "m0derator", "staff", "Sweepb00k"], ids=ascii)
def test_look_alikes_of_the_staff_are_refused(name: str) -> None:
    assert "looks like another account" in sign_up(name) or "mixes" in sign_up(name)
    assert not User.objects.exists()


def test_a_renamed_account_is_compared_by_its_new_name() -> None:
    user = User.objects.create_user("before")
    user.username = "after"
    user.save(update_fields=["username"])
    assert sign_up("before") == ""
    assert "looks like" in sign_up("AFTER")


def test_every_letter_looks_like_itself_alone() -> None:
    letters = "abcdefghijklmnopqrstuvwxyz23456789"
    assert len({usernames.looks(letter).folded for letter in letters}) == len(letters)


def test_accounts_whose_names_differ_in_capitals_alone_still_sign_in() -> None:
    """They may be older than the rule."""
    for name in ("ann", "Ann"):
        User.objects.create_user(name, password=f"{PASSWORD} {name}")
    for name in ("ann", "Ann"):
        client = Client()
        client.post("/sign-in/", {"login": name, "password": f"{PASSWORD} {name}"})
        assert int(client.session["_auth_user_id"]) == User.objects.get(username=name).pk
