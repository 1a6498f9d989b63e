"""Limits on the bodies of requests, checked before a body is read.

Everybody may send a small body, which stays in memory.  A larger one is accepted only at the two URLs of uploads and
only from senders who may upload; it is spooled to disk.  So nobody else can fill memory or disk, whatever length they
state, or if they state none.  A file that is only watched comes from anybody, and a few of them are in memory at a time.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import tempfile
from collections.abc import Awaitable, Callable
from io import BytesIO
from typing import IO, Any, Final
from weakref import WeakSet

from asgiref.typing import ASGIReceiveCallable, HTTPScope

from analysis import limits
from analysis.limits import FORM_BYTES, MEMORY_BYTES, SMALL_BODY_BYTES, WATCHED_BYTES, WATCHED_FORM_BYTES
from players.web.addresses import address_of_scope
from players.web.problems import Refused

#: How much of a refused body is read and discarded, so that the sender reads the response before the connection ends.
_DRAINED_BYTES: Final = 256 * 1024
_DRAIN_SECONDS: Final = 1.0
#: How long a sender who should come later waits to be told so: one that sends again at once would otherwise be refused
#: hundreds of times a second, and each refusal takes time from the pages of others.
LATER_SECONDS: Final = 1.0
#: The connection of a sender who sends nothing for so long is closed.
_IDLE_SECONDS: Final = 30.0
#: A body in memory, and the part of a larger one that is read before it is checked, has so long to arrive.
_MEMORY_SECONDS: Final = 60.0

logger = logging.getLogger(__name__)
#: Without the last slash too: requests that write are served there, since a redirect would lose the body.
UPLOAD_PATHS: Final = frozenset({"/upload/", "/api/v1/replays/", "/api/v1/replays"})
#: Where files are sent that nothing may write to disk.
WATCH_PATHS: Final = frozenset({"/watch/", "/api/v1/watch/", "/api/v1/watch"})
_MOST_WATCHED_BYTES: Final = WATCHED_BYTES + WATCHED_FORM_BYTES
#: Such bodies in a process at a time, with those that wait for their turn.
MOST_WATCHED: Final = 24
#: Of one address, which could otherwise keep everybody else's out by sending slowly.
MOST_WATCHED_OF_ADDRESS: Final = 8
_BUSY_SECONDS: Final = 2


class ClientGone(Exception):
    """The connection ended before the request was complete."""


#: Why the sender of a request, given by its scope, may not send a file there; None if it may.
Refusal = Callable[[HTTPScope], Awaitable[Refused | None]]


async def read_body(scope: HTTPScope, receive: ASGIReceiveCallable, refusal: Refusal) -> IO[bytes]:
    """Return the whole body, or raise :class:`Refused` or :class:`ClientGone`."""
    incoming = _Incoming(receive)
    try:
        return await _read(scope, incoming, refusal)
    except Refused as error:
        if error.retry_seconds is not None:
            await asyncio.sleep(LATER_SECONDS)
        with contextlib.suppress(TimeoutError, ClientGone):
            async with asyncio.timeout(_DRAIN_SECONDS):
                await incoming.read_into(_Nowhere(), incoming.size + _DRAINED_BYTES)
        raise


async def _read(scope: HTTPScope, incoming: _Incoming, refusal: Refusal) -> IO[bytes]:
    announced = _announced_bytes(scope)
    if scope["method"] == "POST" and scope["path"] in WATCH_PATHS:
        return await _read_watched(scope, incoming, refusal, announced)
    if announced > SMALL_BODY_BYTES:
        await _check(scope, refusal, announced)
    small = BytesIO()
    await _read_soon(incoming, small, SMALL_BODY_BYTES)
    if incoming.size <= SMALL_BODY_BYTES:
        return small
    if announced <= SMALL_BODY_BYTES:  # it came in chunks, without a length
        await _check(scope, refusal, incoming.size)
    with contextlib.ExitStack() as cleaning:
        body: Any = cleaning.enter_context(tempfile.SpooledTemporaryFile(max_size=MEMORY_BYTES))
        try:
            body.write(small.getvalue())
            await incoming.read_into(body, _largest_body_bytes())
        except OSError as error:  # of the spool: the disk is full, or fails
            logger.error("The body of a request cannot be written to disk: %s", error)
            raise Refused("storage_full", "The site is out of storage right now. Try again later.") from error
        if incoming.size > _largest_body_bytes():
            raise _too_large(_largest_body_bytes())
        cleaning.pop_all()
        whole: IO[bytes] = body
        return whole


class _WatchedBody(BytesIO):
    """A file to watch, which counts until it is closed."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address


