"""The token with which an account's programs use the API."""

from __future__ import annotations

from django.db import transaction
from rest_framework.authtoken.models import Token

from players.models import User


def token_rotate(user: User) -> str:
    """A new API token; the old one, if any, ends at once."""
    with transaction.atomic():
        Token.objects.filter(user=user).delete()
        key: str = Token.objects.create(user=user).key
    return key


def token_revoke(user: User) -> None:
    """End the API token."""
    Token.objects.filter(user=user).delete()
