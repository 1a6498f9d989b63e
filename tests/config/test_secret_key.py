"""Another SECRET_KEY, with the former one among SECRET_KEY_FALLBACKS: what was signed or encrypted by it is still read."""

from __future__ import annotations

import environ
import pytest
from allauth.mfa.adapter import get_adapter
from django.core import signing
from django.test import Client
from pytest_django import Settings

from config import env
from players.models import User
from tests.conftest import PASSWORD


def test_the_variable_is_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(environ.Env.ENVIRON, "SECRET_KEY_FALLBACKS", "one, two")
    assert env.value("SECRET_KEY_FALLBACKS") == ["one", "two"]


@pytest.mark.django_db
def test_a_session_and_a_second_factor_outlive_a_new_key(settings: Settings, owner: User) -> None:
    client = Client()
    assert client.login(username=owner.username, password=PASSWORD)
    signed, encrypted = signing.dumps("cursor"), get_adapter().encrypt("a secret")
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another key"
    assert client.get("/account/").status_code == 200
    assert signing.loads(signed) == "cursor"
    assert get_adapter().decrypt(encrypted) == "a secret"


@pytest.mark.django_db
def test_without_the_former_key_they_end(settings: Settings, owner: User) -> None:
    client = Client()
    assert client.login(username=owner.username, password=PASSWORD)
    signed = signing.dumps("cursor")
    settings.SECRET_KEY = "another key"
    assert client.get("/account/").status_code == 302
    with pytest.raises(signing.BadSignature):
        signing.loads(signed)
