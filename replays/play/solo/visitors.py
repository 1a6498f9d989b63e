"""The guest behind a request."""

from __future__ import annotations

from django.http import HttpRequest
from rest_framework.request import Request

COOKIE = "play_guest"


def guest_of(request: HttpRequest | Request) -> str:
    """The random name in the signed cookie of the browser; "" without one."""
    raw = request._request if isinstance(request, Request) else request
    return str(raw.get_signed_cookie(COOKIE, default="", salt=COOKIE))
