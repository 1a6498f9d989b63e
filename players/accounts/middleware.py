"""The language and time zone of each visitor."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

Handler = Callable[[HttpRequest], HttpResponse]


class PreferencesMiddleware:
    """Activate the signed-in user's language and time zone for the request; the database stays in UTC."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
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
