"""The limit on films, odds, routes and formulas, which has nothing to do with that of positions."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.request import Request

from players.web.rate_limits import RateLimit, client_address, count_or_refuse


def count_film(request: HttpRequest | Request, number: int = 1) -> None:
    """Count for the address of the visitor.  Raises ``Problem``."""
    limit = RateLimit("films", settings.FILM_RATE)
    count_or_refuse(limit, client_address(request), _("Too many films in a while."), number)
