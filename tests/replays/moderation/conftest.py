from __future__ import annotations

import pytest
from django.test import Client

from players.models import User
from tests.conftest import PASSWORD, with_second_factor


def moderator_named(name: str) -> User:
    user = User.objects.create_user(name, f"{name}@example.org", PASSWORD, is_moderator=True)
    return with_second_factor(user)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def moderator(db: None) -> User:
    """A moderator with a second factor, who is no staff."""
    return moderator_named("mod")


@pytest.fixture
def moderator_client(moderator: User) -> Client:
    return signed_in(moderator)
