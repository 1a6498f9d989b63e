"""Browsers that have signed in to an account before.

They are counted apart from all other visitors, so that whoever guesses an account's password cannot lock its owner out.
A signed cookie says which account a browser knows; stolen, it only permits as many guesses as any address has.
"""

from __future__ import annotations

import secrets
from typing import Final

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

COOKIE: Final = "known_device"
_SALT: Final = "players.accounts.devices"
_SECONDS: Final = 365 * 24 * 3600


def device_of(request: HttpRequest, username: str) -> str | None:
    """The random id of the browser, if the account has signed in from it; else None."""
    try:
        account, device = signing.loads(request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=_SECONDS)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return str(device) if account == username else None


def remember_device(request: HttpRequest, response: HttpResponse, username: str) -> None:
    device = device_of(request, username) or secrets.token_urlsafe(9)
    response.set_cookie(
        COOKIE,
        signing.dumps([username, device], salt=_SALT),
        max_age=_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
