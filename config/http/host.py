from __future__ import annotations

import logging
from collections.abc import Callable

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.utils.log import log_response

from players.web.problems import Refused, is_api

_SHOWN_CHARS = 100

logger = logging.getLogger(__name__)


class HostMiddleware:
    """Answers 400 to a host that is not among ``ALLOWED_HOSTS``, with one line in the log.

    Scanners send such requests all the time; Django would write a traceback for each.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            request.get_host()
        except DisallowedHost:
            return _refused(request)
        return self._get_response(request)


def _refused(request: HttpRequest) -> HttpResponse:
    text = "This site is not served under that host name."
    if is_api(request):
        response = Refused("bad_host", text).response()
    else:
        response = HttpResponse(f"{text}\n", status=400, content_type="text/plain; charset=utf-8")
    host = request.META.get("HTTP_HOST", "")[:_SHOWN_CHARS]
    log_response("Host “%s” is not allowed: %s", host, request.path, response=response, request=request, logger=logger)
    return response
