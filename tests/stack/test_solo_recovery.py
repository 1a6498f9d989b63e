"""Single games while the PostgreSQL server is restarted: what is lost beside what is promised (live.md C12).

A web process, a worker and a server of PostgreSQL that is restarted again and again, by a request (``fast``) and by a crash
(``immediate``).  Players open cells without a pause until they hit a mine, and begin anew.  At the end the table is printed.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import redis
from django.db import connection
from websockets.asyncio.client import ClientConnection, connect

from analysis import formats
from analysis.recording import Kind
from players.models import User
from replays.models import Replay, file_store
from replays.play import wire
from replays.play.models import LiveGame
from replays.play.sockets.tickets import issue
from replays.play.sockets.visitors import Visitor
from tests.conftest import SERVICES
from tests.effort import LONG
from tests.replays.play.solo.player import PX, Row, click_rows
from tests.services import Broker, wait_until
from tests.stack.test_play_recovery import kill_broker
from tests.stack.web import Web
from tests.worker import Worker

pytestmark = [
    pytest.mark.stack,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not LONG, reason="restarts take a minute: EFFORT=long"),
    pytest.mark.skipif(not SERVICES.restarts_database, reason="the database is not ours to restart"),
]

PLAYERS = 20
RESTARTS = ("fast", "immediate", "fast", "immediate", "immediate", "immediate")
_COLUMNS, _CELLS = 8, 64
_CLICK_SECONDS = (0.2, 0.6)
_PLAY_SECONDS = 3.0  # before each restart


@dataclass
class Player:
    """An account at the socket.  By game: ``answered``, how many clicks had an answer; ``over`` and ``stored``, what was told."""

    visitor: Visitor
    draws: random.Random
    answered: Counter[bytes] = field(default_factory=Counter)
    over: dict[bytes, wire.Over] = field(default_factory=dict)
    stored: dict[bytes, wire.Stored] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)  # seconds from a click to its answer
    answered_at: list[float] = field(default_factory=list)
    game: bytes = b""
    playing: bool = True
    comes_back: bool = False

    async def play(self, port: int, ended: asyncio.Event) -> None:
        """Play until ``ended``; who ``comes_back`` does so after a lost connection, with a new game."""
        while not ended.is_set():
            try:
                await self._play(port, ended)
            except OSError:
                await asyncio.sleep(0.5)
            if not self.comes_back:
                return
            self.game = b""

    async def _play(self, port: int, ended: asyncio.Event) -> None:
        options: Any = {"origin": f"http://127.0.0.1:{port}", "subprotocols": [wire.SUBPROTOCOL], "compression": None}
        async with connect(f"ws://127.0.0.1:{port}/ws/play/solo/", **options) as socket:
            await socket.send(wire.Hello(issue(self.visitor, "solo", {"level": "beginner", "rules": "xp"})).encode())
            await socket.send(wire.New(PX, 0).encode())
            clicking = asyncio.create_task(self._click(socket))
            hearing = asyncio.create_task(self._hear(socket))
            over = asyncio.create_task(ended.wait())
            await asyncio.wait([clicking, hearing, over], return_when=asyncio.FIRST_COMPLETED)
            for task in (clicking, hearing):
                if task.done():
                    self.errors.append(f"ended: {task.exception()!r}")
                task.cancel()

    async def _hear(self, socket: ClientConnection) -> None:
        async for data in socket:
            assert isinstance(data, bytes)
            message = wire.decode_server(data)
            if isinstance(message, wire.Ping):
                await socket.send(wire.Pong(message.id, time.monotonic_ns() // 1_000_000).encode())
            elif isinstance(message, wire.Game):
                await socket.send(wire.Start(os.urandom(16)).encode())
                self._began, self._last, self._seq = time.monotonic(), (0, 0, 0), 0
                self._sent_at: dict[int, float] = {}
                self.game = message.game
            elif isinstance(message, wire.Faces):
                if (at := self._sent_at.pop(message.seq, None)) is not None:
                    self.waits.append(time.monotonic() - at)
                    self.answered[self.game] += 1
                    self.answered_at.append(time.monotonic())
            elif isinstance(message, wire.Over):
                self.over[self.game], self.game = message, b""
                if self.playing:
                    await socket.send(wire.New(PX, 0).encode())
            elif isinstance(message, wire.Stored):
                self.stored[message.game] = message
            elif isinstance(message, wire.Error):
                self.errors.append(message.code)

    async def _click(self, socket: ClientConnection) -> None:
        while True:
            await asyncio.sleep(self.draws.uniform(*_CLICK_SECONDS))
            if self.game and self.playing:
                ms = int((time.monotonic() - self._began) * 1000)
                await self._send(socket, click_rows(self.draws.randrange(_CELLS), _COLUMNS, ms))

    async def _send(self, socket: ClientConnection, rows: list[Row]) -> None:
        events, (at, x, y) = [], self._last
        for time_ms, to_x, to_y, kind in rows:
            events.append(wire.Event(time_ms - at, kind, to_x - x, to_y - y))
            at, x, y = time_ms, to_x, to_y
        self._last = at, x, y
        self._seq += 1
        self._sent_at[self._seq] = time.monotonic()
        await socket.send(wire.Input(self._seq, tuple(events)).encode())


class Crowd:
    """The players, in a thread with its own event loop."""

    web: Web

    def __init__(self, visitors: list[Visitor], port: int) -> None:
        self.players = [Player(visitor, random.Random(number)) for number, visitor in enumerate(visitors)]
        self._port = port
        self._loop = asyncio.new_event_loop()
        self._ended = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="crowd", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        plays = (player.play(self._port, self._ended) for player in self.players)

        async def together() -> None:
            await asyncio.gather(*plays)

        self._loop.run_until_complete(together())
        self._loop.close()

    def pause(self) -> None:
        """No more clicks and no new games; what runs stays open."""
        for player in self.players:
            player.playing = False

    def end(self) -> None:
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._ended.set)
            self._thread.join(30)

    def silence(self) -> float:
        """The longest time without an answer to anybody."""
        times = sorted(at for player in self.players for at in player.answered_at)
        return max(after - before for before, after in pairwise(times))

    @property
    def decided(self) -> dict[bytes, wire.Over]:
        """Messages that told players of the end of a game, by game."""
        return {game: over for player in self.players for game, over in list(player.over.items())}


@pytest.fixture
def safe_commits() -> Iterator[None]:
    """A commit that was confirmed is in the log of the server, as on a site; tests are run without that otherwise."""
    _set_commits("on")
    yield
    _set_commits("off")
    connection.close_pool()  # type: ignore[attr-defined]  # of PostgreSQL; its connections ended with the server


def _set_commits(value: str) -> None:
    SERVICES._postgres.psql(f"ALTER SYSTEM SET synchronous_commit = {value};")
    SERVICES._postgres.psql("SELECT pg_reload_conf();")


@pytest.fixture
def crowd(worker: Worker, tmp_path: Path, safe_commits: None) -> Iterator[Crowd]:
    """Twenty players, at a site whose web process is ``crowd.web``."""
    users = [User.objects.create_user(f"player{number}") for number in range(PLAYERS)]
    environment = worker.environment() | {"PLAY_SOCKETS_OF_ADDRESS": "1000"}
    web = Web(tmp_path / "web.log", environment)
    worker.start()
    web.start()
    made = Crowd([Visitor(user.pk, "", user.username) for user in users], web.port)
    made.web = web
    try:
        yield made
    finally:
        made.end()
        web.stop()


def test_the_database_server_is_restarted_again_and_again(crowd: Crowd, capsys: pytest.CaptureFixture[str]) -> None:
    wait_until(lambda: crowd.decided, what="the first game")
    connection.close()
    away = []
    for how in RESTARTS:
        time.sleep(_PLAY_SECONDS)
        before = len(crowd.decided)
        begun = time.monotonic()
        SERVICES.restart_database(how)
        away.append(time.monotonic() - begun)
        wait_until(lambda: len(crowd.decided) > before + PLAYERS, what="more games")  # noqa: B023 - called at once
    crowd.pause()
    connection.close_pool()  # type: ignore[attr-defined]  # this process has idle connections too
    decided = {game: over for game, over in crowd.decided.items() if over.result != wire.Result.GIVEN_UP}
    try:
        wait_until(lambda: _stored(crowd) >= decided.keys(), seconds=120, what="the message that each game is stored")
    except AssertionError as error:
        raise AssertionError(f"{error}: {_untold(crowd, decided)}") from error
    time.sleep(2.5)  # a second until the running ones are written, and one more
    rows = {row.pk.bytes: row for row in LiveGame.objects.filter(state="over").select_related("replay")}
    lost = [game for game in decided if game not in rows or rows[game].replay is None]
    twice = Replay.objects.count() - len({row.replay_id for row in rows.values()})
    ended = [over.reason for over in crowd.decided.values() if over.result == wire.Result.GIVEN_UP]
    with capsys.disabled():
        sys.stdout.write(
            "\n| what | times | decided games | lost | twice | given up | longest answer | away | promised |\n"
            "|---|---|---|---|---|---|---|---|---|\n"
            f"| PostgreSQL restarted, {dict(Counter(RESTARTS))} | {len(RESTARTS)} | {len(decided)} | {len(lost)} | {twice} |"
            f" {len(ended)} | {max(seconds for player in crowd.players for seconds in player.waits):.2f} s |"
            f" {max(away):.1f} s | play goes on; 0 decided games lost |\n"
        )
    assert (lost, twice, ended) == ([], 0, [])
    assert not [player.errors for player in crowd.players if player.errors]
    answered = Counter({game: clicks for player in crowd.players for game, clicks in player.answered.items()})
    for game, over in decided.items():
        row = rows[game]
        assert (row.time_ms, row.reason, bytes(row.secret)) == (over.time_ms, over.reason, over.secret)
        assert row.replay is not None
        file = formats.read(file_store.get(row.replay.sha256))
        assert np.count_nonzero(file.events["kind"] == Kind.LEFT_PRESS) == answered[game], (
            "each answered click is in it"
        )
    running = [player.game for player in crowd.players if answered[player.game]]
    assert running
    for game in running:
        assert LiveGame.objects.get(pk=uuid.UUID(bytes=game)).state == "playing"


def _untold(crowd: Crowd, decided: dict[bytes, wire.Over]) -> list[tuple[Any, ...]]:
    """Return the rows of decided games of which no player was told that they are stored."""
    games = [uuid.UUID(bytes=game) for game in decided.keys() - _stored(crowd)]
    return list(LiveGame.objects.filter(pk__in=games).values_list("pk", "state", "reason", "ended_at", "replay"))


def _stored(crowd: Crowd) -> set[bytes]:
    return {game for player in crowd.players for game, told in list(player.stored.items()) if told.replay}


# --- everything else that may die -------------------------------------------------------------------------------------

#: Longer than anybody tries again in memory.
AWAY_SECONDS = 300
_HEAD = "| single games: what | decided | lost | twice | longest silence |\n|---|---|---|---|---|"


def _kill(web: Web) -> None:
    process: Any = web._process
    process.kill()
    process.wait()
    web._process = None


@contextmanager
def _database_away() -> Iterator[None]:
    name = connection.settings_dict["NAME"]
    connection.close()
    SERVICES._postgres.psql(f'ALTER DATABASE "{name}" WITH ALLOW_CONNECTIONS false;')
    try:
        SERVICES._postgres.psql(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}';"  # noqa: S608 - our own name
        )
        yield
    finally:
        SERVICES._postgres.psql(f'ALTER DATABASE "{name}" WITH ALLOW_CONNECTIONS true;')
        connection.close_pool()  # type: ignore[attr-defined]  # of PostgreSQL; its idle connections were ended


def _database_goes(_crowd: Crowd, _worker: Worker, _broker: Broker) -> None:
    with _database_away():
        time.sleep(AWAY_SECONDS)


def _database_goes_and_the_web_process_dies(crowd: Crowd, _worker: Worker, _broker: Broker) -> None:
    with _database_away():
        time.sleep(20)
        _kill(crowd.web)
    crowd.web.start()


def _web_process_dies(crowd: Crowd, _worker: Worker, _broker: Broker) -> None:
    _kill(crowd.web)
    crowd.web.start()


def _valkey_dies(_crowd: Crowd, _worker: Worker, broker: Broker) -> None:
    kill_broker(broker)
    time.sleep(3)
    broker.start()


def _flushall(_crowd: Crowd, _worker: Worker, broker: Broker) -> None:
    with redis.Redis.from_url(broker.url) as client:
        client.flushall()


def _worker_dies(_crowd: Crowd, worker: Worker, _broker: Broker) -> None:
    worker.kill()
    time.sleep(3)
    worker.start()


@pytest.mark.parametrize(
    "trouble",
    [_database_goes, _database_goes_and_the_web_process_dies, _web_process_dies, _valkey_dies, _flushall, _worker_dies],
    ids=lambda trouble: trouble.__name__.strip("_"),
)
def test_what_was_decided_is_stored_once(
    crowd: Crowd,
    worker: Worker,
    broker: Broker,
    trouble: Callable[[Crowd, Worker, Broker], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    for player in crowd.players:
        player.comes_back = True
    wait_until(lambda: len(crowd.decided) > PLAYERS, seconds=60, what="the first games")
    begun = time.monotonic()
    trouble(crowd, worker, broker)
    ended = time.monotonic()
    before = len(crowd.decided)
    wait_until(lambda: len(crowd.decided) > before + PLAYERS, seconds=120, what="more games")
    crowd.pause()
    decided = {game for game, over in crowd.decided.items() if over.result != wire.Result.GIVEN_UP}

    def missing() -> set[bytes]:
        stored = LiveGame.objects.filter(state="over", replay__isnull=False).values_list("pk", flat=True)
        return decided - {pk.bytes for pk in stored}

    def without_game() -> int:
        return Replay.objects.filter(live_game=None).count()

    with suppress(AssertionError):  # games of five minutes are handed in one after the other
        wait_until(lambda: not missing() and not without_game(), seconds=900, what="the replays")
    lost, twice = missing(), without_game()
    with capsys.disabled():
        sys.stdout.write(
            f"\n{_HEAD}\n| {trouble.__name__.strip('_').replace('_', ' ')}, {ended - begun:.0f} s | {len(decided)} |"
            f" {len(lost)} | {twice} | {crowd.silence():.1f} s |\n"
        )
    assert (lost, twice) == (set(), 0), crowd.web.text()[-3000:]
    if trouble in (_web_process_dies, _database_goes_and_the_web_process_dies):
        assert LiveGame.objects.filter(result="", reason="interrupted").exists()
