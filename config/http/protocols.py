"""uvicorn's protocols, with an end that loses nothing that has just begun."""

from __future__ import annotations

import asyncio
import socket
import struct
import sys
import time
from collections.abc import Callable
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

#: The address of events, which have no end (``replays.browse.changes``).
EVENTS_PATH: Final = "/api/v1/events/"
#: The head of a request has so long to arrive, as at the proxy (``client_header_timeout``).
HEAD_SECONDS: Final = 15.0
#: Time that is left for a request that is on its way when the server ends.
_LAST_REQUEST_SECONDS: Final = 1.0


class RequestProtocol(H11Protocol):
    """uvicorn's protocol ``h11``, which also answers a request that is on its way while the server ends, and closes the
    connection of somebody who sends the head of one for too long; uvicorn 0.54 would wait for ever.
    """

    _ends = False
    _head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Close the connection after the request that is being answered, or after one more if there is none.

        uvicorn 0.54 closes a connection at once from which it has just read nothing: a request that the other side has
        sent already is lost ("reset by peer").
        """
        self._ends = True
        if self._listens():
            self.transport.close()
        elif self._waits():
            self.loop.call_later(_LAST_REQUEST_SECONDS, self._close_unused)
        else:
            super().shutdown()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self._waits():
            self._stop_waiting()
        elif self._head_timer is None:
            self._await_head()
        if self._ends and self.cycle is not None:
            self.cycle.keep_alive = False

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Close the connection when the server ends: a socket would stay, and the new server takes its next try."""
        if self._ends:
            self.transport.close()
        else:
            super().handle_websocket_upgrade(event)

    def _listens(self) -> bool:
        """Return whether events are being sent, which have no end; the program connects to the next server."""
        return self.cycle is not None and not self.cycle.response_complete and self.scope["path"] == EVENTS_PATH

    def _waits(self) -> bool:
        return self.conn.their_state is h11.IDLE

    def _await_head(self) -> None:
        self._head_timer = self.loop.call_later(HEAD_SECONDS, self._close_unused)

    def _stop_waiting(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _close_unused(self) -> None:
        if self._waits():
            self.transport.close()


class Arrival:
    """Moment at which the newest bytes of a socket were here, on ``time.monotonic_ns``; None where nobody tells."""

    ns: int | None = None


class ServerEnd:
    """The end of the server.  The application may keep a socket open for the seconds that ``outlasts`` gets, and says so."""

    def __init__(self) -> None:
        self.outlasts: Callable[[float], bool] = lambda _seconds: False


class SocketProtocol(WebSocketsSansIOProtocol):
    """uvicorn's protocol ``websockets-sansio``, whose shutdown also comes through with sockets that are just closing.

    ``arrival`` of the scope's extensions tells when the kernel got the message that the application takes, however late
    this process reads it: no more is read before that is taken.  ``server_end``: :class:`ServerEnd`.
    """

    def handle_connect(self, event: Any) -> None:
        self._arrival, self._server_end = Arrival(), ServerEnd()
        super().handle_connect(event)
        if self.handshake_initiated and not self.handshake_complete:
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions |= {"arrival": self._arrival, "server_end": self._server_end}

    def data_received(self, data: bytes) -> None:
        if self.handshake_initiated:
            self._arrival.ns = _arrived_ns(self.transport)
        super().data_received(data)

    def shutdown(self) -> None:
        """Close the socket with 1012, unless it is closing already or the application keeps it.

        uvicorn 0.54 raises ``InvalidState`` for a socket that its browser has closed and that has bytes left to send; the
        server then ends at once, and all other sockets end without a word.  Anybody can bring that about: send a closing
        frame and read nothing.
        """
        seconds = (self.config.timeout_graceful_shutdown or 0) - _LAST_REQUEST_SECONDS
        if not self.transport.is_closing() and not (self.handshake_complete and self._server_end.outlasts(seconds)):
            super().shutdown()


#: ``tcpi_last_data_recv`` of Linux: milliseconds since the last bytes came.
_LAST_DATA: Final = struct.Struct("=52xI")
#: A tick of the coarsest clock of that kernel, by which it may be wrong.
_TICK_MS: Final = 10
_MS_NS: Final = 1_000_000


def _arrived_ns(transport: asyncio.Transport) -> int | None:
    """Return when the last bytes of a TCP connection came; never before they did, and None on other connections."""
    connection = transport.get_extra_info("socket")
    if sys.platform != "linux" or connection.family not in (socket.AF_INET, socket.AF_INET6):
        return None
    info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _LAST_DATA.size)
    waited_ms: int = _LAST_DATA.unpack(info)[0]
    return time.monotonic_ns() - max(0, waited_ms - _TICK_MS) * _MS_NS
