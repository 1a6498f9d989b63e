"""The referee: reads the stream of a shard, decides, tells everybody, and stores.

Times: entries are read as soon as they are there; a room sends a batch at once if its last one is ``BATCH_SECONDS`` old,
else when it is; the database follows within ``STORE_SECONDS``, in another thread, so that nobody waits for it.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final

import redis
from django.db import DatabaseError, connection

from replays.play.models import RefereeShard
from replays.play.referee import bus
from replays.play.referee.bus import Batch, Command, Entry, Notice, SentMove, Visitor
from replays.play.referee.lease import Lease
from replays.play.referee.loaded_rooms import Rooms, RoomUnavailable
from replays.play.referee.pictures import picture_frames, room_frame
from replays.play.referee.room_store import Change, Deposed, change_of, store, take_over
from replays.play.referee.state import Limits, RoomState

logger = logging.getLogger(__name__)

#: Of one room: players, open sockets, and moves of one player in the long run.
ROOM_PLAYERS: Final = 2_000
ROOM_SOCKETS: Final = 2_500
MOVES_A_SECOND: Final = 20
#: Rooms that are kept in memory.
ROOMS_MB: Final = 256
BATCH_SECONDS: Final = 0.05
PLAYERS_SECONDS: Final = 1.0
#: Rows of players that go with one batch.
PLAYERS_OF_BATCH: Final = 64
STORE_SECONDS: Final = 1.0
#: Without the database, play goes on for so long.
PAUSE_SECONDS: Final = 30.0
#: A web process that has said nothing for so long is gone; it says something every five seconds.
WEB_SECONDS: Final = 20.0
#: When the stream was lost, web processes have so long to say what they had seen.
LOST_SECONDS: Final = 1.0
_ENTRIES: Final = 1_000
_IDLE_MS: Final = 200
_RETRY_SECONDS: Final = 0.2

Submit = Callable[[Callable[[], None]], "Future[None]"]


class Referee:
    """``clock``: seconds, monotonic; ``wall``: seconds since 1970; ``submit`` runs what is to be stored."""

    def __init__(
        self,
        client: redis.Redis,
        shard: int = 0,
        *,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
        submit: Submit | None = None,
    ) -> None:
        self.client, self.shard, self.clock, self.wall = client, shard, clock, wall
        self._submit = submit or ThreadPoolExecutor(1, "referee-store").submit
        self.lease = Lease(client, shard, secrets.token_hex(8), clock)
        self.limits = Limits(ROOM_PLAYERS, ROOM_SOCKETS, MOVES_A_SECOND)
        self._stream = bus.stream_key(shard)
        self._reset()

    def _reset(self) -> None:
        self.rooms = Rooms(self.limits, ROOMS_MB * 2**20)
        self.fence = 0
        self.last_read = self.last_stored = "0-0"
        self.stream_name = ""
        self._changes = 0
        self._pictures: dict[int, dict[str, list[int]]] = {}
        self._webs: dict[str, float] = {}
        self._flushed: dict[int, float] = {}
        self._players_at: dict[int, float] = {}
        self._news: dict[int, RoomState] = {}
        self._storing: Future[None] | None = None
        self._change: Change | None = None
        self._stored_at = self._slept_at = self.clock()
        self._failing_since: float | None = None
        self.paused = False

    # --- the life of a referee ---

    def run(self, ended: threading.Event) -> None:
        """Decide until ``ended``; whatever fails is tried again."""
        while not ended.is_set():
            try:
                if not self.fence and not self.begin():
                    ended.wait(0.1)
                    continue
                self.step()
            except Deposed:
                logger.warning("Another referee has taken over shard %s.", self.shard)
                self._reset()
            except redis.RedisError as error:
                logger.warning("The stream of rooms cannot be reached: %s", error)
                ended.wait(_RETRY_SECONDS)
            except DatabaseError as error:
                logger.warning("The rooms cannot be read: %s", error)
                connection.close()
                ended.wait(_RETRY_SECONDS)
        self.end()

    def begin(self) -> bool:
        """Take the lease if it is free, and go on where the last referee stopped."""
        if not self.lease.take():
            return False
        row = take_over(self.shard)
        name, lost = self._name_of_stream(row)
        self.last_read = self.last_stored = "0-0" if lost else row.last_entry
        self.stream_name, self._changes = name, row.changes
        self.fence = row.fence
        logger.info("This referee decides shard %s; fence %s.", self.shard, self.fence)
        self._notify_all(Notice.TAKEOVER)
        if lost and row.stream:
            self._find_lost_moves()
        return True

    def _name_of_stream(self, row: RefereeShard) -> tuple[str, bool]:
        """The name of the stream, and whether it is another one than the database knows."""
        key = bus.name_key(self.shard)
        self.client.set(key, secrets.token_hex(8), nx=True)
        name = _text(self.client.get(key))
        return name, name != row.stream

    def _find_lost_moves(self) -> None:
        """The stream was lost while no referee ran: rooms of which somebody has seen more than is stored get a new epoch."""
        deadline = self.clock() + LOST_SECONDS
        while self.clock() < deadline:
            time.sleep(_RETRY_SECONDS)
            self.lease.take()
        for _entry, values in self._read("0-0", 1):
            if values[0] == Entry.PRESENT:
                _kind, room, _web, epoch, number, *_ = values
                try:
                    state = self.rooms.load(room, int(self.wall() * 1000))
                except RoomUnavailable:
                    continue  # the entry is read again, and refused then
                self._look_for_loss(state, epoch, number)

    def step(self, block_ms: int | None = None) -> None:
        self._keep_lease()
        if self.paused:
            time.sleep(_RETRY_SECONDS)
        else:
            for name, values in self._read(self.last_read, self._wait_ms() if block_ms is None else block_ms):
                self._handle(name, values)
                self.last_read = name
        self._send_due()
        self._store_due()
        self._look_around()

    def end(self) -> None:
        if not self.fence:
            return
        try:
            for state in list(self.rooms):
                self._send(state)
            self.store_now()
            self._finish_store(wait=True)
            self._notify_all(Notice.PAUSED)
            self.lease.release()
        except (redis.RedisError, DatabaseError, Deposed) as error:
            logger.warning("The last second of the rooms is left to the next referee: %s", error)

    def _keep_lease(self) -> None:
        if not self.lease.is_due and self.lease.is_valid:
            return
        if not self.lease.take():
            raise Deposed
        name = _text(self.client.get(bus.name_key(self.shard)))
        if name != self.stream_name:
            self._stream_was_lost()

    def _stream_was_lost(self) -> None:
        """Valkey has lost its data and we have not: what was decided is safe, what was waiting is sent again."""
        self.client.set(bus.name_key(self.shard), secrets.token_hex(8), nx=True)
        self.stream_name = _text(self.client.get(bus.name_key(self.shard)))
        self.last_read = "0-0"
        logger.warning("The stream of shard %s was lost; going on from memory.", self.shard)
        self._notify_all(Notice.TAKEOVER)

    # --- reading ---

    def _read(self, after: str, block_ms: int) -> list[tuple[str, list[Any]]]:
        found: Any = self.client.xread({self._stream: after}, count=_ENTRIES, block=max(1, block_ms))
        entries = found[0][1] if isinstance(found, list) and found else []
        if isinstance(found, dict):
            entries = [one for part in found.get(self._stream.encode(), []) for one in part]
        return [(_text(name), bus.unpack(fields[bus.FIELD])) for name, fields in entries]

    def _wait_ms(self) -> int:
        if not self._news:
            return _IDLE_MS
        now = self.clock()
        due = min(self._flushed.get(pk, 0.0) + BATCH_SECONDS for pk in self._news)
        return max(1, min(_IDLE_MS, int((due - now) * 1000) + 1))

    def _handle(self, name: str, values: list[Any]) -> None:
        kind, room, web, *body = values
        at_ms = int(name.partition("-")[0])
        if web:
            self._webs[web] = self.clock()
        try:
            if kind == Entry.MOVES:
                self._on_moves(room, web, *body, at_ms=at_ms)
            elif kind == Entry.JOIN:
                self._on_join(room, web, *body, at_ms=at_ms)
            elif kind == Entry.LEAVE:
                self._on_leave(room, web, *body)
            elif kind == Entry.PICTURE:
                self._want_pictures(room, web, *body)
            elif kind == Entry.PRESENT:
                self._on_present(room, web, *body, at_ms=at_ms)
            elif kind == Entry.COMMAND:
                self._on_command(room, *body, at_ms=at_ms)
        except RoomUnavailable as error:
            logger.warning("Room %s is not available: %s", room, error)
            self._refuse(room, web, _connections(kind, body), error.code)
        except (redis.RedisError, DatabaseError, Deposed):
            raise  # the entry is read again
        except Exception:
            logger.exception("Entry %s of the stream is left out.", name)

    def _on_moves(self, room: int, web: str, visitors: list[Any], moves: list[Any], *, at_ms: int) -> None:
        state = self.rooms.load(room, at_ms)
        while moves:
            moves = moves[state.decide_all(web, visitors, moves, at_ms) :]
            if state.new_board:
                self._send(state)
        self._news[room] = state

    def _on_join(self, room: int, web: str, connection_id: int, visitor: list[Any], *, at_ms: int) -> None:
        state = self.rooms.load(room, at_ms)
        refused = state.join(web, connection_id, Visitor(*visitor))
        if refused:
            self._refuse(room, web, [connection_id], refused)
        else:
            state.used_ms = max(state.used_ms, at_ms)
            self._want_pictures(room, web, [connection_id])

    def _on_leave(self, room: int, web: str, connection_id: int) -> None:
        state = self.rooms.get(room)
        if state is not None:
            state.leave(web, connection_id)
            waiting = self._pictures.get(room, {}).get(web, [])
            waiting[:] = [one for one in waiting if one != connection_id]

    def _want_pictures(self, room: int, web: str, connections: list[int]) -> None:
        self._pictures.setdefault(room, {}).setdefault(web, []).extend(connections)

    def _on_present(self, room: int, web: str, epoch: int, number: int, visitors: list[Any], *, at_ms: int) -> None:
        state = self.rooms.load(room, at_ms)
        here = {connection_id: Visitor(*visitor) for connection_id, *visitor in visitors}
        for one, connection_id in list(state.visitors):
            if one == web and connection_id not in here:
                state.leave(web, connection_id)
        for connection_id, visitor in here.items():
            if state.visitors.get((web, connection_id)) == visitor:
                continue
            refused = state.join(web, connection_id, visitor)
            if refused:
                self._refuse(room, web, [connection_id], refused)
        self._look_for_loss(state, epoch, number)
        if epoch != state.epoch:
            self._want_pictures(room, web, list(here))

    def _look_for_loss(self, state: RoomState, epoch: int, number: int) -> None:
        if epoch == state.epoch and number > state.game.number:
            logger.error("Room %s has lost the moves %s to %s.", state.id, state.game.number + 1, number)
            state.raise_epoch()
            self._send(state)

    def _on_command(self, room: int, command: int, number: int, *, at_ms: int) -> None:
        state = self.rooms.load(room, at_ms)
        player = state.by_number.get(number)
        if command == Command.RESTART and not state.closed:
            state.restart(at_ms)
            self._send(state)
        elif command == Command.CLOSE:
            state.close(at_ms)
            self._send(state)
            self._send_away(state, list(state.visitors), "room_closed")
        elif player is not None and command in (Command.MUTE, Command.UNMUTE):
            player.muted = command == Command.MUTE
            state.changes.players.setdefault(player.key, "")
        elif player is not None and command == Command.KICK:
            player.kicked = True
            state.changes.players.setdefault(player.key, "")
            gone = [where for where, visitor in state.visitors.items() if visitor.key == player.key]
            self._send_away(state, gone, "kicked")
        self._news[room] = state

    def _send_away(self, state: RoomState, connections: list[tuple[str, int]], code: str) -> None:
        by_web: dict[str, list[int]] = {}
        for web, connection_id in connections:
            by_web.setdefault(web, []).append(connection_id)
            state.leave(web, connection_id)
        for web, ids in by_web.items():
            self._refuse(state.id, web, ids, code)

    # --- sending ---

    def _send_due(self) -> None:
        now = self.clock()
        for pk, state in list(self._news.items()):
            if now - self._flushed.get(pk, 0.0) >= BATCH_SECONDS:
                self._send(state)
        for room in list(self._pictures):
            self._send_pictures(room)

    def _send(self, state: RoomState) -> None:
        """Publish the batch of a room; fresh pictures for everybody if its board or epoch is new."""
        now = self.clock()
        self._news.pop(state.id, None)
        players = PLAYERS_OF_BATCH if now - self._players_at.get(state.id, 0.0) >= PLAYERS_SECONDS else 0
        if not state.has_news and not (players and state.has_changed_players):
            return
        if players:
            self._players_at[state.id] = now
        self._flushed[state.id] = now
        first, frames, answers, fresh = state.take_batch(players=players)
        if not frames and not answers and not fresh:
            return
        if not self.lease.is_valid:
            self._keep_lease()
        batch = Batch(self.fence, state.sequence, state.epoch, first, state.game.number, frames, answers)
        self._publish(bus.room_channel(state.id), bus.pack(batch))
        if fresh:
            for web, connection_id in state.visitors:
                self._want_pictures(state.id, web, [connection_id])
            self._send_pictures(state.id)

    def _send_pictures(self, room: int) -> None:
        requested = self._pictures.pop(room, {})
        state = self.rooms.get(room)
        if state is None:
            return
        if state.has_news:
            self._send(state)
        now_ms = int(self.wall() * 1000)
        shared: list[bytes] = []
        by_player: dict[str, bytes] = {}
        for web, connections in requested.items():
            own: dict[int, bytes] = {}
            for connection_id in connections:
                visitor = state.visitors.get((web, connection_id))
                if visitor is None:
                    continue
                key = visitor.key if visitor.key in state.players else ""
                if key not in by_player:
                    by_player[key] = room_frame(state, visitor, now_ms)
                own[connection_id] = by_player[key]
            if own:
                shared = shared or picture_frames(state)
                where = (room, state.epoch, state.game.number, state.sequence)
                self._notify(web, Notice.PICTURE, *where, own, shared)

    def _refuse(self, room: int, web: str, connections: list[int], code: str) -> None:
        if web and connections:
            self._notify(web, Notice.REFUSE, room, connections, code)

    def _notify(self, web: str, notice: Notice, *body: Any) -> None:
        self._publish(bus.web_channel(web), bus.pack([self.fence, int(notice), *body]))

    def _notify_all(self, notice: Notice) -> None:
        self._publish(bus.ALL_WEBS, bus.pack([self.fence, int(notice)]))

    def _publish(self, channel: str, message: bytes) -> None:
        """Publish ``message``; it is lost if that fails or nobody listens: web processes notice by the numbering."""
        try:
            self.client.publish(channel, message)
        except redis.RedisError as error:
            logger.warning("Not published: %s", error)

    # --- storing ---

    def _store_due(self) -> None:
        self._finish_store(wait=False)
        if self._storing is None and self.clock() - self._stored_at >= STORE_SECONDS:
            self.store_now()

    def store_now(self) -> None:
        """Begin to store what is not stored yet; what failed before comes first."""
        self._finish_store(wait=True)
        if self._change is None:
            for state in list(self._news.values()):
                self._send(state)  # a referee that begins knows the last stored move of a player, and not its answer
            now_ms = int(self.wall() * 1000)
            rooms = [one for state in self.rooms if (one := change_of(state, now_ms)) is not None]
            if not rooms and self.last_read == self.last_stored:
                self._stored_at = self.clock()
                return
            self._changes += 1
            self._change = Change(self.shard, self.fence, self._changes, self.last_read, self.stream_name, rooms)
        change = self._change
        self._stored_at = self.clock()
        self._storing = self._submit(lambda: _store_in_thread(change))

    def _finish_store(self, *, wait: bool) -> None:
        storing = self._storing
        if storing is None or not (wait or storing.done()):
            return
        self._storing = None
        try:
            storing.result()
        except DatabaseError as error:
            self._store_failed(error)
            return
        change, self._change = self._change, None
        self._failing_since = None
        if self.paused:
            self.paused = False
            self._notify_all(Notice.RESUMED)
        if change is not None:
            self.last_stored = change.last_entry
            if change.stream == self.stream_name:
                self._trim(change.last_entry)

    def _trim(self, last: str) -> None:
        """Entries up to ``last`` are stored; it stays, as the place from which a referee reads on."""
        self.client.xtrim(self._stream, minid=last, approximate=False)

    def _store_failed(self, error: DatabaseError) -> None:
        logger.warning("The rooms cannot be stored: %s", error)
        now = self.clock()
        self._failing_since = self._failing_since or now
        if not self.paused and now - self._failing_since >= PAUSE_SECONDS:
            self.paused = True
            self._notify_all(Notice.PAUSED)

    # --- looking around ---

    def _look_around(self) -> None:
        now = self.clock()
        if now - self._slept_at < PLAYERS_SECONDS:
            return
        for state in self.rooms:
            if state.has_changed_players:
                self._news.setdefault(state.id, state)
        self._slept_at = now
        for web in [web for web, at in self._webs.items() if now - at > WEB_SECONDS]:
            del self._webs[web]
            for state in self.rooms:
                for where in [where for where in state.visitors if where[0] == web]:
                    state.leave(*where)
        self.rooms.sleep(now_ms=int(self.wall() * 1000), busy=self._change is not None)


def _store_in_thread(change: Change) -> None:
    """Store, and give the connection back: if that failed, the server may be gone."""
    try:
        store(change)
    finally:
        if not connection.in_atomic_block:  # as in tests, which store in their own thread
            connection.close()


def _connections(kind: int, body: list[Any]) -> list[int]:
    if kind == Entry.MOVES:
        return sorted({SentMove(*move).connection for move in body[1]})
    if kind == Entry.JOIN:
        return [body[0]]
    if kind == Entry.PICTURE:
        return list(body[0])
    if kind == Entry.PRESENT:
        return [one[0] for one in body[2]]
    return []


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value or "")
