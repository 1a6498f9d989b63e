"""Tests of code that awaits, or asks the database, in every order of its steps: hub, registry, the referee's store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import redis.asyncio
from django.db.models import Q
from django.utils import timezone

from analysis.recording import Kind
from players.models import BoardCount
from replays.play import wire
from replays.play.models import LiveGame, RefereeShard
from replays.play.referee import bus
from replays.play.referee.bus import Entry, Visitor
from replays.play.referee.room_store import Change, Deposed, store, take_over
from replays.play.rooms.hub import Hub, Member
from replays.play.sockets.visitors import Visitor as Account
from replays.play.sockets.visitors import guest_of
from replays.play.solo import services
from replays.play.solo.playing import database, ending
from replays.play.solo.playing.played_game import PlayedGame
from replays.play.solo.playing.registry import Registry
from replays.play.solo.playing.unsaved import EndedGame
from replays.play.solo.shapes import shape_of
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
    """A game in a database that serves one call at a time."""

    def __init__(self) -> None:
        self.begins, self.ends = 0, 0

    async def write(self, work: Callable[..., Any], *args: Any) -> Any:
        await asyncio.sleep(0)
        answer = work(*args)
        await asyncio.sleep(0)
        return answer

    def begin(self, rows: list[LiveGame]) -> None:
        self.begins += len(rows)

    def end(self) -> bool:
        self.ends += 1
        return True


def a_game() -> PlayedGame:
    game = PlayedGame(GUEST, shape_of({"level": "beginner", "rules": "xp"}), 16, 0, "")
    game.start(bytes(16))
    game.play(
        wire.Input(1, (wire.Event(0, Kind.LEFT_PRESS, 1, 1), wire.Event(0, Kind.LEFT_RELEASE, 0, 0))), game.zero_ns
    )
    game.lay(game.zero_ns)
    return game


async def kept(_work: object, *game_and_holder: Any) -> EndedGame | None:
    """Keep nothing on disk."""
    if not game_and_holder:
        return None
    game, holder = game_and_holder
    return EndedGame(game.row(holder), holder)


def test_a_game_is_written_and_ended_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The writing task and the end of the game."""

    def scenario(run: Run) -> None:
        row, tasks, saved = Row(), list[Steps](), list[bool]()
        held, game = Registry(), a_game()
        held.games[game.id] = game
        monkeypatch.setattr(services, "games_begin", row.begin)
        monkeypatch.setattr(database, "run", row.write)
        monkeypatch.setattr(database, "keep", kept)

        async def save(ended: EndedGame) -> None:
            saved.append(await row.write(row.end))

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
        run(held.write_once(), end(), tasks=tasks)
        run(held.write_once())  # a second later
        assert not held.games
        assert row.ends == saved.count(True) == 1
        assert row.begins <= 1

    assert in_a_loop(lambda: every_order(scenario)) > 10


# --- the database -----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("transactional_db")
class TestStatements:
    pytestmark = pytest.mark.django_db(transaction=True)

    def test_an_end_and_an_interruption_count_once(self, owner: Any) -> None:
        """A process that is just dying has stored the end, or the next one hands it in: it is not counted twice."""
        visitor = Account(owner.pk, "", owner.username)

        def scenario(run: Run) -> None:
            game = PlayedGame(visitor, shape_of({"level": "beginner", "rules": "xp"}), 16, 0, "")
            game.start(bytes(16))
            game.started_at, game.state = timezone.now(), "playing"
            services.games_begin([game.row("dying")])
            game.abandon("given_up")
            row = game.row("dying")
            ended = Statements(lambda: services.game_end(row, "dying", None))
            interrupted = Statements(lambda: services.interrupt_games(Q(holder="dying")))
            run(ended, interrupted)
            stored = LiveGame.objects.get()
            assert (ended.result, interrupted.result, stored.reason) in [
                (True, 0, "given_up"),
                (False, 1, "interrupted"),
            ]
            assert BoardCount.objects.get().left == 1
            LiveGame.objects.all().delete()
            BoardCount.objects.all().delete()

        assert every_order(scenario) > 5

    def test_an_end_beside_the_first_write_is_stored(self, owner: Any) -> None:
        """A game that ends within its first second: both write its row."""

        def scenario(run: Run) -> None:
            game = PlayedGame(Account(owner.pk, "", ""), shape_of({"level": "beginner", "rules": "xp"}), 16, 0, "")
            game.start(bytes(16))
            game.started_at, game.state = timezone.now(), "playing"
            first = game.row("holder")
            game.abandon("given_up")
            last = game.row("holder")
            begun = Statements(lambda: services.games_begin([first]))
            ended = Statements(lambda: services.game_end(last, "holder", None))
            run(begun, ended)
            assert (begun.result, ended.result) == (None, True)
            assert LiveGame.objects.get().reason == "given_up"
            LiveGame.objects.all().delete()
            BoardCount.objects.all().delete()

        assert every_order(scenario) > 2

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
