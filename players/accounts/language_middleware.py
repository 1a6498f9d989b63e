from __future__ import annotations

import re
import zoneinfo
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from players.web.clock import clock_of

Handler = Callable[[HttpRequest], HttpResponse]


class PreferencesMiddleware:
    """Activate the signed-in visitor's language, time zone and clock for the request; the database stays in UTC.

    At the addresses ``SAME_FOR_EVERYBODY`` nobody asks who the visitor is: a response that does so depends on the cookie.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response
        self._same_for_everybody = re.compile(settings.SAME_FOR_EVERYBODY)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if self._same_for_everybody.fullmatch(request.path_info):
            timezone.deactivate()
            return self.get_response(request)
        with clock_of(request):
            return self._for_visitor(request)

    def _for_visitor(self, request: HttpRequest) -> HttpResponse:
        user = request.user
        if not user.is_authenticated:
            timezone.deactivate()
            return self.get_response(request)
        if user.language:
            translation.activate(user.language)
            request.LANGUAGE_CODE = translation.get_language() or user.language
        timezone.activate(zoneinfo.ZoneInfo(user.time_zone))
        response = self.get_response(request)
        # The page is of one visitor: proxies must not store it.
        response.headers.setdefault("Cache-Control", "private")
        return response