_watched: Final[WeakSet[_WatchedBody]] = WeakSet()


async def _read_watched(scope: HTTPScope, incoming: _Incoming, refusal: Refusal, announced: int) -> IO[bytes]:
    """Read the body into memory alone, or raise :class:`Refused` if it is too large or many others are there."""
    if announced > _MOST_WATCHED_BYTES:
        raise _too_large(_MOST_WATCHED_BYTES)
    address = address_of_scope(scope)
    held = [body.address for body in _watched if not body.closed]
    if held.count(address) >= MOST_WATCHED_OF_ADDRESS:
        text = "You've sent a lot of files at once. Try again in a moment."
        raise Refused("too_many_requests", text, _BUSY_SECONDS)
    if len(held) >= MOST_WATCHED:
        text = "A lot of people are viewing replay files right now. Try again in a moment."
        raise Refused("busy", text, _BUSY_SECONDS)
    if (refused := await refusal(scope)) is not None:
        raise refused
    with contextlib.ExitStack() as cleaning:
        body = cleaning.enter_context(_WatchedBody(address))
        _watched.add(body)
        await _read_soon(incoming, body, _MOST_WATCHED_BYTES)
        if incoming.size > _MOST_WATCHED_BYTES:
            raise _too_large(_MOST_WATCHED_BYTES)
        cleaning.pop_all()
        return body


async def _read_soon(incoming: _Incoming, target: IO[bytes], limit: int) -> None:
    """Read up to ``limit`` bytes, which are in memory meanwhile, or raise :class:`ClientGone` if they come too slowly."""
    try:
        async with asyncio.timeout(_MEMORY_SECONDS):
            await incoming.read_into(target, limit)
    except TimeoutError as error:
        raise ClientGone from error


async def _check(scope: HTTPScope, refusal: Refusal, size: int) -> None:
    """Raise :class:`Refused` unless a body of ``size`` bytes may come from this sender to this address."""
    if scope["method"] != "POST" or scope["path"] not in UPLOAD_PATHS:
        raise _too_large(SMALL_BODY_BYTES)
    if size > _largest_body_bytes():
        raise _too_large(_largest_body_bytes())
    if (refused := await refusal(scope)) is not None:
        raise refused


class _Incoming:
    """``size``: the bytes received so far."""

    def __init__(self, receive: ASGIReceiveCallable) -> None:
        self._receive = receive
        self._complete = False
        self.size = 0

    async def read_into(self, target: Any, limit: int) -> None:
        """Write what comes into ``target``, until the body ends or is longer than ``limit`` bytes."""
        while not self._complete and self.size <= limit:
            message = await self._next()
            part = message.get("body", b"")
            self.size += len(part)
            self._complete = not message.get("more_body", False)
            target.write(part)

    async def _next(self) -> Any:
        try:
            async with asyncio.timeout(_IDLE_SECONDS):
                message = await self._receive()
        except TimeoutError as error:
            raise ClientGone from error
        if message["type"] != "http.request":
            raise ClientGone
        return message


class _Nowhere:
    def write(self, part: bytes) -> None:
        """Discard ``part``."""


def _announced_bytes(scope: HTTPScope) -> int:
    """Return 0 without ``Content-Length``, as for a chunked body."""
    stated = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    return int(stated[:18]) if stated.isdigit() else 0  # as large as any with more digits


def _largest_body_bytes() -> int:
    return limits.ARCHIVE_MAX_BYTES + FORM_BYTES


def _too_large(limit: int) -> Refused:
    return Refused("body_too_large", f"The request is larger than {limit} bytes.")
