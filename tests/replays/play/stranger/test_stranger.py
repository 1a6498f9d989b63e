"""The stranger plays: what the document promises is what the site does."""

from __future__ import annotations

import asyncio
import itertools
import random
import secrets
from collections.abc import Coroutine
from typing import Any
from urllib.error import HTTPError

import pytest
from websockets.exceptions import InvalidStatus

from tests.replays.play.stranger import wire
from tests.replays.play.stranger.board import CLOSED, FLAG, MINE, around, bits, commitment, deduce
from tests.replays.play.stranger.client import (
    GIVEN_UP,
    LEFT,
    LEFT_UP,
    LOST,
    MIDDLE,
    MIDDLE_UP,
    RIGHT,
    RIGHT_UP,
    WON,
    InRoom,
    Line,
    Refused,
    Site,
    Solo,
)
from tests.replays.play.stranger.wire import Closed, Error, Event, Game, Over, Ping

SECONDS = 60


def run(play: Coroutine[Any, Any, None]) -> None:
    """Play for a minute at most."""

    async def within() -> None:
        try:
            async with asyncio.timeout(SECONDS):
                await play
        finally:
            await Line.close_all()

    asyncio.run(within())


async def playing(site: Site, **shape: str | int) -> Solo:
    """Return a player of a new game."""
    player = Solo(site, **shape)
    await player.connect()
    await player.begin()
    return player


async def opened(site: Site) -> Solo:
    """Return a player of a game that goes on after its first click."""
    player = await playing(site, level="intermediate", rules="win7")
    assert player.game
    await player.click(player.game.columns * 3 + 3)
    assert player.over is None
    return player


async def hear_nothing(message: wire.Message) -> None:
    """Pass over a message."""


# --- whole games ------------------------------------------------------------------------------------------------------


def test_wins_on_the_board_that_was_promised(address: str) -> None:
    async def play() -> None:
        for _ in range(8):
            player = await playing(Site(address), level="custom", rows=10, columns=12, mines=4, rules="win7")
            over = await player.play()
            assert (over.result, over.ranked, over.reason) in {(WON, False, "custom"), (LOST, False, "custom")}
            assert player.honest()
            assert over.bv_done <= over.bv
            stored = await player.line.expect(wire.Stored)
            assert player.game
            assert (stored.game, stored.replay) == (player.game.game, 0)
            await player.line.close()
            if over.result == WON:
                assert over.bv_done == over.bv
                assert {cell for cell, face in enumerate(player.faces) if face > MINE} == bits(over.mines)
                return
        pytest.fail("lost eight easy games")

    run(play())


def test_loses_two_games_on_one_socket(address: str) -> None:
    async def play() -> None:
        player = await playing(Site(address), level="custom", rows=10, columns=12, mines=100, rules="xp")
        first = player.game
        for again in (False, True):
            if again:
                await player.begin(cell_px=24, settings=4)
                assert player.game != first
            over = await player.play()
            assert over.result == LOST
            assert player.honest()

    run(play())


def test_plays_as_an_account(address: str, token: str) -> None:
    async def play() -> None:
        player = await playing(Site(address, token), level="beginner")
        over = await player.play()
        assert (over.ranked, over.reason) in {(True, ""), (False, "clock")}  # messages wait on a busy machine
        assert player.honest()
        stored = await player.line.expect(wire.Stored, within=SECONDS)
        assert stored.replay
        assert stored.url

    run(play())


def test_flags_and_chords(address: str) -> None:
    async def play() -> None:
        player = await opened(Site(address))
        for _ in range(8):
            if await chorded(player):
                await player.line.close()
                return
            await player.begin()
            assert player.game
            await player.click(player.game.columns * 3 + 3)
        pytest.fail("no place for a chord")

    run(play())


async def chorded(player: Solo) -> bool:
    """Flag what is certainly mined around a number, and open the rest by a chord; tell whether there was such a place."""
    assert player.game
    shape = player.game.rows, player.game.columns
    mines = deduce(player.faces, *shape)[1]
    for cell, face in enumerate(player.faces):
        near = {n for n in around(cell, *shape) if player.faces[n] == CLOSED}
        if not (0 < face < MINE and len(mines & near) == face and near > mines & near):
            continue
        one, *others = sorted(mines & near)
        for expected in (FLAG, CLOSED, FLAG):
            await player.act(one, RIGHT, RIGHT_UP)
            assert player.faces[one] == expected
        await player.click(one)
        assert player.faces[one] == FLAG
        for other in others:
            await player.act(other, RIGHT, RIGHT_UP)
        ways = [(MIDDLE, MIDDLE_UP), (LEFT, RIGHT, LEFT_UP, RIGHT_UP), (13, LEFT_UP)]
        await player.act(cell, *random.choice(ways))
        assert player.over is None
        assert all(player.faces[n] < MINE for n in near - mines)
        return True
    return False


