"""A referee that is driven step by step, on a real Valkey, and a web process of which only the messages exist."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

import pytest
import redis
from django.conf import settings

from replays.play import wire
from replays.play.models import Room
from replays.play.referee import bus
from replays.play.referee.bus import Entry, Notice, Visitor
from replays.play.referee.loop import Referee
from replays.play.wire.rows import MoveKind

ANN = Visitor("guest-00000000000000aa", "Ann", True, "a1")
BEN = Visitor("guest-00000000000000bb", "Ben", True, "b1")
ONLY_WATCHES = Visitor("guest-00000000000000cc", "Cid", False, "c1")


def at_once(work: Callable[[], None]) -> Future[None]:
    """Runs what a referee hands to its thread here and now."""
    done: Future[None] = Future()
    try:
        work()
    except BaseException as error:
        done.set_exception(error)
    else:
        done.set_result(None)
    return done


@pytest.fixture
def valkey() -> Iterator[redis.Redis]:
    """The broker of the tests without anything of rooms."""
    client = redis.Redis.from_url(settings.PLAY_BUS_URL)
    forget(client)
    yield client
    forget(client)
    client.close()


def forget(client: redis.Redis) -> None:
    """Delete what rooms have in Valkey."""
    if keys := list(client.scan_iter("play:*")):
        client.delete(*keys)


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = time.time()  # from which the entries of the stream have their numbers

    def __call__(self) -> float:
        return self.now


@dataclass
class FakeWeb:
    """One web process: sends entries, and keeps the messages that it hears."""

    client: redis.Redis
    name: str = "web1"
    frames: dict[int, list[wire.ServerMessage]] = field(default_factory=dict)
    answers: dict[int, list[wire.Answer]] = field(default_factory=dict)
    batches: list[bus.Batch] = field(default_factory=list)
    refused: list[tuple[int, str]] = field(default_factory=list)
    pictures: list[tuple[int, list[wire.ServerMessage]]] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ear = self.client.pubsub()  # type: ignore[no-untyped-call]
        self.ear.psubscribe("play:room:*")
        self.ear.subscribe(bus.web_channel(self.name), bus.ALL_WEBS)
        for _subscription in range(3):
            assert self.ear.get_message(timeout=60) is not None

    def put(self, kind: Entry, room: Room, *body: Any) -> str:
        entry = bus.entry(kind, room.pk, self.name, *body)
        made: Any = self.client.xadd(bus.stream_key(0), entry)  # type: ignore[arg-type]
        return str(made.decode())

    def join(self, room: Room, connection: int, visitor: Visitor) -> None:
        self.put(Entry.JOIN, room, connection, list(visitor))

    def play(
        self, room: Room, visitor: Visitor, *cells: int, kind: int = MoveKind.OPEN, epoch: int = 1,
        connection: int = 1, own: int = 1,
    ) -> None:  # fmt: skip
        """Moves of one player in one entry, their own numbers from ``own`` on."""
        moves = [(connection, 0, own + place, epoch, int(kind), cell) for place, cell in enumerate(cells)]
        self.put(Entry.MOVES, room, [list(visitor)], moves)

    def hear(self) -> None:
        """Take what has been published."""
        while (message := self.ear.get_message(timeout=0.02)) is not None:
            channel, values = message["channel"].decode(), bus.unpack(message["data"])
            if channel.startswith("play:room:"):
                self._batch(bus.Batch(*values))
            elif values[1] == Notice.PICTURE:
                _fence, _notice, _room, _epoch, _number, _sequence, own, shared = values
                for connection, frame in own.items():
                    self.pictures.append((connection, [wire.decode_server(one) for one in (frame, *shared)]))
            elif values[1] == Notice.REFUSE:
                self.refused += [(connection, values[4]) for connection in values[3]]
            else:
                self.notices.append(Notice(values[1]))

    def _batch(self, batch: bus.Batch) -> None:
        self.batches.append(batch)
        mine = batch.answers.get(self.name, [])
        for connection, frame in zip(mine[::2], mine[1::2], strict=True):
            answer = wire.decode_server(frame)
            assert isinstance(answer, wire.Answer)
            self.answers.setdefault(connection, []).append(answer)

    @property
    def all_frames(self) -> list[wire.ServerMessage]:
        """Frames that everybody got."""
        return [wire.decode_server(frame) for batch in self.batches for frame in batch.frames]

    def moves(self) -> dict[tuple[int, int], wire.rows.Move]:
        """Published moves by epoch and stamp; one that came twice must be the same."""
        found: dict[tuple[int, int], wire.rows.Move] = {}
        for frame in self.all_frames:
            if isinstance(frame, wire.Moves):
                for place, move in enumerate(frame.moves):
                    key = frame.epoch, frame.first + place
                    assert found.setdefault(key, move) == move, "one stamp has two moves"
        return found


@pytest.fixture
def web(valkey: redis.Redis) -> Iterator[FakeWeb]:
    made = FakeWeb(valkey)
    yield made
    made.ear.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def new_referee(db: None, valkey: redis.Redis, clock: Clock) -> Callable[[], Referee]:
    """Makes referees that have begun; the one before is dead at once, as if its lease had run out."""

    def make() -> Referee:
        valkey.delete(bus.lease_key(0))
        made = Referee(valkey, clock=clock, wall=clock, submit=at_once)
        assert made.begin()
        return made

    return make


def turn(referee: Referee, clock: Clock, *, seconds: float = 0.06) -> None:
    """Everything that waits is decided and sent."""
    referee.step(block_ms=1)
    clock.now += seconds
    referee.step(block_ms=1)


def a_room(**settings: Any) -> Room:
    """A room of the paper's default board, open as there."""
    paper = {"name": "Room", "start_number": 1_437_341, "sealed": False, "flags": False, "chords": False}
    return Room.objects.create(**(paper | settings))
