from __future__ import annotations

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from rest_framework.request import Request

from players.models import User


def signed_in_user(request: HttpRequest | Request) -> User | None:
    user = request.user
    return user if isinstance(user, User) else None


def required_user(request: HttpRequest | Request) -> User:
    """The account behind a request to a view that only signed-in visitors reach."""
    user = request.user
    assert isinstance(user, User)  # noqa: S101 - every caller requires a signed-in visitor
    return user


def counts_from_one(user: AbstractBaseUser | AnonymousUser | None) -> bool:
    """Return whether times are shown to ``user`` (an account, an anonymous visitor or None) counted from 1."""
    return getattr(user, "clock", User.Clock.ZERO) == User.Clock.ONE
