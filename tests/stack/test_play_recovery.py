"""A room in the middle of a game while the processes behind it die: what is lost beside what is promised (live.md C12).

Two web processes, a referee, a real Valkey with its append-only file and PostgreSQL.  Players click without a pause; who
loses a socket comes back through the other web process and sends again what has no answer.  Every test ends with the
same questions: is every acknowledged move in the log, with its stamp; was any played twice; do scores and colours agree.
At the end the table is printed.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import psutil
import pytest
import redis
from django.db import connection

from analysis.multiplayer.laying import lay
from analysis.multiplayer.server_game import ServerGame
from replays.play.models import Room, RoomBoard, RoomLog, RoomPlayer
from replays.play.referee.log import moves_of, unpack_log
from replays.play.sockets.tickets import issue
from replays.play.sockets.visitors import guest_of
from replays.play.wire.rows import AnswerResult
from tests.bench.live.clients import Player, enter
from tests.conftest import SERVICES
from tests.effort import amount
from tests.services import Broker, wait_until
from tests.stack.web import Web
from tests.worker import ROOT, Worker

pytestmark = [pytest.mark.stack, pytest.mark.django_db(transaction=True)]

PLAYERS = 40
CLICKS_A_SECOND = amount(long=500, usual=150)
KILLS = amount(long=20, usual=1)
_TICK = 0.02
_HEAD = "| what | times | acknowledged | lost | twice | epoch | longest silence | promised |\n|---|---|---|---|---|---|---|---|"
TABLE: list[str] = []


@pytest.fixture(scope="module", autouse=True)
def _table(request: pytest.FixtureRequest) -> Iterator[None]:
    """Print what was lost beside what is promised, of the tests that ran in this process."""
    yield
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        sys.stdout.write("\n".join(["", _HEAD, *TABLE, ""]))


class RefereeProcess:
    """``manage.py referee`` as the site runs it."""

    def __init__(self, log: Path, environment: dict[str, str]) -> None:
        self.log, self._environment = log, environment
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "referee"], cwd=ROOT, env=self._environment,
                stdout=output, stderr=subprocess.STDOUT,
            )  # fmt: skip

    def kill(self) -> None:
        self.end(signal.SIGKILL)

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(30)
            self.process = None


@dataclass
class Crowd:
    """Players who click without a pause, in a thread with its own event loop."""

    ports: list[int]
    room: int
    cells: list[int]
    players: list[Player] = field(default_factory=list)
    clicking: bool = False
    _ended: bool = False
    _error: BaseException | None = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="crowd", daemon=True)
        self._thread.start()
        wait_until(lambda: self._failed() or len(self.players) == PLAYERS, what="the players")
        wait_until(lambda: self._failed() or all(player.pictures for player in self.players), what="their pictures")
        self.clicking = True

    def _run(self) -> None:
        try:
            asyncio.run(self._play())
        except BaseException as error:
            self._error = error

    def _failed(self) -> bool:
        if self._error is not None:
            raise self._error
        return False

    async def _play(self) -> None:
        draws = random.Random(7)
        for number in range(PLAYERS):
            self.players.append(await self._enter(number, number % len(self.ports)))
            self.players[-1].colours = set()
        began, sent = 0.0, 0
        while not self._ended:
            await asyncio.sleep(_TICK)
            for number, player in enumerate(self.players):
                if player.closed:
                    self.players[number] = await self._come_back(number, player)
            if not self.clicking:
                began, sent = 0.0, 0
                continue
            began = began or time.monotonic()
            while sent < (time.monotonic() - began) * CLICKS_A_SECOND and self.cells:
                player = draws.choice(self.players)
                if player.pictures and not player.closed:
                    player.click(self.cells.pop())
                sent += 1
        for player in self.players:
            player.transport.close()

    async def _enter(self, number: int, web: int) -> Player:
        ticket = issue(guest_of(f"{number + 1:016x}"), "room", {"room": self.room, "play": True})
        return await enter(self.ports[web], ticket, number.to_bytes(16, "big"))

    async def _come_back(self, number: int, before: Player) -> Player:
        """Half a second doubling, through one web process after the other."""
        wait = 0.5
        for attempt in range(20):
            try:
                player = await self._enter(number, (number + attempt + 1) % len(self.ports))
            except OSError:
                await asyncio.sleep(wait)
                wait = min(2 * wait, 10)
                continue
            while not player.pictures and not player.closed:
                await asyncio.sleep(_TICK)
            player.go_on(before)
            return player
        raise AssertionError("the site does not come back")

    def settle(self) -> None:
        """No more clicks; every click has its answer."""
        self.clicking = False
        try:
            wait_until(lambda: self._failed() or not self.unanswered(), seconds=90, what="the answers to all clicks")
        except AssertionError as error:
            raise AssertionError(f"{error}: {self.unanswered()}") from error
        time.sleep(2.5)  # a second until it is stored, and one more

    def unanswered(self) -> dict[int, str]:
        """Return the players who have clicks without an answer, and what each was told."""
        waiting = {}
        for place, player in enumerate(self.players):
            owns = sorted(player.sent.keys() - player.answers.keys())
            if owns:
                waiting[place] = f"{owns} of {player.own}; closed {player.closed}, {player.errors}, {player.waits}"
        return waiting

    def end(self) -> None:
        self._ended = True
        self._thread.join(30)
        self._failed()

    def answered(self) -> int:
        """Clicks that a referee has decided; a web process refuses those that wait too long for one."""
        return sum(
            result != AnswerResult.TOO_FAST
            for player in self.players
            for result, _stamp, _at in list(player.answers.values())  # the other thread adds to them
        )

    def silence(self) -> float:
        """The longest time without a message of moves to anybody."""
        times = sorted(batch[3] for player in self.players for batch in player.batches)
        return max((after - before for before, after in pairwise(times)), default=0.0)


@dataclass
class Stack:
    """All that runs."""

    webs: list[Web]
    referee: RefereeProcess
    broker: Broker
    room: Room
    crowd: Crowd

    def client(self) -> redis.Redis:
        return redis.Redis.from_url(self.broker.url)

    def wait_for_more(self, clicks: int) -> None:
        """Until so many more clicks have been answered."""
        before = self.crowd.answered()
        wait_until(
            lambda: self.crowd.answered() >= before + clicks, seconds=90, what=f"{clicks} more answers: {self.text()}"
        )

    def text(self) -> str:
        return self.referee.log.read_text(errors="replace")[-3000:] + self.webs[0].text()[-2000:]


@pytest.fixture
def stack(worker: Worker, broker: Broker, tmp_path: Path) -> Iterator[Stack]:
    environment = worker.environment() | {"PLAY_SOCKETS_OF_ADDRESS": "10000", "LOG_LEVEL": "INFO"}
    webs = [Web(tmp_path / f"web{number}.log", environment) for number in range(2)]
    webs[0].start()
    webs[1].start()
    referee = RefereeProcess(tmp_path / "referee.log", environment)
    referee.start()
    side = amount(long=500, usual=200)
    room = Room.objects.create(
        name="Room", rows=side, columns=side, start_number=1_437_341, sealed=False, flags=False, chords=False
    )
    cells = list(range(side * side))
    random.Random(3).shuffle(cells)
    made = Stack(webs, referee, broker, room, Crowd([web.port for web in webs], room.pk, cells))
    try:
        try:
            made.crowd.start()
            made.wait_for_more(50)
        except AssertionError as error:
            said = {text for player in made.crowd.players for text in (*player.errors, *player.waits)}
            raise AssertionError(f"{error}; told: {said}; {made.text()}") from error
        yield made
    finally:
        made.crowd.end()
        referee.end()
        for web in webs:
            web.stop()


def check(stack: Stack, what: str, times: int, promised: str) -> None:
    """Check what C12 promises, and add a line to the table."""
    crowd, room = stack.crowd, stack.room
    crowd.settle()
    board = RoomBoard.objects.get(room=room)
    logs = RoomLog.objects.filter(board=board).order_by("first")
    moves = [move for log in logs for move in moves_of(unpack_log(log.moves)).tolist()]
    numbers = {player.key: player.number for player in RoomPlayer.objects.filter(room=room)}
    acknowledged = lost = 0
    stamps: set[int] = set()
    for place, player in enumerate(crowd.players):
        for own, (_result, stamp, _at) in player.answers.items():
            if not stamp:
                continue
            acknowledged += 1
            assert stamp not in stamps, "one stamp was given twice"
            stamps.add(stamp)
            cell, number, _kind = moves[stamp - 1] if stamp <= len(moves) else (-1, -1, -1)
            lost += (cell, number) != (player.cells[own][1], numbers[guest_of(f"{place + 1:016x}").key])
    opened = [cell for cell, _player, _kind in moves]
    twice = len(opened) - len(set(opened))
    game = ServerGame(lay(room.laying(board.start_number)))
    for cell, number, _kind in moves:
        assert game.open(cell, number).stamp, "a refused move is in the log"
    scores = {player.number: (player.score, player.blasts) for player in RoomPlayer.objects.filter(room=room)}
    assert scores == {number: (int(game.score[number]), int(game.blasts[number])) for number in scores}
    told: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for player in crowd.players:
        for epoch, number, hue, shade in player.colours or ():
            told.setdefault((epoch, number), set()).add((hue, shade))
    assert told
    assert all(len(colours) == 1 for colours in told.values()), "a player changed colour"
    room.refresh_from_db()
    TABLE.append(
        f"| {what} | {times} | {acknowledged:,} | {lost} | {twice} | {room.epoch} | {crowd.silence():.1f} s | {promised} |"
    )
    assert (lost, twice, room.epoch) == (0, 0, 1), stack.text()


@pytest.mark.long(beside="tests/replays/play/referee/test_recovery.py::test_a_new_referee_decides_the_same_again")
def test_the_referee_is_killed_again_and_again(stack: Stack) -> None:
    for kill in range(KILLS):
        stack.wait_for_more(CLICKS_A_SECOND)
        time.sleep(random.Random(kill).random())
        stack.referee.kill()
        stack.referee.start()
    stack.wait_for_more(CLICKS_A_SECOND)
    check(stack, "referee killed", KILLS, "0 acknowledged moves lost")


@pytest.mark.long(beside="tests/replays/play/referee/test_recovery.py::test_a_new_referee_decides_the_same_again")
def test_valkey_is_killed_and_comes_back(stack: Stack) -> None:
    for _kill in range(amount(long=3, usual=1)):
        stack.wait_for_more(CLICKS_A_SECOND)
        kill_broker(stack.broker)
        time.sleep(1)
        stack.broker.start()
    stack.wait_for_more(CLICKS_A_SECOND)
    check(stack, "Valkey killed", amount(long=3, usual=1), "rooms wait; 0 acknowledged moves lost")


def kill_broker(broker: Broker) -> None:
    """``kill -9``: what it has not written to its file is gone."""
    (server,) = [
        psutil.Process(found.pid)
        for found in psutil.net_connections("tcp")
        if found.status == psutil.CONN_LISTEN and found.laddr.port == broker.port and found.pid
    ]
    os.kill(server.pid, signal.SIGKILL)
    broker.stop()


@pytest.mark.long(beside="tests/replays/play/referee/test_recovery.py::test_a_new_referee_decides_the_same_again")
def test_every_key_is_dropped_in_the_middle_of_the_game(stack: Stack) -> None:
    for _flush in range(amount(long=5, usual=2)):
        stack.wait_for_more(CLICKS_A_SECOND)
        with stack.client() as client:
            client.flushall()
    stack.wait_for_more(CLICKS_A_SECOND)
    check(stack, "FLUSHALL", amount(long=5, usual=2), "0 acknowledged moves lost")


@pytest.mark.long(beside="tests/replays/play/referee/test_recovery.py::test_a_new_referee_decides_the_same_again")
def test_the_database_cannot_be_reached_for_a_while(stack: Stack) -> None:
    stack.wait_for_more(CLICKS_A_SECOND)
    name = connection.settings_dict["NAME"]
    connection.close()
    SERVICES._postgres.psql(f'ALTER DATABASE "{name}" WITH ALLOW_CONNECTIONS false;')
    try:
        SERVICES._postgres.psql(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}';"  # noqa: S608 - our own name
        )
        stack.wait_for_more(3 * CLICKS_A_SECOND)  # play goes on
        time.sleep(amount(long=300, usual=0))  # and pauses after 30 seconds
    finally:
        SERVICES._postgres.psql(f'ALTER DATABASE "{name}" WITH ALLOW_CONNECTIONS true;')
        # This process has idle connections too, which were ended.
        connection.close_pool()  # type: ignore[attr-defined]  # of PostgreSQL
    stack.wait_for_more(CLICKS_A_SECOND)
    check(stack, "PostgreSQL away", 1, "play goes on for 30 s, then waits; 0 acknowledged moves lost")


@pytest.mark.long(beside="tests/replays/play/referee/test_recovery.py::test_a_new_referee_decides_the_same_again")
def test_a_web_process_is_killed(stack: Stack) -> None:
    stack.wait_for_more(CLICKS_A_SECOND)
    process: Any = stack.webs[1]._process
    process.kill()
    process.wait()
    stack.webs[1]._process = None
    wait_until(lambda: not any(player.closed for player in stack.crowd.players), what="everybody at the other one")
    stack.wait_for_more(CLICKS_A_SECOND)
    check(stack, "web process killed", 1, "sockets reconnect; 0 acknowledged moves lost")


@pytest.mark.long(beside="tests/replays/play/referee/test_recovery.py::test_a_new_referee_decides_the_same_again")
def test_valkey_and_the_referee_die_together(stack: Stack) -> None:
    """The only way to lose acknowledged moves; then the epoch rises, and everybody is told."""
    stack.wait_for_more(CLICKS_A_SECOND)
    stack.referee.kill()
    with stack.client() as client:
        client.flushall()
    stack.referee.start()
    stack.wait_for_more(CLICKS_A_SECOND)
    stack.crowd.settle()
    stack.room.refresh_from_db()
    stored = RoomBoard.objects.get(room=stack.room).number
    epochs = {player.epoch for player in stack.crowd.players}
    assert epochs == {stack.room.epoch}, "everybody is told"
    old = [
        stamp for player in stack.crowd.players for own, (_result, stamp, _at) in player.answers.items()
        if stamp and player.cells[own][0] == 1
    ]  # fmt: skip
    moves = [
        move for log in RoomLog.objects.filter(board__room=stack.room).order_by("first")
        for move in moves_of(unpack_log(log.moves)).tolist()
    ]  # fmt: skip
    assert len(moves) == stored
    TABLE.append(
        f"| Valkey and referee together | 1 | {len(old):,} | {'at most a second' if stack.room.epoch > 1 else 0} | 0 |"
        f" {stack.room.epoch} | {stack.crowd.silence():.1f} s | epoch + 1 if moves were lost, everybody is told |"
    )
    assert stack.room.epoch in (1, 2)
