"""Visitors who play: an account, or a guest whom a signed cookie names."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.request import Request

GUEST_COOKIE: Final = "play_guest"
_SALT: Final = "replays.play.guest"
_YEAR_SECONDS: Final = 365 * 24 * 3600
_GUEST_BYTES: Final = 8


@dataclass(frozen=True, slots=True)
class Visitor:
    """An account (``user_id``) or a guest (``guest``: 16 hexadecimal digits, "" for accounts), and the name that others see."""

    user_id: int | None
    guest: str
    name: str

    @property
    def key(self) -> str:
        return f"guest-{self.guest}" if self.user_id is None else f"account-{self.user_id}"


def visitor_of(request: HttpRequest | Request) -> Visitor:
    """Return the sender of ``request``; without an account and a valid cookie a new guest, for ``set_guest_cookie``."""
    if request.user.is_authenticated:
        return Visitor(request.user.pk, "", request.user.get_username())
    return guest_of(guest_in(request) or secrets.token_hex(_GUEST_BYTES))


def guest_in(request: HttpRequest | Request) -> str:
    """The name in the cookie of the browser, also if an account is signed in; "" without a valid one."""
    http = request._request if isinstance(request, Request) else request
    return http.get_signed_cookie(GUEST_COOKIE, "", salt=_SALT, max_age=_YEAR_SECONDS) or ""


def guest_of(guest: str) -> Visitor:
    """The guest with this name of the cookie; what others see tells little of it."""
    return Visitor(None, guest, f"Guest {int(guest, 16) % 10_000:04}")


def set_guest_cookie(response: HttpResponseBase, visitor: Visitor) -> None:
    """Keep ``visitor`` in the browser for a year, if it is a guest."""
    if visitor.user_id is None:
        response.set_signed_cookie(
            GUEST_COOKIE, visitor.guest, salt=_SALT, max_age=_YEAR_SECONDS,
            httponly=True, samesite="Lax", secure=settings.HTTPS,
        )  # fmt: skip
