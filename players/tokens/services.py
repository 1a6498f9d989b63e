from __future__ import annotations

import datetime
import secrets
from collections.abc import Iterable
from typing import Final

from django.db.models import Q
from django.utils import timezone

from players.models import ApiToken, User
from players.tokens.scopes import Scope
from players.tokens.selectors import digest_of

#: By this programs that look for published secrets recognise a key.
KEY_PREFIX: Final = "swb_"
_SHOWN_CHARS: Final = 12
_USE_IS_NOTED_EVERY: Final = datetime.timedelta(hours=1)
A_YEAR: Final = datetime.timedelta(days=365)
#: More than any account needs, so that a stolen session cannot fill the table.
MAX_TOKENS: Final = 50


class TooManyTokens(Exception):
    """The account has :data:`MAX_TOKENS` tokens."""


def token_create(
    user: User, name: str, scopes: Iterable[Scope], *, lasts: datetime.timedelta = A_YEAR
) -> tuple[ApiToken, str]:
    """A new token and its key, which cannot be found out again.  Raises :class:`TooManyTokens`."""
    ApiToken.objects.filter(user=user, expires_at__lte=timezone.now()).delete()
    if ApiToken.objects.filter(user=user).count() >= MAX_TOKENS:
        raise TooManyTokens
    key = KEY_PREFIX + secrets.token_hex(32)
    token = ApiToken.objects.create(
        user=user,
        name=name,
        prefix=key[:_SHOWN_CHARS],
        digest=digest_of(key),
        scopes=" ".join(sorted(set(scopes))),
        expires_at=timezone.now() + lasts,
    )
    return token, key


def token_end(user: User, pk: int) -> bool:
    """Return whether there was one."""
    deleted, _ = ApiToken.objects.filter(user=user, pk=pk).delete()
    return deleted > 0


def tokens_end(user: User) -> int:
    """Return how many there were."""
    deleted, _ = ApiToken.objects.filter(user=user).delete()
    return deleted


def token_used(token: ApiToken) -> None:
    """Note that the token was used, at most once an hour, however many requests and processes there are."""
    now = timezone.now()
    if token.last_used_at is None or token.last_used_at < now - _USE_IS_NOTED_EVERY:
        stale = Q(last_used_at=None) | Q(last_used_at__lt=now - _USE_IS_NOTED_EVERY)
        ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)
