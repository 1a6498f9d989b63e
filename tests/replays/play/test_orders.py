"""Tests of code that awaits, or asks the database, in every order of its steps: hub, registry, the referee's store."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import redis.asyncio
from django.utils import timezone

from analysis.recording import EVENT, Kind
from replays.play import wire
from replays.play.models import LiveGame, LiveGameLog, RefereeShard
from replays.play.referee import bus
from replays.play.referee.bus import Entry, Visitor
from replays.play.referee.room_store import Change, Deposed, store, take_over
from replays.play.rooms.hub import Hub, Member
from replays.play.sockets.tickets import Ticket
from replays.play.sockets.visitors import Visitor as Account
from replays.play.sockets.visitors import guest_of
from replays.play.solo import services
from replays.play.solo.playing import database, ending
from replays.play.solo.playing.played_game import PlayedGame
from replays.play.solo.playing.registry import Registry
from replays.play.solo.playing.unsaved import EndedGame
from replays.play.solo.shapes import shape_of
from replays.play.solo.solo_consumer import _taken_over
from tests.interleavings import Statements, Steps, every_order

ROOM = 7
GUEST = guest_of("0123456789abcdef")
Run = Callable[..., None]


def in_a_loop(work: Callable[[], int]) -> int:
    """Locks of asyncio need a running loop; ours runs nothing but ``work``."""

    async def whole() -> int:
        return work()

    return asyncio.run(whole())


# --- the hub ----------------------------------------------------------------------------------------------------------


class Subscriptions:
    """The server's side; it knows of a change at some moment while the hub waits."""

    def __init__(self) -> None:
        self.channels: set[str] = set()

    async def subscribe(self, *names: str) -> None:
        await asyncio.sleep(0)
        self.channels.update(names)
        await asyncio.sleep(0)

    async def unsubscribe(self, *names: str) -> None:
        await asyncio.sleep(0)
        self.channels.difference_update(names)
        await asyncio.sleep(0)


class Socket:
    """Methods that the hub needs of a socket."""

    def send_now(self, message: wire.Message | bytes) -> bool:
        return True

    def fail(self, close_code: int, code: str, message: str = "") -> None: ...


@pytest.fixture
def new_hub(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Hub]:
    async def nothing(_self: Hub) -> None:
        return

    monkeypatch.setattr(Hub, "_run", nothing)
    client = redis.asyncio.Redis.from_url("redis://127.0.0.1:1/0")
    monkeypatch.setattr(redis.asyncio.Redis, "from_url", lambda *_args, **_options: client)

    def make() -> Hub:
        hub = Hub("redis://127.0.0.1:1/0")
        vars(hub)["_pubsub"] = Subscriptions()
        return hub

    return make


def subscriptions(hub: Hub) -> Subscriptions:
    found = vars(hub)["_pubsub"]
    assert isinstance(found, Subscriptions)
    return found


async def enter(hub: Hub, name: str) -> Member:
    return await hub.join(ROOM, Visitor(name, name, True, name), Socket())


async def enter_and_leave(hub: Hub) -> None:
    member = await enter(hub, "b")
    await asyncio.sleep(0)
    hub.leave(member)


def check_hub(hub: Hub) -> None:
    """Only ``a`` is in the room: the hub, the subscriptions and the referee all know it."""
    (member,) = hub.members.values()
    assert hub.rooms[ROOM].members == {member.number: member}
    assert bus.room_channel(ROOM) in subscriptions(hub).channels
    here: set[int] = set()
    for entry in hub._entries:
        kind, _room, _web, number, *_ = bus.unpack(entry[bus.FIELD])
        (here.add if kind == Entry.JOIN else here.discard)(number)
    assert here == {member.number}


def test_who_enters_a_room_is_in_it(new_hub: Callable[[], Hub]) -> None:
    def scenario(run: Run) -> None:
        hub = new_hub()
        run(enter(hub, "a"), enter_and_leave(hub))
        check_hub(hub)

    assert in_a_loop(lambda: every_order(scenario)) > 10


def test_a_room_that_is_entered_again_is_heard(new_hub: Callable[[], Hub]) -> None:
    """While the hub stops listening to it, and to another one before it."""

    def scenario(run: Run, *, others: bool) -> None:
        hub = new_hub()
        hub._channels = {bus.room_channel(ROOM), bus.room_channel(8)}
        subscriptions(hub).channels = set(hub._channels)
        run(hub._unsubscribe_empty(), enter(hub, "a"), *([enter_and_leave(hub)] if others else []))
        check_hub(hub)
        assert bus.room_channel(8) not in subscriptions(hub).channels

    assert in_a_loop(lambda: every_order(partial(scenario, others=False))) > 5
    assert in_a_loop(lambda: every_order(partial(scenario, others=True))) > 100


# --- the registry -----------------------------------------------------------------------------------------------------


