"""The common part of all sockets of live play: the first message, limits, pings, the queue to send, and the end.

A feature derives its consumer from :class:`Connection` and fills in ``purpose``, ``opened``, ``received``, ``resync`` and
``closed``.  They run one after the other, never at the same time for one socket, but ``resync`` may run beside ``received``.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import deque
from collections.abc import Callable
from typing import Any, ClassVar, Final, NamedTuple, NoReturn

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer

from players.web import log_fields
from players.web.addresses import address_of_scope
from replays.play import wire
from replays.play.sockets import closed_accounts
from replays.play.sockets.loop_lag import lag_of_loop
from replays.play.sockets.outbox import Outbox
from replays.play.sockets.shared_counts import RENEW_SECONDS, shared_counts
from replays.play.sockets.socket_limits import Limits, limits_of_process
from replays.play.sockets.tickets import Purpose, Ticket, TicketError, redeem

logger = logging.getLogger(__name__)

BAD_MESSAGE, BAD_TICKET, NOT_ALLOWED, NOT_FOUND, TOO_SLOW, TAKEN_OVER, TOO_MANY = (
    4400, 4401, 4403, 4404, 4408, 4409, 4429,
)  # fmt: skip
_OUR_FAULT, CONNECT_AGAIN = 1011, 1012

#: The first message must come within so many seconds, and each answer to a ping.
#: The page opens another socket then.
SOCKET_HOURS: Final = 12
HELLO_SECONDS: Final = 10.0
ANSWER_SECONDS: Final = 20.0
#: Seconds between pings: the first three within the first second, then the last of these again and again.
PING_SECONDS: Final = (0.4, 0.4, 2.0)
_ACCOUNT_CLOSED: Final = "This account is closed."


class Difference(NamedTuple):
    """A ping: when it was sent and its answer received (monotonic clock of this process, ns), and the client's clock between."""

    sent_ns: int
    client_ms: int
    received_ns: int


class Refused(Exception):
    """Raised in a hook to close the socket: the close code, and the code and English text of the ``Error`` before it."""

    def __init__(self, close_code: int, code: str, message: str = "") -> None:
        super().__init__(code)
        self.close_code, self.code, self.message = close_code, code, message


