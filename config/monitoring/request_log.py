"""One line in the log for each request and each socket, and what the metrics count of them."""

from __future__ import annotations

import logging
import re
import time
import uuid
from collections.abc import Callable, Container
from typing import Any, Final

from django.http import HttpRequest, HttpResponse

from players.web import counters, log_fields
from players.web.addresses import address_of_scope

logger = logging.getLogger("sweepbook.requests")

REQUEST_ID_HEADER: Final = b"x-request-id"
_REQUEST_ID: Final = re.compile(r"[\w.-]{1,64}", re.ASCII)
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_MOST_CHARS: Final = 64
#: The visitor went before there was an answer; nginx writes the same number.
GONE: Final = 499
NO_ROUTE: Final = "none"
#: Questions about the site, which are not counted: their 503 tells of an error that counts where it is met.
PROBES: Final = frozenset({"/healthz", "/readyz", "/metrics"})


class RequestRecord:
    """A request or a socket from its first byte to its last.

    ``id`` is that of the proxy if it is a plain word, so that nobody writes other things into logs by it.
    """

    def __init__(self, scope: Any) -> None:
        self._began = time.perf_counter()
        given = ",".join(value.decode("latin1") for name, value in scope["headers"] if name == REQUEST_ID_HEADER)
        self.id = given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        self.status = GONE
        #: Whether the answer goes on until somebody ends it: how long it took says nothing about the site.
        self.is_stream = False
        method = scope.get("method", "GET")
        self._fields, self._token = log_fields.begin(
            request_id=self.id,
            address=address_of_scope(scope)[:_MOST_CHARS],
            method=method if method in _METHODS else "other",
        )

    def end(self) -> None:
        """Write the line; called once, in the context that made the record."""
        seconds = time.perf_counter() - self._began
        route = str(self._fields.setdefault("route", NO_ROUTE))
        self._fields |= {"status": self.status, "ms": round(seconds * 1000, 1)}
        if route not in PROBES:
            self._count(route, seconds)
        logger.info("%(method)s %(route)s %(status)s %(ms)s ms %(address)s", self._fields)
        log_fields.end(self._token)

    def _count(self, route: str, seconds: float) -> None:
        if self.status >= 400 and self.status != GONE:
            counters.count("refusals", reason=self._fields.setdefault("problem", str(self.status)))
        counters.count("requests", route=route, status=self.status)
        if not self.is_stream:
            counters.observe("request_seconds", seconds, route=route)

    def end_socket(self, code: int | None) -> None:
        seconds = time.perf_counter() - self._began
        self._fields |= {"code": code, "ms": round(seconds * 1000)}
        self._fields.setdefault("route", NO_ROUTE)
        logger.info("socket %(route)s closed with %(code)s after %(ms)s ms %(address)s", self._fields)
        log_fields.end(self._token)


class SocketLog:
    """The ASGI application of sockets, with a line at the end of each, and a count of those that are open."""

    def __init__(self, application: Any, routes: Container[str]) -> None:
        self._application, self._routes = application, routes

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        record = RequestRecord(scope)
        if (route := scope["path"]) in self._routes:
            log_fields.note(route=route)
        code: int | None = None

        async def received() -> Any:
            nonlocal code
            message = await receive()
            if message["type"] == "websocket.disconnect":
                code = message.get("code")
            return message

        counters.add_sockets(1)
        try:
            await self._application(scope, received, send)
        finally:
            counters.add_sockets(-1)
            record.end_socket(code)


class RouteMiddleware:
    """Notes route, replay and account of the request; the path is not logged, since links in letters have secrets in it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        if (account := _known_account(request)) is not None:
            log_fields.note(account=account)
        return response

    def process_view(self, request: HttpRequest, view: object, args: object, kwargs: dict[str, Any]) -> None:
        match = request.resolver_match
        if match is None:
            return
        log_fields.note(route=f"/{match.route}")
        # The patterns before this one, for the 404 page of DEBUG: 160 lists a request, which stay until the garbage collector runs.
        match.tried = None
        if match.route.removeprefix("api/v1/").startswith("replays/") and isinstance(kwargs.get("pk"), int):
            log_fields.note(replay=kwargs["pk"])


def _known_account(request: HttpRequest) -> int | None:
    """The account of a session or token that something has asked for already; this asks the database for nothing."""
    user = request.__dict__.get("user")
    if hasattr(user, "_wrapped"):  # that of the session, loaded or not; the REST framework puts its own there
        user = request.__dict__.get("_cached_user")
    return getattr(user, "pk", None)


def is_from_this_machine(request: HttpRequest) -> bool:
    """Return whether the request, and each proxy that it came through, says that it comes from this machine.

    A stranger can write any address into the header, but not keep the proxy from adding the true one.
    """
    hops = str(request.META.get("HTTP_X_FORWARDED_FOR", "")).split(",")
    named = [hop.strip() for hop in hops if hop.strip()]
    return all(address in _HERE for address in (str(request.META.get("REMOTE_ADDR", "")), *named))


#: "": a socket file.
_HERE: Final = frozenset({"", "127.0.0.1", "::1"})
