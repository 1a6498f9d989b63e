from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.request import Request

from players.web.rate_limits import RateLimit, count_or_refuse, visitor_of


def count_search(request: HttpRequest | Request) -> None:
    """Raise ``Problem`` (429) above the limit."""
    limit = RateLimit("searches", settings.SEARCH_RATE)
    count_or_refuse(limit, visitor_of(request), _("Too many searches in a while."))
