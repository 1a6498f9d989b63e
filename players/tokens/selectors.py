from __future__ import annotations

import hashlib

from django.utils import timezone

from players.models import ApiToken, User


def digest_of(key: str) -> str:
    """Compute the digest that is stored of a key: SHA-256, since keys have 256 random bits, which nobody can guess."""
    return hashlib.sha256(key.encode()).hexdigest()


def tokens_of(user: User) -> list[ApiToken]:
    """The tokens of an account that have not expired, newest first."""
    return list(ApiToken.objects.filter(user=user, expires_at__gt=timezone.now()))


def token_of_key(key: str) -> ApiToken | None:
    """The token with this key, with its account; None if there is none, or it has expired, or the account is closed."""
    found = ApiToken.objects.select_related("user").filter(digest=digest_of(key)).first()
    if found is None or found.expires_at <= timezone.now() or not found.user.is_active:
        return None
    return found