class Row:
    """A game in a database that serves one call at a time, and another process that wants it."""

    def __init__(self) -> None:
        self.holder, self.events, self.ends = "", 0, 0

    async def write(self, work: Callable[..., Any], *args: Any) -> Any:
        await asyncio.sleep(0)
        answer = work(*args)
        await asyncio.sleep(0)
        return answer

    def games_write(self, holder: str, new: list[LiveGame], held: list[Any], parts: list[services.LogPart]) -> set[Any]:
        self.holder = self.holder or (holder if new else "")
        if self.holder != holder:
            return {*held, *(row.pk for row in new)}
        for part in parts:
            assert part.first_event <= self.events, "a gap in the log"
            self.events = part.first_event + len(part.events) // EVENT.itemsize
        return set()

    async def take_over(self) -> None:
        await asyncio.sleep(0)
        if self.holder and not self.ends:
            self.holder = "another process"

    def end(self) -> bool:
        if self.holder == "another process":
            return False
        self.ends += 1
        return True


def a_game() -> PlayedGame:
    game = PlayedGame(GUEST, shape_of({"level": "beginner", "rules": "xp"}), 16, 0, "")
    game.start(bytes(16))
    game.opened_ns = game.zero_ns = time.monotonic_ns()
    game.started_at, game.state = timezone.now(), "playing"
    return game


async def kept(_keep: object, game: PlayedGame, holder: str) -> EndedGame:
    return EndedGame(game.row(holder), holder)


def test_a_game_is_written_and_ended_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The writing task, the end of the game, and a process that takes it over."""

    def scenario(run: Run) -> None:
        row, tasks, saved = Row(), list[Steps](), list[bool]()
        held, game = Registry(), a_game()
        held.games[game.id] = game
        monkeypatch.setattr(services, "games_write", row.games_write)
        monkeypatch.setattr(database, "run", row.write)
        monkeypatch.setattr(database, "keep", kept)

        async def save(ended: EndedGame) -> None:
            saved.append(await row.write(row.end))

        async def write() -> None:
            game.machine.feed([(0, 1, 1, Kind.MOVE)])
            await held.write_once()

        async def end() -> None:
            await asyncio.sleep(0)
            if game.id in held.games:
                game.abandon("given_up")
                held.store(game)

        monkeypatch.setattr(ending, "save", save)

        def spawn(work: Any) -> Steps:
            tasks.append(Steps(work))
            return tasks[-1]

        monkeypatch.setattr(asyncio, "create_task", spawn)
        run(write(), end(), row.take_over(), tasks=tasks)
        run(held.write_once())  # a second later
        assert not held.games
        assert row.ends == saved.count(True) <= 1
        assert row.ends or row.holder == "another process"

    assert in_a_loop(lambda: every_order(scenario)) > 100


# --- the database -----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("transactional_db")
class TestStatements:
    pytestmark = pytest.mark.django_db(transaction=True)

    def test_a_game_that_was_taken_over_has_one_writer(self, owner: Any) -> None:
        """Its first process does not know whether its first write was stored, and writes again."""
        visitor = Account(owner.pk, "", owner.username)

        def scenario(run: Run) -> None:
            game = PlayedGame(visitor, shape_of({"level": "beginner", "rules": "xp"}), 16, 0, "")
            game.start(bytes(16))
            game.started_at, game.state = timezone.now(), "playing"
            services.games_write("first", [game.row("first")], [], [services.LogPart(game.id, 0, 1, b"1")])
            again = Statements(
                lambda: services.games_write("first", [game.row("first")], [], [services.LogPart(game.id, 0, 2, b"12")])
            )
            other = Statements(lambda: _taken_over(game.id, Ticket(visitor, {}), "other"))
            run(again, other)
            _row, events, _seq = other.result
            assert LiveGame.objects.get().holder == "other"
            # Either the first process wrote before it lost the game, or it knows that it did and wrote nothing.
            assert (again.result, events) in [(set(), [b"12"]), ({game.id}, [b"1"])]
            assert bytes(LiveGameLog.objects.get().events) == events[0]
            LiveGame.objects.all().delete()

        assert every_order(scenario) > 5

    def test_one_referee_stores(self) -> None:
        def scenario(run: Run) -> None:
            RefereeShard.objects.all().delete()
            old = take_over(0)

            def succeed() -> RefereeShard:
                row = take_over(0)
                store(Change(0, row.fence, row.changes + 1, f"new after {row.last_entry}", "stream"))
                return row

            first = Statements(lambda: store(Change(0, old.fence, 1, "old", "stream")))
            second = Statements(succeed)
            run(first, second)
            shard = RefereeShard.objects.get()
            assert isinstance(second.result, RefereeShard), second.result
            if isinstance(first.result, Deposed):
                assert (shard.changes, shard.last_entry) == (1, "new after 0-0")
            else:
                assert first.result is None
                assert (shard.changes, shard.last_entry) == (2, "new after old")

        assert every_order(scenario) > 5
