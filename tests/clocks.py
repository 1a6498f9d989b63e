from __future__ import annotations

from contextlib import AbstractContextManager

from django.contrib.auth.models import AnonymousUser
from django.test import RequestFactory

from players.models import User
from players.web.clock import CLOCK_COOKIE, clock_of


def read_by(user: User | AnonymousUser, cookie: str = "") -> AbstractContextManager[None]:
    """Show times on the clock of ``user``; ``cookie``: that of a guest."""
    request = RequestFactory().get("/")
    request.user = user
    request.COOKIES[CLOCK_COOKIE] = cookie
    return clock_of(request)


def times_from_one() -> AbstractContextManager[None]:
    return read_by(AnonymousUser(), "one")
