"""Nothing that was decided is lost: rows that the database refuses, a database that is away, processes that die."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from analysis.formats import rawvf
from players.models import User
from replays.models import Replay
from replays.play import wire
from replays.play.models import LiveGame
from replays.play.sockets import closed_accounts
from replays.play.sockets.visitors import Visitor
from replays.play.solo import services, solo_consumer
from replays.play.solo.playing import database, ending, registry, unsaved
from replays.play.solo.playing.no_guess import Searches
from replays.play.solo.playing.registry import registry_of_loop
from tests.replays.play.solo.conftest import GUEST
from tests.replays.play.solo.player import SoloPlayer, run
from tests.replays.play.solo.test_pages import live_game

pytestmark = pytest.mark.django_db(transaction=True)

BEGINNER = {"level": "beginner", "rules": "xp"}
NO_GUESS = {"level": "beginner", "rules": "no-guess"}


class Outage:
    """A database that does not answer the process of the game while ``away``; ``tries``: how often it was asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.away, self.tries = False, 0
        self._connected = database._connected
        monkeypatch.setattr(database, "_connected", self._ask)

    def _ask(self, work: Callable[..., Any], *args: Any) -> Any:
        if self.away:
            self.tries += 1
            raise OperationalError("the server is away")
        return self._connected(work, *args)


@pytest.fixture
def outage(monkeypatch: pytest.MonkeyPatch) -> Outage:
    """Waits are as short as they can be, and as many as an outage of any length has."""
    monkeypatch.setattr(registry, "WRITE_SECONDS", 0.02)
    monkeypatch.setattr(ending, "_RETRY_SECONDS", (0.01,) * 3, raising=False)  # of the code before: three tries are all
    return Outage(monkeypatch)


@dataclass
class OnDisk:
    """The file of unsaved games of this process, in a folder of its own."""

    folder: Path
    games: unsaved.UnsavedGames

    def read(self) -> bytes:
        return b"".join(path.read_bytes() for path in self.folder.glob("*.games"))


@pytest.fixture
def on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OnDisk]:
    made = OnDisk(tmp_path, unsaved.UnsavedGames(tmp_path, unsaved.HOLDER))
    monkeypatch.setattr(ending, "unsaved_games", lambda: made.games)
    monkeypatch.setattr(registry, "unsaved_games", lambda: made.games)
    monkeypatch.setattr(ending, "folder", lambda: tmp_path)
    yield made
    made.games.close()


async def begun(player: SoloPlayer) -> None:
    await player.begin()
    await player.click(0, 8)
    await player.wait_for(wire.Faces)


async def until(condition: Callable[[], object], what: str) -> None:
    for _ in range(1000):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"not within ten seconds: {what}")


async def lose(player: SoloPlayer) -> None:
    """Open a mine."""
    (game,) = [game for game in registry_of_loop().games.values() if game.visitor == player.visitor]
    mines = [cell for cell, mine in enumerate(game.board().mines.ravel().tolist()) if mine]
    await player.click(mines[0], 8)


# --- L2: a row that the database refuses -------------------------------------------------------------------------------


