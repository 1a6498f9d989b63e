"""Requests that name a charset which is none."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest

Handler = Callable[[HttpRequest], HttpResponse]


class CharsetMiddleware:
    """Answer 400 to ``Content-Type: …; charset=hex``: Python knows such codecs, but they make no text.

    Django decodes forms with whatever codec the request names, and falls over these with a 500.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        charset = (request.content_params or {}).get("charset", "utf-8")
        try:
            b"".decode(charset)
            "".encode(charset)
        except (LookupError, ValueError):
            return HttpResponseBadRequest(f"There is no charset of that name: {charset!a}", content_type="text/plain")
        return self.get_response(request)
