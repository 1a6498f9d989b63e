"""The link between the sockets of one web process and the referee.

Up: moves of all sockets are collected for at most ``COLLECT_SECONDS`` and sent as one entry a room.  A move stays here until
its answer comes, and sent again when a referee takes over or Valkey comes back; the referee knows it by its own number.

Down: one subscription for the whole process.  A batch is unpacked once, and its frames go to every socket of the room as
they are.  A batch that is missing (``sequence``) or belongs to a referee that was deposed (``fence``) is noticed here:
the sockets of the room get a fresh picture, and nothing until it comes.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from django.conf import settings
from redis.exceptions import RedisError

from players.web import redis_clients
from replays.play import wire
from replays.play.referee import bus
from replays.play.referee.bus import Batch, Entry, Notice, SentMove, Visitor
from replays.play.sockets.event_loops import once_a_loop

logger = logging.getLogger(__name__)

COLLECT_SECONDS: Final = 0.01
ALIVE_SECONDS: Final = 5.0
#: Who has waited so long gets the message that the room cannot be reached.
LATE_SECONDS: Final = 3.0
CURSOR_SECONDS: Final = 0.1
#: More players than that do not see each other's pointers.
CURSOR_PLAYERS: Final = 32
#: Moves without an answer: of one socket, and of the process.
MAX_UNANSWERED: Final = 256
MAX_UNANSWERED_OF_PROCESS: Final = 50_000
_RETRY_SECONDS: Final = 0.25
_TOO_LATE_CLOSE: Final = 1012
_CLOSE_CODES: Final = {"room_closed": 4404, "no_room": 4404, "kicked": 4403, "room_full": 4429, "referee_full": 4429}


class Socket(Protocol):
    def send_now(self, message: wire.Message | bytes) -> bool: ...

    def fail(self, close_code: int, code: str, message: str = "") -> None: ...


@dataclass(eq=False, slots=True)
class Member:
    """A socket in a room.  ``live``: it has a picture, and gets what changes it.  ``since``: when it began to wait."""

    number: int
    room: int
    visitor: Visitor
    socket: Socket
    live: bool = False
    warned: bool = False
    since: float = 0.0
    player: int = 0
    unanswered: OrderedDict[int, tuple[int, int, int, float]] = field(default_factory=OrderedDict)


@dataclass(eq=False, slots=True)
class LocalRoom:
    """The sockets of this process in a room, and up to which batch they know it."""

    members: dict[int, Member] = field(default_factory=dict)
    fence: int = 0
    sequence: int = 0
    epoch: int = 0
    number: int = 0
    cursors: dict[int, tuple[int, int]] = field(default_factory=dict)
    subscribed: bool = False


class Hub:
    def __init__(self, url: str) -> None:
        self.web = secrets.token_hex(6)
        self.rooms: dict[int, LocalRoom] = {}
        self.members: dict[int, Member] = {}
        self.fence = 0
        self._client = redis_clients.async_client(url)
        # Without retries: it would connect again by itself, and nobody would know that something was missed.
        self._subscriber = redis_clients.async_client(url, retries=0)
        self._pubsub = self._subscriber.pubsub(ignore_subscribe_messages=True)
        self._next = 1
        self._moves: dict[int, list[tuple[Member, SentMove]]] = {}
        self._entries: list[dict[bytes, bytes]] = []
        self._wake = asyncio.Event()
        self._unanswered = 0
        self._channels: set[str] = set()
        self._changes_channels = asyncio.Lock()  # two tasks that connect at once would make two connections
        self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        try:
            await asyncio.gather(*map(self._keep, (self._send_forever, self._listen_forever, self._tick_forever)))
        finally:
            await self._pubsub.aclose()  # type: ignore[no-untyped-call]  # redis has no types there
            await self._subscriber.aclose()
            await self._client.aclose()

    @staticmethod
    async def _keep(work: Callable[[], Awaitable[None]]) -> None:
        """Begin ``work`` again if it fails: all sockets of the process wait for it."""
        while True:
            try:
                await work()
            except Exception:
                logger.exception("The hub of rooms begins again.")
                await asyncio.sleep(_RETRY_SECONDS)

    # --- what consumers call ---

    async def join(self, room: int, visitor: Visitor, socket: Socket) -> Member:
        """Enter a room; the picture comes by itself."""
        member = Member(self._next, room, visitor, socket, since=time.monotonic())
        self._next += 1
        self.members[member.number] = member
        local = self.rooms.setdefault(room, LocalRoom())
        local.members[member.number] = member  # before it waits: a room with somebody in it stays
        try:
            if not local.subscribed:  # everybody waits for it who comes before it is there
                await self._subscribe(bus.room_channel(room))
                local.subscribed = True
        except BaseException:
            self.leave(member)
            raise
        self._put(Entry.JOIN, room, member.number, list(visitor))
        return member

    def leave(self, member: Member) -> None:
        self.members.pop(member.number, None)
        self._unanswered -= len(member.unanswered)
        member.unanswered.clear()
        local = self.rooms.get(member.room)
        if local is None:
            return
        local.members.pop(member.number, None)
        self._put(Entry.LEAVE, member.room, member.number)
        if not local.members:
            del self.rooms[member.room]

    def move(self, member: Member, own: int, epoch: int, kind: int, cell: int) -> bool:
        """Send a move; False if too many are without an answer.  One that is on its way already is not sent once more."""
        if own in member.unanswered:
            return True
        if len(member.unanswered) >= MAX_UNANSWERED or self._unanswered >= MAX_UNANSWERED_OF_PROCESS:
            return False
        self._unanswered += 1
        member.unanswered[own] = epoch, kind, cell, time.monotonic()
        self._collect(member, own)
        return True

    def picture(self, member: Member) -> None:
        """A socket wants a fresh picture, and nothing before it."""
        member.live, member.since = False, time.monotonic()
        self._put(Entry.PICTURE, member.room, [member.number])

    def cursor(self, member: Member, x: int, y: int) -> None:
        """Note where a player points, to be published soon; ignored if over ``CURSOR_PLAYERS`` sockets are here."""
        local = self.rooms.get(member.room)
        if local is not None and member.player and len(local.members) <= CURSOR_PLAYERS:
            local.cursors[member.player] = x, y

    # --- to the referee ---

    def _collect(self, member: Member, own: int) -> None:
        epoch, kind, cell, _at = member.unanswered[own]
        self._moves.setdefault(member.room, []).append((member, SentMove(member.number, 0, own, epoch, kind, cell)))
        self._wake.set()

    def _put(self, kind: Entry, room: int, *body: Any) -> None:
        self._flush_moves()  # the order in which things happened
        self._entries.append(bus.entry(kind, room, self.web, *body))
        self._wake.set()

    def _flush_moves(self) -> None:
        for room, moves in self._moves.items():
            visitors: dict[Visitor, int] = {}
            rows = []
            for member, move in moves:
                place = visitors.setdefault(member.visitor, len(visitors))
                rows.append((move.connection, place, move.own, move.epoch, move.kind, move.cell))
            self._entries.append(bus.entry(Entry.MOVES, room, self.web, [list(one) for one in visitors], rows))
        self._moves = {}

    async def _send_forever(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            self._flush_moves()
            entries, self._entries = self._entries, []
            if entries:
                await self._send(entries)
            await asyncio.sleep(COLLECT_SECONDS)

    async def _send(self, entries: list[dict[bytes, bytes]]) -> None:
        """Append ``entries`` in their order, however long it takes: some may come twice, which the referee knows."""
        while True:
            try:
                async with self._client.pipeline(transaction=False) as pipeline:
                    for one in entries:
                        pipeline.xadd(bus.stream_key(0), one)  # type: ignore[arg-type]  # bytes are fields too
                    await pipeline.execute()
            except (RedisError, OSError) as error:
                logger.warning("Moves wait: %s", error)
                await asyncio.sleep(_RETRY_SECONDS)
            else:
                return

    # --- from the referee ---

    async def _subscribe(self, channel: str) -> None:
        try:
            async with self._changes_channels:
                self._channels.add(channel)
                await self._pubsub.subscribe(channel)
        except (RedisError, OSError) as error:
            logger.warning("Not subscribed yet: %s", error)  # the listener subscribes to all again

    async def _listen_forever(self) -> None:
        while True:
            try:
                await self._listen()
            except (RedisError, OSError) as error:
                logger.warning("The referee cannot be heard: %s", error)
                await asyncio.sleep(_RETRY_SECONDS)

    async def _listen(self) -> None:
        self._channels |= {bus.ALL_WEBS, bus.web_channel(self.web), *map(bus.room_channel, self.rooms)}
        async with self._changes_channels:
            await self._pubsub.aclose()  # type: ignore[no-untyped-call]
            await self._pubsub.subscribe(*self._channels)
        self._say_all()
        for room in self.rooms:  # whatever was said before was missed
            self._resync(room)
        while True:
            message = await self._pubsub.get_message(ignore_subscribe_messages=True, timeout=60)
            if message is not None:
                self._on_message(message["channel"].decode(), message["data"])

    def _on_message(self, channel: str, data: bytes) -> None:
        try:
            values = bus.unpack(data)
            fence = values[0]
            if fence < self.fence:
                return
            self.fence = fence
            if channel.startswith("play:room:"):
                if isinstance(values[1], dict):
                    self._on_cursors(int(channel.rpartition(":")[2]), values[1])
                else:
                    self._on_batch(int(channel.rpartition(":")[2]), Batch(*values))
            else:
                self._on_notice(Notice(values[1]), values[2:])
        except Exception:
            logger.exception("A message on %s is left out.", channel)

    def _on_batch(self, room: int, batch: Batch) -> None:
        local = self.rooms.get(room)
        if local is None:
            return
        new_referee = batch.fence != local.fence
        missed = batch.sequence != local.sequence + 1 and not new_referee
        if batch.epoch == local.epoch:
            missed = missed or batch.first > local.number + 1
        if local.fence and missed:
            logger.info("Room %s: batch %s after %s.", room, batch.sequence, local.sequence)
            self._resync(room)
        local.fence, local.sequence = batch.fence, batch.sequence
        local.epoch, local.number = batch.epoch, batch.number
        members = local.members
        if batch.frames:
            for member in members.values():
                if member.live:
                    for frame in batch.frames:
                        member.socket.send_now(frame)
        mine = batch.answers.get(self.web, ())
        for place in range(0, len(mine), 2):
            answered = members.get(mine[place])
            if answered is not None:
                self._answered(answered, mine[place + 1])

    def _answered(self, member: Member, frame: bytes) -> None:
        """Pass an answer on, once: a move that was sent again comes back as often, all of it at the same moment."""
        answer = wire.decode_server(frame)
        if isinstance(answer, wire.Answer) and member.unanswered.pop(answer.own, None) is not None:
            self._unanswered -= 1
            member.socket.send_now(frame)
        member.warned = False

    def _on_notice(self, notice: Notice, body: list[Any]) -> None:
        if notice is Notice.PICTURE:
            self._on_picture(*body)
        elif notice is Notice.REFUSE:
            _room, connections, code = body
            for number in connections:
                member = self.members.get(number)
                if member is not None:
                    member.socket.fail(_CLOSE_CODES.get(code, _TOO_LATE_CLOSE), code, _REASONS.get(code, ""))
        elif notice is Notice.TAKEOVER:
            self._say_all()
            self._send_unanswered(self.members.values())
        elif notice is Notice.PAUSED:
            self._send_wait(self.members.values(), "paused")
        elif notice is Notice.RESUMED:
            for room in self.rooms:
                self._resync(room)

    def _on_picture(
        self, room: int, epoch: int, number: int, sequence: int, own: dict[int, bytes], shared: list[bytes]
    ) -> None:
        local = self.rooms.get(room)
        if local is None:
            return
        if not any(member.live for member in local.members.values()):
            local.fence, local.sequence, local.epoch, local.number = self.fence, sequence, epoch, number
        for connection_id, frame in own.items():
            member = local.members.get(connection_id)
            if member is None:
                continue
            member.live, member.warned = True, False
            first = wire.decode_server(frame)
            member.player = first.you if isinstance(first, wire.Room) else 0
            for one in (frame, *shared):
                member.socket.send_now(one)

    def _resync(self, room: int) -> None:
        local = self.rooms[room]
        now = time.monotonic()
        for member in local.members.values():
            member.live, member.since = False, now
        if local.members:
            self._put(Entry.PICTURE, room, list(local.members))
            self._send_unanswered(local.members.values())

    def _say_all(self) -> None:
        for room, local in self.rooms.items():
            here = [[member.number, *member.visitor] for member in local.members.values()]
            self._put(Entry.PRESENT, room, local.epoch, local.number, here)

    def _send_unanswered(self, members: Iterable[Member]) -> None:
        for member in members:
            for own in member.unanswered:
                self._collect(member, own)

    # --- each second ---

    async def _tick_forever(self) -> None:
        alive_at = late_at = 0.0
        while True:
            await asyncio.sleep(CURSOR_SECONDS)
            now = time.monotonic()
            await self._publish_cursors()
            if now - late_at >= 1.0:
                late_at = now
                late = self._late(now)
                self._send_wait(late, "room_lost")
                self._send_unanswered(late)
                self._ask_again(now)
            if self.members and now - alive_at >= ALIVE_SECONDS:
                alive_at = now
                self._put(Entry.ALIVE, 0)
            await self._unsubscribe_empty()

    def _ask_again(self, now: float) -> None:
        """Join again for each member that has waited too long for its picture: the request or the picture was lost."""
        for member in self.members.values():
            if not member.live and now - member.since > LATE_SECONDS:
                member.since = now
                self._put(Entry.JOIN, member.room, member.number, list(member.visitor))

    def _late(self, now: float) -> list[Member]:
        """Return the members that have waited too long for a picture or an answer and were not warned yet."""
        late = []
        for member in self.members.values():
            if member.warned:
                continue
            oldest = next(iter(member.unanswered.values()))[3] if member.unanswered else now
            if now - oldest > LATE_SECONDS or (not member.live and now - member.since > LATE_SECONDS):
                late.append(member)
        return late

    @staticmethod
    def _send_wait(members: Any, reason: str) -> None:
        frame = wire.Wait(reason).encode()
        for member in members:
            member.warned = True
            member.socket.send_now(frame)

    async def _unsubscribe_empty(self) -> None:
        for name in [name for name in self._channels if self._is_empty(name)]:
            async with self._changes_channels:
                if not self._is_empty(name):
                    continue  # somebody came while this task waited
                self._channels.discard(name)
                try:
                    await self._pubsub.unsubscribe(name)
                except (RedisError, OSError) as error:
                    logger.warning("Not unsubscribed: %s", error)  # the listener subscribes to the rest

    def _is_empty(self, channel: str) -> bool:
        return channel.startswith("play:room:") and int(channel.rpartition(":")[2]) not in self.rooms

    async def _publish_cursors(self) -> None:
        for room, local in list(self.rooms.items()):  # which may change while it waits
            if local.cursors:
                cursors, local.cursors = local.cursors, {}
                try:
                    await self._client.publish(bus.room_channel(room), bus.pack([self.fence, cursors]))
                except (RedisError, OSError) as error:
                    logger.debug("Pointers are not shown: %s", error)

    def _on_cursors(self, room: int, cursors: dict[int, list[int]]) -> None:
        local = self.rooms.get(room)
        if local is None:
            return
        rows = tuple(wire.CursorRow(player, *place) for player, place in cursors.items())
        frame = wire.Cursors(rows).encode()
        for member in local.members.values():
            if member.live:
                member.socket.send_now(frame)


_REASONS: Final = {
    "room_closed": "The room is closed.",
    "no_room": "This room doesn't exist.",
    "kicked": "The owner removed you from this room.",
    "room_full": "The room is full.",
    "referee_full": "Too many rooms are being played.",
    "room_broken": "The room can't be loaded.",
}


@once_a_loop
def hub_of_loop() -> Hub:
    return Hub(settings.PLAY_BUS_URL)
