"""Django's WSGI handler behind an ASGI server.

No view of the site is asynchronous.  The event loop reads the request, one thread runs the view, and the event loop
sends the response, so that a visitor who sends or reads slowly does not occupy a thread.  Whoever waits for others waits
in the event loop as well (``config.http.lanes``); no view waits in its thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from typing import IO, Any, Final, TypeVar

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, ASGISendEvent, HTTPScope
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.db import DatabaseError

from config.http.bodies import LATER_SECONDS, WATCH_PATHS, ClientGone, read_body
from config.http.lanes import Lanes
from config.monitoring.request_log import REQUEST_ID_HEADER, RequestRecord
from players.db.outage import RETRY_SECONDS, is_outage
from players.db.own_connection import disconnected
from players.web import log_fields
from players.web.event_stream import EventStream
from players.web.problems import API_PREFIX, CONTENT_TYPE, Refused

T = TypeVar("T")

#: As many as the lanes need together, and some that check or send.
THREADS: Final = 32
#: A connection is closed if the visitor takes longer than this to read a part of a response.
SEND_SECONDS: Final = 60


@dataclass
class _Answer:
    """The response of the handler; ``parts``: the content of a streamed one, else None and ``body`` is all of it."""

    status: int = 500
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""
    parts: Iterator[bytes] | None = None
    response: Any = None

    def start(self, status: str, headers: list[tuple[str, str]], exc_info: Any = None, /) -> Callable[[bytes], object]:
        self.status = int(status.partition(" ")[0])
        self.headers = [(name.lower().encode("latin1"), value.strip().encode("latin1")) for name, value in headers]
        return _write


def _write(_part: bytes) -> None:
    raise NotImplementedError("Django returns what it writes")


class HttpApplication:
    def __init__(self, handler: WSGIHandler) -> None:
        self._handler = handler
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="page")
        self._lanes = Lanes()

    async def __call__(self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        record = RequestRecord(scope)
        try:
            await self._respond(scope, receive, send, record)
        finally:
            record.end()

    async def _respond(
        self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable, record: RequestRecord
    ) -> None:
        async def refusal(of: HTTPScope) -> Refused | None:
            return await self._in_thread(_file_refusal, of)

        try:
            body = await read_body(scope, receive, refusal)
        except ClientGone:
            return
        except Refused as error:
            log_fields.note(problem=error.code)
            answer = _refusal(error, scope)
        else:
            with body:
                answer = await self._answer_in_turn(scope, _environ(scope, body))
        record.status = answer.status
        answer.headers.append((REQUEST_ID_HEADER, record.id.encode()))
        try:
            if isinstance(answer.response, EventStream):
                record.is_stream = True
                await _send_events(answer, answer.response, receive, send)
            else:
                await self._send(answer, send)
        finally:
            if answer.response is not None:
                await self._in_thread(answer.response.close)

    async def _answer_in_turn(self, scope: HTTPScope, environ: dict[str, Any]) -> _Answer:
        try:
            async with self._lanes.turn(environ):
                return await self._in_thread(self._answer, environ)
        except Refused as error:
            log_fields.note(problem=error.code)
            await asyncio.sleep(LATER_SECONDS)  # whoever asks again at once would cost more than what is refused
            return _refusal(error, scope)

    async def _in_thread(self, function: Callable[..., T], *args: Any) -> T:
        """Call it in a thread with a copy of the context, so that the language of a request is not left in the thread."""
        call = partial(copy_context().run, disconnected, function, *args)
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    def _answer(self, environ: dict[str, Any]) -> _Answer:
        """Leave the parts of a streamed response unread."""
        answer = _Answer()
        response = self._handler(environ, answer.start)
        if isinstance(response, EventStream):
            answer.response = response
            return answer
        if getattr(response, "streaming", False):
            answer.parts, answer.response = iter(response), response
            return answer
        try:
            answer.body = b"".join(response)
        finally:
            response.close()
        return answer

    async def _send(self, answer: _Answer, send: ASGISendCallable) -> None:
        """Send ``answer``; each part of a streamed one is produced after the visitor has taken the part before."""
        await _send_soon(
            send, {"type": "http.response.start", "status": answer.status, "headers": answer.headers, "trailers": False}
        )
        if answer.parts is not None:
            while (part := await self._in_thread(next, answer.parts, None)) is not None:
                await _send_soon(send, {"type": "http.response.body", "body": part, "more_body": True})
        await _send_soon(send, {"type": "http.response.body", "body": answer.body, "more_body": False})


async def _send_soon(send: ASGISendCallable, message: ASGISendEvent) -> None:
    async with asyncio.timeout(SEND_SECONDS):
        await send(message)


async def _send_events(
    answer: _Answer, stream: EventStream, receive: ASGIReceiveCallable, send: ASGISendCallable
) -> None:
    """Send the parts of ``stream`` until it ends or the listener has gone; none of it takes a thread."""
    headers = [(name, value) for name, value in answer.headers if name != b"content-length"]

    async def send_all() -> None:
        await _send_soon(
            send, {"type": "http.response.start", "status": answer.status, "headers": headers, "trailers": False}
        )
        async with aclosing(stream.parts()) as parts:
            async for part in parts:
                await _send_soon(send, {"type": "http.response.body", "body": part, "more_body": True})
        await _send_soon(send, {"type": "http.response.body", "body": b"", "more_body": False})

    async def leave() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    sending, leaving = asyncio.create_task(send_all()), asyncio.create_task(leave())
    try:
        await asyncio.wait([sending, leaving], return_when=asyncio.FIRST_COMPLETED)
    finally:
        leaving.cancel()
        sending.cancel()  # does nothing to one that is done
        with suppress(asyncio.CancelledError, TimeoutError):
            await sending


def _file_refusal(scope: HTTPScope) -> Refused | None:
    from players.web.rate_limits import limits_used  # these need the settings and all apps
    from replays.upload.intake.permissions import sender_problem
    from replays.watch.any_file.selectors import watcher_problem

    problem_of = watcher_problem if scope["path"] in WATCH_PATHS else sender_problem

    try:
        with limits_used() as used:
            problem = problem_of(_environ(scope, BytesIO()))
    except DatabaseError as error:
        if not is_outage(error):
            raise
        text = "We can't reach our database right now. Try again in a moment."
        return Refused("database_away", text, RETRY_SECONDS)
    if problem is not None:
        problem.headers = used.headers()
    return problem


def _refusal(error: Refused, scope: HTTPScope) -> _Answer:
    """Answer with a problem under ``/api/``, else with plain text."""
    plain = not scope["path"].startswith(API_PREFIX)
    body = f"{error}\n".encode() if plain else error.body()
    kind = b"text/plain; charset=utf-8" if plain else CONTENT_TYPE.encode()
    length = str(len(body)).encode()
    headers = [(b"content-type", kind), (b"content-length", length), (b"connection", b"close")]
    if error.retry_seconds is not None:
        headers.append((b"retry-after", str(error.retry_seconds).encode()))
    if not plain:
        told = {
            "cache-control": "no-store",
            # As `corsheaders` says in all other answers of the API.
            "access-control-allow-origin": "*",
            "access-control-expose-headers": ", ".join(settings.CORS_EXPOSE_HEADERS),
            **error.headers,
        }
        headers += [(name.lower().encode(), value.encode()) for name, value in told.items()]
    return _Answer(error.http_status, headers, body)


def _environ(scope: HTTPScope, body: IO[bytes]) -> dict[str, Any]:
    """The WSGI environment of the request (PEP 3333).

    Headers with an underscore are dropped: ``X_Forwarded_Proto`` would stand where ``X-Forwarded-Proto`` does.
    """
    length = body.seek(0, 2)
    body.seek(0)
    server, client = scope.get("server") or ("localhost", 80), scope.get("client")
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin1"),
        "QUERY_STRING": scope["query_string"].decode("latin1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1] or 0),
        "REMOTE_ADDR": client[0] if client else "",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme") or "http",
        "wsgi.input": body,
        "wsgi.errors": None,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin1"), raw_value.decode("latin1")
        if "_" in name or name in ("content-length", "transfer-encoding"):
            continue
        key = "CONTENT_TYPE" if name == "content-type" else f"HTTP_{name.upper().replace('-', '_')}"
        joint = "; " if name == "cookie" else ","
        environ[key] = f"{environ[key]}{joint}{value}" if key in environ else value
    environ["CONTENT_LENGTH"] = str(length)  # of what was read, whatever the header said
    return environ
