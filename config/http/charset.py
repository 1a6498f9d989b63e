from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest

from players.web.problems import Refused, is_api

Handler = Callable[[HttpRequest], HttpResponse]


class CharsetMiddleware:
    """Responds with 400 to ``Content-Type: …; charset=hex``: Python has such codecs, but they do not decode to text.

    Django decodes forms with any codec that the request names; with these it would fail with a 500.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        charset = (request.content_params or {}).get("charset", "utf-8")
        try:
            b"".decode(charset)
            "".encode(charset)
        except (LookupError, ValueError):
            text = f"There is no charset of that name: {charset!a}"
            if is_api(request):
                return Refused("bad_charset", text).response()
            return HttpResponseBadRequest(text, content_type="text/plain")
        return self.get_response(request)
