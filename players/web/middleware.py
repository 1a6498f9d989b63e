from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.middleware.http import ConditionalGetMiddleware
from django.shortcuts import render
from django.utils.log import log_response
from django.utils.translation import gettext
from rest_framework.permissions import SAFE_METHODS

from players.db.keyset import BadCursor
from players.web import log_fields
from players.web.banned import ban_refusal
from players.web.disk import StorageFull, is_full
from players.web.errors import bad_request
from players.web.problems import CONTENT_TYPE, Refused, is_api
from players.web.rate_limits import limits_used
from players.web.users import signed_in_user

logger = logging.getLogger(__name__)

#: The code of an error that says no more than its status; of any other it is ``bad_request`` or ``server_error``.
_CODES: Final = {403: "forbidden", 404: "not_found", 405: "method_not_allowed", 413: "body_too_large"}

_SAFE: Final = ("GET", "HEAD")


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
        response.content = Refused(code, status=status).body()
        response["Content-Type"] = CONTENT_TYPE
        response["Content-Length"] = str(len(response.content))  # that of the page stands there
        return response


class ApiCachingMiddleware(ConditionalGetMiddleware):
    """Gives answers to programs an ETag, and 304 to whoever has them; caches may keep those that nobody signed in for.

    Every use asks again (``no-cache``), as answers depend on the account (what it may see, its language) and do not vary
    by cookie.  So a cache that serves guests and accounts never mixes them up: the answer to an account has another ETag,
    or the same content.  Errors are not kept, as what one may not see another may.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not _is_for_programs(request, response):
            return response
        is_public = _is_public(request, response)
        if response.get("Cache-Control", "private") == "private":  # what the middleware of accounts says of everything
            response["Cache-Control"] = "public, no-cache" if is_public else _kept_by_nobody_else(request, response)
        if is_public:
            _leave_out_of_vary(response, "Cookie")
        if response.status_code != 200 or response.streaming:
            return response
        return super().process_response(request, response)


class RateLimitMiddleware:
    """Tells in answers of the API which limits counted the request and what is left."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not is_api(request):
            return self._get_response(request)
        with limits_used() as used:
            response = self._get_response(request)
        for name, value in used.headers().items():
            response[name] = value
        return response


class BanMiddleware:
    """Refuses what a banned account sends from a session; tokens are checked where they are read."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_view(self, request: HttpRequest, view: object, args: object, options: object) -> HttpResponse | None:
        if request.method in SAFE_METHODS or request.resolver_match is None:
            return None  # who the visitor is need not be looked up
        refusal = ban_refusal(signed_in_user(request), request.method or "", request.resolver_match.url_name)
        return _answer(request, Refused("banned", refusal)) if refusal else None


class ProblemMiddleware:
    """Answers a page that raises :class:`Refused`, or finds the disk full: with a page, or JSON for scripts.

    A cursor that was not made for the list is answered here too, so that no page with a list has to think of it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        if response.status_code == 503 and response.has_header("Retry-After"):
            # Django would log an error for each; nothing is wrong.
            log_response("Not yet: %s", request.path, response=response, request=request, level="info")
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if isinstance(error, BadCursor):
            return bad_request(request, gettext(str(error)))
        problem = StorageFull() if is_full(error) else error
        if not isinstance(problem, Refused):
            return None
        if problem is not error:
            logger.error("The disk is full: %s", error)
        return _answer(request, problem)


def _answer(request: HttpRequest, problem: Refused) -> HttpResponse:
    if is_api(request):
        return problem.response()
    log_fields.note(problem=problem.code)
    if request.headers.get("Accept", "").startswith("application/json"):
        response: HttpResponse = JsonResponse({"code": problem.code, "error": str(problem)}, status=problem.http_status)
    else:
        template = "503.html" if problem.code == "getting_ready" else "problem.html"
        if problem.http_status == 400:
            template = "400.html"
        context = {
            "reason": str(problem), "digits": str(problem.http_status), "retry_seconds": problem.retry_seconds,
        }  # fmt: skip
        response = render(request, template, context, status=problem.http_status)
    if problem.retry_seconds is not None:
        response["Retry-After"] = str(problem.retry_seconds)
    return response


def _is_for_programs(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Return whether it is an answer of the API, or a feed; pages of the documentation have forms with other tokens each time."""
    kind = response.get("Content-Type", "")
    return (is_api(request) and not kind.startswith("text/html")) or kind.startswith("application/atom+xml")


def _is_public(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Return whether it is an answer to somebody of whom nothing is known, and nobody gets a cookie by it."""
    is_read = request.method in _SAFE and response.status_code in (200, 304) and not response.streaming
    is_known = request.headers.get("Cookie") or request.headers.get("Authorization")
    return is_read and not is_known and not response.cookies


def _kept_by_nobody_else(request: HttpRequest, response: HttpResponseBase) -> str:
    return "no-store" if response.status_code >= 400 or request.method not in _SAFE else "private, no-cache"


def _leave_out_of_vary(response: HttpResponseBase, name: str) -> None:
    kept = [one for one in response.get("Vary", "").split(", ") if one and one != name]
    del response["Vary"]
    if kept:
        response["Vary"] = ", ".join(kept)
