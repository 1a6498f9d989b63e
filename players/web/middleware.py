"""Answers to requests that cannot be served yet."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.log import log_response

from players.web.errors import GettingReady


class GettingReadyMiddleware:
    """Answers a page that raises :class:`GettingReady` with 503; the browser tries again by itself."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        if response.status_code == 503 and response.has_header("Retry-After"):
            # Django would log an error for each; nothing is wrong.
            log_response("Getting ready: %s", request.path, response=response, request=request, level="info")
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, GettingReady):
            return None
        context = {"retry_seconds": error.retry_seconds}
        response = render(request, "503.html", context, status=503)
        response["Retry-After"] = str(error.retry_seconds)
        return response