class Connection(AsyncWebsocketConsumer):
    """A socket.  ``ticket`` is known from ``opened`` on; ``received_ns``: when the current message arrived, or was read at
    the latest; ``lag_ns``: by how much earlier it may have come, since this process was busy.
    """

    purpose: ClassVar[Purpose]
    ping_seconds: ClassVar[tuple[float, ...]] = PING_SECONDS
    #: Answered pings that are remembered; one takes 170 bytes.
    most_differences: ClassVar[int] = 1

    ticket: Ticket
    address: str
    received_ns: int
    lag_ns: int
    differences: deque[Difference]

    # --- for subclasses ---

    async def opened(self, ticket: Ticket, hello: wire.Hello) -> None:
        """The ticket is good; send the first picture."""

    async def received(self, message: wire.ClientMessage) -> None:
        """A message that is neither ``Hello`` nor ``Pong``, within the limits."""
        raise NotImplementedError

    async def resync(self) -> None:
        """Messages were dropped: send a fresh picture.  By default the socket closes as too slow."""
        self._too_slow()

    async def closed(self) -> None:
        """The socket is gone; called once if ``opened`` was called, even if that failed."""

    async def send(self, message: wire.Message | bytes) -> None:  # type: ignore[override]  # messages of ours, not of ASGI
        """Queue a message.  Never waits."""
        self.send_now(message)

    def send_now(self, message: wire.Message | bytes) -> bool:
        """The same for code that cannot await; False if it was dropped."""
        return self._outbox.put(message if isinstance(message, bytes) else message.encode())

    def fail(self, close_code: int, code: str, message: str = "") -> None:
        """Close after an ``Error``; what is queued is dropped."""
        self._outbox.close(close_code, wire.Error(True, code, message[:300]).encode())

    def account_closed(self) -> None:
        self.fail(NOT_ALLOWED, "account_closed", _ACCOUNT_CLOSED)

    def may_click(self, number: int = 1) -> bool:
        """Count clicks of this account and address; whether they are allowed."""
        return self._limits.clicks(self.ticket.visitor.key, self.address, number)

    @property
    def closing(self) -> bool:
        return self._outbox.closing

    # --- the life of a socket ---

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Run the socket: as Channels does, without its channel layer and the two tasks that it makes for every message."""
        self.address = address_of_scope(scope)
        self.differences = deque(maxlen=self.most_differences)
        self.received_ns = self.lag_ns = 0
        self._arrival = scope.get("extensions", {}).get("arrival")  # of ``config.http.protocols``
        self._loop_lag = lag_of_loop()
        self._limits: Limits = limits_of_process()
        self._entered: list[tuple[str, str]] = []
        self._name = secrets.token_hex(8)
        self._shared = shared_counts()
        self._shared_at: float | None = None  # when the shared counts last heard of this socket
        self._is_open = False
        self._ping_count = 0
        self._unanswered: dict[int, int] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._outbox = Outbox(send, self._resync, self._too_slow)
        self._sender: asyncio.Task[None] | None = None
        self.scope, self.base_send = scope, send
        try:
            while True:
                await self.dispatch(await receive())
                await asyncio.sleep(0)  # many messages at once must not hold up the other sockets
        except StopConsumer:
            return
        finally:
            await self._end()

    async def dispatch(self, message: Any) -> None:
        if message["type"] == "websocket.connect":
            await self.connect()
        elif message["type"] == "websocket.receive":
            self._note_arrival()
            await self._guarded(message)
        else:
            raise StopConsumer

    def _note_arrival(self) -> None:
        """Take the moment that the kernel tells; else the message may have been waiting as long as the loop was busy."""
        told_ns = None if self._arrival is None else self._arrival.ns
        now_ns = time.monotonic_ns()
        self.received_ns = now_ns if told_ns is None else told_ns
        self.lag_ns = self._loop_lag.lag_ns(now_ns) if told_ns is None else 0

    async def connect(self) -> None:
        """Accept the socket; a browser learns a close code only then."""
        if wire.SUBPROTOCOL not in self.scope["subprotocols"]:
            await self.close()
            return
        await self.accept(wire.SUBPROTOCOL)
        self._sender = asyncio.create_task(self._send_all())
        if not self._enter("address", self.address):
            self.fail(TOO_MANY, "too_many_sockets", "Too many sockets are open from this address.")
            return
        self._later(HELLO_SECONDS, self._no_hello)

    async def _guarded(self, event: Any) -> None:
        if self.closing:
            return
        try:
            await self._receive(event.get("bytes"))
        except wire.WireError as error:
            self.fail(BAD_MESSAGE, "bad_message", str(error))
        except TicketError as error:
            self.fail(BAD_TICKET, error.code)
        except Refused as error:
            self.fail(error.close_code, error.code, error.message)
        except Exception:
            logger.exception("A message on %s failed.", self.scope["path"])
            self.fail(_OUR_FAULT, "server_error")

    async def _receive(self, data: bytes | None) -> None:
        if data is None:
            raise wire.WireError("messages are binary")
        if not self._is_open:
            await self._hello(wire.decode_client(data))
            return
        if not self._limits.message(self.ticket.visitor.key, self.address, len(data)):
            raise Refused(TOO_MANY, "too_many_messages", "Too many messages in a second.")
        message = wire.decode_client(data)
        if isinstance(message, wire.Pong):
            self._answered(message)
        elif isinstance(message, wire.Hello):
            raise Refused(BAD_MESSAGE, "not_now", "This is the second hello.")
        else:
            await self.received(message)

    async def _hello(self, message: wire.ClientMessage) -> None:
        if not isinstance(message, wire.Hello):
            raise Refused(BAD_MESSAGE, "not_now", "The first message is no hello.")
        self._stop_timer()
        self.ticket = await asyncio.to_thread(redeem, message.ticket, self.purpose)
        account = self.ticket.visitor.user_id
        if account is not None:
            log_fields.note(account=account)
        if account is not None and not await closed_accounts.is_open(account):
            raise Refused(NOT_ALLOWED, "account_closed", _ACCOUNT_CLOSED)
        if not self._enter("account", self.ticket.visitor.key) or not await self._enter_shared():
            raise Refused(TOO_MANY, "too_many_sockets", "Too many sockets of this account or address are open.")
        self._is_open = True
        self._loop_lag.enter()
        self._opened_at = time.monotonic()
        if account is not None:
            closed_accounts.watch_of_loop().add(account, self)
        self._ping()
        await self.opened(self.ticket, message)

    async def _send_all(self) -> None:
        try:
            await self._outbox.run()
        except (OSError, RuntimeError) as error:
            # The peer is gone, or the server has closed the socket by itself; `receive` tells the consumer.
            logger.debug("Nothing more can be sent to %s: %s", self.address, error)

    async def _resync(self) -> None:
        try:
            await self.resync()
        except Exception:
            logger.exception("A fresh picture on %s failed.", self.scope["path"])
            self.fail(_OUR_FAULT, "server_error")

    async def _end(self) -> None:
        self._stop_timer()
        if self._sender is not None:
            self._sender.cancel()
            self._sender = None
        for whose, key in self._entered:
            self._limits.leave(whose, key)
        if self._shared is not None and self._shared_at is not None:
            _in_a_thread(self._shared.leave, self._entered, self._name)
        if self._is_open:
            self._is_open = False
            self._loop_lag.leave()
            if self.ticket.visitor.user_id is not None:
                closed_accounts.watch_of_loop().remove(self.ticket.visitor.user_id, self)
            await self.closed()
        self._outbox.end()

    # --- pings ---

    @property
    def lag_ms(self) -> int:
        """The round trip of the newest ping that was answered, at least 1; 0 before."""
        if not self.differences:
            return 0
        newest = self.differences[-1]
        return max(1, round((newest.received_ns - newest.sent_ns) / 1e6))

    def _ping(self) -> None:
        now = time.monotonic_ns()
        if any(now - sent_ns > ANSWER_SECONDS * 1e9 for sent_ns in self._unanswered.values()):
            self.fail(TOO_SLOW, "no_answer", "Pings are not answered.")
            return
        if time.monotonic() - self._opened_at > SOCKET_HOURS * 3600:
            self.fail(CONNECT_AGAIN, "socket_old", "This socket was open for long enough: connect again.")
            return
        if (
            self._shared is not None
            and self._shared_at is not None
            and time.monotonic() - self._shared_at > RENEW_SECONDS
        ):
            self._shared_at = time.monotonic()
            _in_a_thread(self._shared.renew, self._entered, self._name)
        self._ping_count += 1
        if self.send_now(wire.Ping(self._ping_count, now // 1_000_000, self.lag_ms)):
            self._unanswered[self._ping_count] = now
        self._later(self.ping_seconds[min(self._ping_count, len(self.ping_seconds)) - 1], self._ping)

    def _answered(self, pong: wire.Pong) -> None:
        sent_ns = self._unanswered.pop(pong.id, None)
        if sent_ns is not None:  # else it was answered twice, or before it was sent
            self.differences.append(Difference(sent_ns, pong.client_ms, self.received_ns))

    # --- helpers ---

    def _enter(self, whose: str, key: str) -> bool:
        entered = self._limits.enter(whose, key)
        if entered:
            self._entered.append((whose, key))
        return entered

    async def _enter_shared(self) -> bool:
        if self._shared is None:
            return True
        entered = await asyncio.to_thread(self._shared.enter, self._entered, self._name)
        self._shared_at = time.monotonic() if entered else None
        return entered

    def _later(self, seconds: float, call: Any) -> None:
        self._timer = asyncio.get_running_loop().call_later(seconds, call)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _no_hello(self) -> None:
        self.fail(BAD_TICKET, "no_hello", "The first message did not come.")

    def _too_slow(self) -> None:
        self.fail(TOO_SLOW, "too_slow", "The messages are read too slowly.")


def _in_a_thread(function: Callable[..., None], *arguments: object) -> None:
    asyncio.get_running_loop().run_in_executor(None, function, *arguments)


def refuse(close_code: int, code: str, message: str = "") -> NoReturn:
    raise Refused(close_code, code, message)
