"""Each visitor's language and time zone."""

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
        if user.is_authenticated:
            if user.language:
                translation.activate(user.language)
                request.LANGUAGE_CODE = translation.get_language() or user.language
            timezone.activate(zoneinfo.ZoneInfo(user.time_zone))
        else:
            timezone.deactivate()
        return self.get_response(request)
