"""The limit on films, odds, routes and formulas, which has nothing to do with that of positions."""

from __future__ import annotations

import math

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.request import Request

from players.web.errors import Problem
from players.web.rate_limits import RateLimit, client_address


def count_film(request: HttpRequest | Request, number: int = 1) -> None:
    """Count ``number`` films for the address of the visitor.  Raises ``Problem``."""
    limit, visitor = RateLimit("films", settings.FILM_RATE), client_address(request)
    if not limit.count(visitor, number):
        wait = math.ceil(limit.wait_seconds(visitor))
        raise Problem("too_many_requests", _("Too many films in a while."), 429, wait)