def test_gives_up_before_and_after_the_first_click(address: str) -> None:
    async def play() -> None:
        player = await playing(Site(address), level="beginner")
        await player.line.send(wire.Leave())
        over = await player.line.expect(Over)
        assert (over.result, over.reason, over.bv, over.mines) == (GIVEN_UP, "given_up", 0, b"")
        assert player.game
        assert commitment(player.game.game, over.secret) == player.game.commit
        await player.begin()
        await player.click(20)
        if player.over is None:
            await player.line.send(wire.Leave())
            await player.line.expect(Over)
        assert player.honest()
        while (told := await asyncio.to_thread(told_of, player))["state"] == "playing":
            await asyncio.sleep(0.1)
        assert player.over
        proof = told["provenance"]
        assert (proof["secret"], proof["first_cell"]) == (player.over.secret.hex(), player.first)

    run(play())


def told_of(player: Solo) -> dict[str, Any]:
    """Return what anybody is told of a game that has ended; it is stored some time after ``Over``."""
    assert player.game
    try:
        return Site(player.site.base).ended(player.game.game)
    except HTTPError:
        return {"state": "playing"}


# --- connections ------------------------------------------------------------------------------------------------------


def test_goes_on_after_a_lost_connection(address: str) -> None:
    async def play() -> None:
        player = await opened(Site(address))
        before = list(player.faces)
        player.line.drop()
        await player.line.expect(Closed)
        cell = before.index(CLOSED)
        player.input(cell, RIGHT, RIGHT_UP)  # lost with the connection
        await player.resume()
        assert player.game
        assert (player.game.resumed, player.game.last_seq) == (True, 1)
        await player.settle()
        assert player.faces[cell] == FLAG
        assert player.faces[:cell] == before[:cell]
        await player.line.send(wire.Resync())
        assert (await player.line.expect(Game)).last_seq == 2
        assert player.faces[cell] == FLAG
        old = player.line
        await player.resume()  # a second socket, while the first is open
        assert (await old.expect(Closed)).code == 4409
        await player.line.send(wire.Leave())
        await player.line.expect(Over)
        assert player.honest()

    run(play())


def test_games_that_cannot_go_on(address: str) -> None:
    async def play() -> None:
        site = Site(address)
        player = await playing(site, level="beginner")
        assert player.game
        untouched = player.game.game
        await player.line.close()
        for game in (secrets.token_bytes(16), untouched):
            await player.connect(game)
            error = await player.line.expect(Error, Game)
            assert isinstance(error, Error)
            assert (error.code, error.fatal) == ("no_game", False)
            await player.begin()
            await player.line.close()
        thief, mine = Solo(Site(address), level="beginner"), await opened(site)
        thief.game = mine.game
        with pytest.raises(Refused, match="no_game"):
            await thief.resume()

    run(play())


def test_tickets(address: str) -> None:
    async def play() -> None:
        site = Site(address)
        ticket = site.ticket(purpose="solo", level="beginner")
        assert (ticket["protocol"], ticket["socket"]) == ("sweepbook.play.1", "/ws/play/solo/")
        for text, code in ((ticket["ticket"], ""), (ticket["ticket"], "ticket_used"), ("x", "ticket_bad")):
            line = await Line.open(site, ticket["socket"], hear_nothing)
            await line.send(wire.Hello(text, 0, 0, b""))
            if code:
                assert (await line.expect(Error)).code == code
                assert (await line.expect(Closed)).code == 4401
            else:
                await line.expect(Ping)
                await line.close()
        with pytest.raises(InvalidStatus) as refused:
            await Line.open(site, ticket["socket"], hear_nothing, origin="https://other.example")
        assert refused.value.response.status_code == 403

    run(play())


# --- what the site does not take --------------------------------------------------------------------------------------


def test_what_ends_a_game_but_not_the_connection(address: str) -> None:
    async def play() -> None:
        for reason in ("future", "sequence", "point", "too_many_buttons"):
            player = await opened(Site(address))
            await player.line.send(wrong(player, reason))
            over = await player.line.expect(Over)
            assert (over.result, over.reason, over.ranked) == (GIVEN_UP, reason, False)
            assert player.honest()
            await player.begin()

    run(play())


def wrong(player: Solo, reason: str) -> wire.Input:
    """Return an ``Input`` that ends the game for ``reason``."""
    if reason == "future":
        return player.input(0, RIGHT, RIGHT_UP, ahead_ms=5000)
    if reason == "sequence":
        player.input(0, RIGHT, RIGHT_UP)
        return player.input(0, RIGHT, RIGHT_UP)
    if reason == "point":
        return wire.Input(2, (Event(0, 1, 40000, 0),))
    return player.input(0, *itertools.chain(*[(RIGHT, RIGHT_UP)] * 40))


