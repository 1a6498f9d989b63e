from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response, set_response_etag
from django.utils.log import log_response
from django.utils.translation import gettext

from players.db.keyset import BadCursor
from players.web import log_fields
from players.web.disk import StorageFull, is_full
from players.web.errors import GettingReady, Problem, bad_request
from players.web.problems import CONTENT_TYPE, ProblemDetails, is_api

logger = logging.getLogger(__name__)

#: The code of an error that says no more than its status; of any other it is ``bad_request`` or ``server_error``.
_CODES: Final = {403: "forbidden", 404: "not_found", 405: "method_not_allowed", 413: "body_too_large"}


class ApiProblemMiddleware:
    """Turns every error under ``/api/`` into a problem that is none yet: those of Django, of middleware, of plain views."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        status = response.status_code
        if status < 400 or not is_api(request) or response["Content-Type"] == CONTENT_TYPE:
            return response
        if status >= 500 and settings.DEBUG:
            return response  # Django's page with the traceback
        code = _CODES.get(status) or ("server_error" if status >= 500 else "bad_request")
        log_fields.note(problem=code)
        response.content = ProblemDetails(code, status=status).body()
        response["Content-Type"] = CONTENT_TYPE
        response["Content-Length"] = str(len(response.content))  # that of the page stands there
        return response


class ApiCachingMiddleware:
    """Gives answers of the API an ETag, and 304 to whoever has them; caches may keep those that nobody signed in for.

    Every use asks again (``no-cache``).  So a cache that serves guests and accounts never mixes them up: the answer to an
    account has another ETag, or the same content.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse | None:
        response = self._get_response(request)
        if not _may_be_kept(request, response):
            return response
        if not response.has_header("ETag"):
            set_response_etag(response)
        if response.get("Cache-Control", "private") == "private":
            is_public = "Cookie" not in request.headers and "Authorization" not in request.headers
            response["Cache-Control"] = "public, no-cache" if is_public else "private, no-cache"
            if is_public:
                _leave_out_of_vary(response, "Cookie")
        return get_conditional_response(request, etag=response["ETag"], response=response)


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
        log_fields.note(problem="getting_ready")
        context = {"retry_seconds": error.retry_seconds}
        response = render(request, "503.html", context, status=503)
        response["Retry-After"] = str(error.retry_seconds)
        return response


class ProblemMiddleware:
    """Answers a page that raises a :class:`Problem`, or finds the disk full: with a page, or JSON for scripts.

    A cursor that was not made for the list is answered here too, so that no page with a list has to think of it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if isinstance(error, BadCursor):
            return bad_request(request, gettext(str(error)))
        problem = StorageFull() if is_full(error) else error
        if not isinstance(problem, Problem):
            return None
        if problem is not error:
            logger.error("The disk is full: %s", error)
        response = _answer(request, problem)
        if problem.retry_seconds is not None:
            response["Retry-After"] = str(problem.retry_seconds)
        return response


def _answer(request: HttpRequest, problem: Problem) -> HttpResponse:
    text = str(problem)
    log_fields.note(problem=problem.code)
    if is_api(request):
        return ProblemDetails(problem.code, text, status=problem.http_status).response()
    if request.headers.get("Accept", "").startswith("application/json"):
        return JsonResponse({"code": problem.code, "error": text}, status=problem.http_status)
    context = {"reason": text, "digits": str(problem.http_status)}
    return render(request, "problem.html", context, status=problem.http_status)


def _may_be_kept(request: HttpRequest, response: HttpResponse) -> bool:
    if (
        not is_api(request)
        or request.method not in ("GET", "HEAD")
        or response.status_code != 200
        or response.streaming
    ):
        return False
    is_page = response["Content-Type"].startswith("text/html")  # its forms have other tokens each time
    return not is_page and "no-store" not in response.get("Cache-Control", "")


def _leave_out_of_vary(response: HttpResponse, name: str) -> None:
    kept = [one for one in response.get("Vary", "").split(", ") if one and one != name]
    del response["Vary"]
    if kept:
        response["Vary"] = ", ".join(kept)
