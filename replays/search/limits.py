"""How often one account or address may search."""

from __future__ import annotations

import math

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.request import Request

from players.web.errors import Problem
from players.web.rate_limits import RateLimit, visitor_of


def count_search(request: HttpRequest | Request) -> None:
    """Count a search; raises ``Problem`` (429) above the limit."""
    limit, visitor = RateLimit("searches", settings.SEARCH_RATE), visitor_of(request)
    if not limit.count(visitor):
        raise Problem(
            "too_many_requests", _("Too many searches in a while."), 429, math.ceil(limit.wait_seconds(visitor))
        )