def test_what_closes_the_connection(address: str) -> None:
    async def play() -> None:
        site = Site(address)
        frames: list[tuple[bytes | str, str]] = [
            (b"\x13\xff", "bad_message"),
            (b"\x13\x02\x01\x00\x63\x00\x00", "bad_message"),
            (b"", "bad_message"),
            ("text", "bad_message"),
            (b"\x70", "bad_message"),
            (wire.encode(wire.Hello("t", 0, 0, b"")), "not_now"),
            (wire.encode(wire.Start(bytes(16))), "not_now"),
            (wire.encode(wire.Open(1, 1, 1)), "not_now"),
        ]
        for frame, code in frames:
            player = await playing(site, level="beginner")
            await player.line.socket.send(frame)
            told = await player.line.expect(Error, Over)
            assert isinstance(told, Error), frame
            assert (told.fatal, told.code) == (True, code)
            assert (await player.line.expect(Closed)).code == 4400

    run(play())


# --- rooms ------------------------------------------------------------------------------------------------------------


def test_a_sealed_room(address_with_rooms: str) -> None:
    async def play() -> None:
        site = Site(address_with_rooms)
        slug = site.make_room(name="Stranger", rows=20, columns=30)
        player, watcher = InRoom(site, slug), InRoom(Site(address_with_rooms), slug)
        await watcher.join()
        await player.join()
        cells = random.sample(range(600), 6)
        for cell in cells:
            was_closed, before = player.faces[cell] == CLOSED, player.newest
            answer = await player.act(wire.Open, cell)
            assert (answer.epoch, answer.stamp > before) == (player.epoch, was_closed)
            assert answer.result in ((1, 2) if was_closed else (3,))
            assert player.faces[cell] != CLOSED
            assert (player.faces[cell] == MINE) >= (answer.result == 2)
        assert player.you
        assert (await player.act(wire.Open, cells[0])).result == 3
        assert (await player.act(wire.Open, 600)).result == 4
        late = wire.Open(player.own + 1, player.faces.index(CLOSED), player.epoch + 1)
        player.own += 1
        await player.line.send(late)
        answer = await player.line.expect(wire.Answer)
        assert (answer.epoch, answer.result) == (late.epoch, 6)
        flag = player.faces.index(CLOSED)
        for expected, kind, result in ((FLAG, wire.Flag, 1), (FLAG, wire.Open, 8), (CLOSED, wire.Flag, 1)):
            assert (await player.act(kind, flag)).result == result
            assert player.faces[flag] == expected
        while watcher.newest < player.newest:
            await watcher.line.expect(wire.Moves)
        assert (watcher.faces, watcher.you) == (player.faces, 0)
        player.line.drop()
        await player.join()
        assert player.you
        assert player.faces == watcher.faces
        assert (await player.act(wire.Open, flag)).result in (1, 2)
        await player.line.send(wire.Cursor(100, 100))
        assert player.you in {row.player for row in (await watcher.line.expect(wire.Cursors)).cursors}

    run(play())


@pytest.mark.long(beside="tests/replays/play/stranger/test_stranger.py::test_plays_as_an_account")
def test_an_open_room_until_the_next_board(address_with_rooms: str) -> None:
    async def play() -> None:
        site = Site(address_with_rooms)
        board = {"rows": 12, "columns": 14, "area": 6, "area_mines": 4}
        slug = site.make_room(name="Open", sealed=False, next_board="at-once", **board)
        player, watcher = InRoom(site, slug), InRoom(Site(address_with_rooms), slug)
        await player.join()
        first = player.epoch
        assert (await player.act(wire.Flag, 0)).result == 5
        assert player.you == 0
        cells = random.sample(range(168), 168)
        for cell in cells[:12]:  # mines too
            was_closed = player.faces[cell] == CLOSED
            answer = await player.act(wire.Open, cell)
            assert (answer.stamp > 0) == was_closed
        await watcher.join()  # from the history
        assert watcher.faces == player.faces
        for cell in sorted(set(cells) - player.mines):
            if player.epoch == first and player.faces[cell] == CLOSED:
                assert (await player.act(wire.Open, cell)).result == 1
                await asyncio.sleep(0.04)  # a player may make 20 moves a second in the long run
        finished = await watcher.line.expect(wire.Finished)
        assert finished.epoch == first
        assert finished.next_in_ms > 0
        await watcher.line.expect(wire.Room)
        await watcher.line.expect(wire.Players)
        assert watcher.epoch > first
        assert set(watcher.faces) == {CLOSED}

    run(play())
