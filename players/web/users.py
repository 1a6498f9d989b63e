from __future__ import annotations

from django.http import HttpRequest
from rest_framework.request import Request

from players.models import User


def signed_in_user(request: HttpRequest | Request) -> User | None:
    user = request.user
    return user if isinstance(user, User) else None


def moderator_in(request: HttpRequest | Request) -> User | None:
    """The account behind ``request`` if it may use the power of staff or moderators."""
    user = signed_in_user(request)
    return user if user is not None and user.acts_as_moderator else None


def required_user(request: HttpRequest | Request) -> User:
    """The account behind a request to a view that only signed-in visitors reach."""
    user = request.user
    assert isinstance(user, User)  # noqa: S101 - every caller requires a signed-in visitor
    return user