def test_a_game_that_cannot_be_written_costs_no_other(
    visitor: Visitor, other_player: User, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The row of an account vanishes while its socket is open, and before its game was written."""
    monkeypatch.setattr(registry, "WRITE_SECONDS", 60.0)  # nothing but the calls below writes
    monkeypatch.setattr(closed_accounts, "CHECK_SECONDS", 60.0)  # nor closes the socket before
    gone = User.objects.create_user("gone")

    async def play() -> None:
        async with (
            SoloPlayer(Visitor(gone.pk, "", "gone"), BEGINNER) as first,
            SoloPlayer(visitor, BEGINNER) as second,
            SoloPlayer(GUEST, BEGINNER) as third,
        ):
            await begun(second)
            await registry_of_loop().write_once()
            await begun(first)
            await begun(third)
            await database.run(User.objects.filter(pk=gone.pk).delete)
            await second.flag(40, 8)
            await second.wait_for(wire.Faces)
            await registry_of_loop().write_once()
            await first.flag(40, 8)
            await first.wait_for(wire.Faces)
            rows = LiveGame.objects.order_by("created_at").values_list("user", "guest", "state")
            assert await database.run(list, rows) == [
                (visitor.user_id, "", "playing"), (None, GUEST.guest, "playing"),
            ]  # fmt: skip

    run(play)
    (record,) = [record for record in caplog.records if "before its end" in record.getMessage()]
    assert "IntegrityError" in record.getMessage()


def test_a_database_that_is_away_refuses_nothing(visitor: Visitor, outage: Outage) -> None:
    async def play() -> None:
        async with SoloPlayer(visitor, BEGINNER) as player:
            await begun(player)
            outage.away = True
            await until(lambda: outage.tries > 5, "more tries")
            assert len(registry_of_loop().games) == 1
            outage.away = False
            await registry_of_loop().write_once()

    run(play)
    assert LiveGame.objects.get().state == "playing"


# --- L6: a database that is away ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("worker")
def test_a_decided_game_waits_for_the_database_however_long_it_is_away(visitor: Visitor, outage: Outage) -> None:
    async def play() -> wire.Stored:
        async with SoloPlayer(visitor, BEGINNER) as player:
            await begun(player)
            outage.away = True
            await lose(player)
            await player.wait_for(wire.Over)
            await until(lambda: outage.tries > 20, "as many tries as a long outage has")
            outage.away = False
            return await player.wait_for(wire.Stored)

    stored = run(play)
    game, replay = LiveGame.objects.get(), Replay.objects.get()
    assert (game.state, game.result, game.replay, stored.replay) == ("over", "lost", replay, replay.pk)
    assert replay.evidence == "here"
    assert replay.status == "done"
    assert not any(finding["code"].startswith("live_") for finding in replay.findings)


@pytest.mark.usefixtures("worker")
def test_what_a_dead_process_left_behind_is_handed_in_once(visitor: Visitor, outage: Outage, on_disk: OnDisk) -> None:
    async def play() -> None:
        async with SoloPlayer(visitor, BEGINNER) as first, SoloPlayer(GUEST, BEGINNER) as second:
            await begun(first)
            await registry_of_loop().write_once()
            await begun(second)
            outage.away = True
            for player in (first, second):
                await lose(player)
                await player.wait_for(wire.Over)
            await until(lambda: on_disk.read().count(b"\n") == 2, "both games on disk")

    run(play)
    assert [row.state for row in LiveGame.objects.all()] == ["playing"]
    ending._adopt()
    assert on_disk.read(), "its process lives: nobody takes its games"
    kept = on_disk.read()
    on_disk.games.close()
    # Two processes that start at the same time, and a third after them.
    both = [threading.Thread(target=_adopt_in_thread) for _ in range(2)]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    ending._adopt()
    assert not on_disk.read()
    check_handed_in(visitor)
    # The process died behind the last of them, before it could empty the file.
    (on_disk.folder / "again.games").write_bytes(kept)
    ending._adopt()
    check_handed_in(visitor)


def _adopt_in_thread() -> None:
    try:
        ending._adopt()
    finally:
        connection.close()


def check_handed_in(visitor: Visitor) -> None:
    replay = Replay.objects.get()
    rows = LiveGame.objects.order_by("created_at")
    assert [(row.user_id, row.state, row.result) for row in rows] == [
        (visitor.user_id, "over", "lost"), (None, "over", "lost"),
    ]  # fmt: skip
    assert rows[0].replay == replay
    assert replay.uploader_id == visitor.user_id
    assert not any(finding["code"].startswith("live_") for finding in replay.findings)


def test_a_game_is_the_same_on_disk(
    visitor: Visitor, outage: Outage, on_disk: OnDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every column, to the microsecond, and the file under the name of the player."""
    ends: list[unsaved.EndedGame] = []
    keep = ending.write_to_disk

    async def play() -> None:
        async with SoloPlayer(visitor, BEGINNER) as player:
            await begun(player)
            outage.away = True
            await lose(player)
            await player.wait_for(wire.Over)
            await until(on_disk.read, "the game on disk")
            outage.away = False
            await player.wait_for(wire.Stored)

    def remembering(*args: Any) -> unsaved.EndedGame:
        ends.append(keep(*args))
        line = ends[-1].line()
        again = unsaved.EndedGame.of_line(line)
        assert (again.holder, again.data, again.line()) == (ends[-1].holder, ends[-1].data, line)
        for field in LiveGame._meta.concrete_fields:
            value = getattr(ends[-1].row, field.attname)
            read = getattr(again.row, field.attname)
            assert (bytes(read) if isinstance(read, memoryview) else read) == value, field.attname
        fresh, reread = ends[-1], ending._recording(again, "Somebody else")
        assert fresh.recording is not None
        assert reread is not None
        assert rawvf.write(reread) == rawvf.write(
            replace(fresh.recording, player="Somebody else", player_bytes=b"Somebody else")
        )
        return ends[-1]

    monkeypatch.setattr(ending, "write_to_disk", remembering)
    run(play)
    assert len(ends) == 1
    assert not on_disk.read(), "the database has it"


def test_the_player_is_told_of_the_end_when_it_is_on_disk(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    """And of the next game behind it, however quickly that is asked for."""
    keep, send, order = ending.write_to_disk, solo_consumer.SoloConsumer.send_now, list[str]()

    def kept(*args: Any) -> unsaved.EndedGame:
        time.sleep(0.2)
        try:
            return keep(*args)
        finally:
            order.append("disk")

    def send_now(self: solo_consumer.SoloConsumer, message: wire.Message | bytes) -> bool:
        if isinstance(message, wire.Over | wire.Game):
            order.append(type(message).__name__)
        return send(self, message)

    async def play() -> None:
        async with SoloPlayer(visitor, BEGINNER) as player:
            await begun(player)
            await lose(player)
            await player.say(wire.New(16, 0))
            await player.wait_for(wire.Game)

    monkeypatch.setattr(ending, "write_to_disk", kept)
    monkeypatch.setattr(solo_consumer.SoloConsumer, "send_now", send_now)
    run(play)
    assert order == ["Game", "disk", "Over", "Game"]


def test_the_file_is_bounded_and_torn_lines_cost_one_game(
    visitor: Visitor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    row = LiveGame(user_id=visitor.user_id, level="expert", rows=16, columns=30, mines=99, secret=b"s", nonce=b"",
                   created_at=timezone.now(), cell_px=16)  # fmt: skip
    game = unsaved.EndedGame(row, "holder", b"data")
    size = len(game.line())
    monkeypatch.setattr(unsaved, "MAX_BYTES", 2 * size + 10)
    games = unsaved.UnsavedGames(tmp_path, "that")
    for _ in range(3):
        games.add(game)
    (path,) = tmp_path.iterdir()
    assert path.stat().st_size == 2 * size
    assert path.stat().st_mode & 0o777 == 0o600
    assert "in memory alone" in caplog.text
    games.remove()
    games.remove()
    assert path.stat().st_size == 2 * size, "one still waits"
    games.remove()
    assert path.stat().st_size == 0
    games.add(game)
    games.close()
    path.write_bytes(path.read_bytes() + game.line()[:-20])
    ((holder, left),) = unsaved.abandoned_games(tmp_path)
    assert (holder, [one.row.pk for one in left]) == ("that", [row.pk])
    assert "Line 2" in caplog.text
    assert not list(tmp_path.iterdir())


def test_what_a_dead_process_was_playing_is_interrupted(visitor: Visitor, on_disk: OnDisk) -> None:
    """When its player connects again, or the next process starts; not while it lives, however long it writes nothing."""

    async def play() -> list[str]:
        games, answers = registry_of_loop().games, list[str]()
        async with SoloPlayer(visitor, BEGINNER) as player:
            await begun(player)
            await registry_of_loop().write_once()
            name = player.game.game if player.game else b""
            (held,) = games.values()
            games.clear()  # it belongs to another process
            answers.append(await answer_to(name))
            assert held.id == (await LiveGame.objects.aget(state="playing")).pk
            on_disk.games.close()  # which dies
            answers.append(await answer_to(name))
            await asyncio.sleep(0.5)
            answers.append(await answer_to(name))
            player.socket.future.cancel()
        return answers

    async def answer_to(name: bytes) -> str:
        async with SoloPlayer(visitor, BEGINNER, game=name) as again:
            return (await again.wait_for(wire.Error)).code

    assert run(play) == ["elsewhere", "elsewhere", "no_game"]
    game = LiveGame.objects.get()
    assert (game.state, game.result, game.reason) == ("abandoned", "", "interrupted")
    assert not list(on_disk.folder.iterdir())


def test_games_of_a_machine_that_never_came_back_are_interrupted_a_day_later() -> None:
    old, new = (live_game(state="playing", holder="gone") for _game in range(2))
    LiveGame.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=2))
    assert services.interrupt_forgotten() == 1
    assert LiveGame.objects.get(state="playing") == new


@pytest.mark.usefixtures("on_disk")
def test_running_games_are_written_while_others_are_handed_in(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind an outage thousands may wait."""
    order: list[str] = []

    async def save(_game: object) -> None:
        await asyncio.sleep(0.005)
        order.append("ended")

    async def write_once(_self: registry.Registry) -> None:
        order.append("running")

    monkeypatch.setattr(registry, "WRITE_SECONDS", 0.02)
    monkeypatch.setattr(registry.Registry, "write_once", write_once)
    monkeypatch.setattr(ending, "save", save)

    async def play() -> None:
        held = registry_of_loop()
        row = LiveGame(user_id=visitor.user_id)
        held._unsaved.extend(unsaved.EndedGame(row, "") for _ in range(200))
        held._keep_writing()
        await until(lambda: not held._unsaved, "all of them")

    run(play)
    assert order.count("ended") == 200
    assert order.count("running") > 3


# --- L7: the writing task ----------------------------------------------------------------------------------------------


def test_the_writing_task_goes_on_after_any_error(
    visitor: Visitor, outage: Outage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    once = registry.Registry.write_once
    failed: list[int] = []
    written: list[int] = []

    async def fails_at_first(self: registry.Registry) -> None:
        if len(failed) < 3:
            failed.append(1)
            raise RuntimeError("a fault of ours")
        await once(self)
        written.append(1)

    monkeypatch.setattr(registry.Registry, "write_once", fails_at_first)

    async def play() -> None:
        async with SoloPlayer(visitor, BEGINNER) as player:
            await begun(player)
            await until(lambda: written, "the row")

    run(play)
    assert "a fault of ours" in caplog.text
    assert LiveGame.objects.get().state == "playing"


@pytest.mark.long(
    beside="tests/replays/play/solo/test_durability.py::test_a_decided_game_waits_for_the_database_however_long_it_is_away"
)
def test_a_game_that_is_decided_while_its_socket_is_away_is_finished(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A board without guesses is found after the socket was lost, and what was clicked before opens a mine."""
    find, found = Searches.find, asyncio.Event()

    async def waits(*args: Any) -> int:
        attempt = await find(*args)
        await found.wait()
        return attempt

    monkeypatch.setattr(Searches, "find", waits)

    async def play() -> None:
        async with SoloPlayer(visitor, NO_GUESS) as player:
            await player.begin()
            for cell in range(64):
                await player.click(cell, 8)
                if cell % 20 == 0:
                    await asyncio.sleep(1)  # no more buttons than hands press
            await until(lambda: [game.seq for game in registry_of_loop().games.values()] == [64], "all clicks")
        found.set()
        await until(lambda: not registry_of_loop().games, "the end of the game")

    run(play)
    game = LiveGame.objects.get()
    assert (game.state, game.result) == ("over", "lost")
    assert game.recording or game.replay


# --- L5: accounts that are closed --------------------------------------------------------------------------------------


def _deactivate(user_id: Any, *, active: bool = False) -> None:
    User.objects.filter(pk=user_id).update(is_active=active)


def test_a_deactivated_account_plays_no_game_to_its_end(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closed_accounts, "CHECK_SECONDS", 0.05)

    async def play() -> int:
        async with SoloPlayer(visitor, BEGINNER) as player, SoloPlayer(GUEST, BEGINNER) as other:
            await begun(player)
            await begun(other)
            await database.run(_deactivate, visitor.user_id)
            code = await player.close_code()
            async with SoloPlayer(visitor, BEGINNER) as again:
                assert await again.close_code() == 4403
            await other.flag(40, 8)
            await other.wait_for(wire.Faces)
            return code

    assert run(play) == 4403
    assert not Replay.objects.exists()


@pytest.mark.usefixtures("worker")
def test_what_a_deactivated_account_decided_becomes_no_replay(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits, and does not hold up the games of others, until the account is opened again."""
    monkeypatch.setattr(closed_accounts, "CHECK_SECONDS", 60.0)  # the socket stays open
    monkeypatch.setattr("replays.play.solo.playing.outcomes._PATIENCE_SECONDS", 0.5)

    async def play() -> tuple[wire.Over, wire.Stored]:
        async with SoloPlayer(visitor, BEGINNER) as player:
            await begun(player)
            await database.run(_deactivate, visitor.user_id)
            await lose(player)
            return await player.wait_for(wire.Over), await player.wait_for(wire.Stored)

    over, stored = run(play)
    assert (over.result, stored.replay) == (wire.Result.LOST, 0)
    LiveGame.objects.update(ended_at=timezone.now() - timedelta(minutes=1))
    assert services.store_missing() == 0
    assert not Replay.objects.exists()
    _deactivate(visitor.user_id, active=True)
    assert services.store_missing() == 1
    assert Replay.objects.get().uploader_id == visitor.user_id
