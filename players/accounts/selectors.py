"""Reading accounts."""

from __future__ import annotations

from rest_framework.authtoken.models import Token

from players.models import User


def account_token(user: User) -> str | None:
    """The key of the account's API token; None if there is none."""
    return Token.objects.filter(user=user).values_list("key", flat=True).first()
