"""The order of messages, and what a client may not do."""

from __future__ import annotations

import asyncio
import uuid
from functools import partial
from hashlib import sha256
from typing import Any

import pytest

from analysis import fair
from analysis.fair import Rules
from analysis.recording import Kind
from analysis.solver.boards import needs_no_guess
from players.models import BoardCount, User
from replays.play import wire
from replays.play.models import LiveGame
from replays.play.sockets.visitors import Visitor
from replays.play.solo import solo_consumer
from replays.play.solo.playing import database
from replays.play.solo.playing.no_guess import Searches
from replays.play.solo.playing.registry import registry_of_loop
from tests.replays.play.solo.conftest import GUEST
from tests.replays.play.solo.player import NONCE, Row, SoloPlayer, click_rows, run

pytestmark = pytest.mark.django_db(transaction=True)

MIDDLE = 8 * 30 + 15


def kinds(player: SoloPlayer) -> list[str]:
    return [type(message).__name__ for message in player.heard]


def test_the_commitment_comes_before_the_board_can_depend_on_anything() -> None:
    async def play() -> tuple[SoloPlayer, wire.Over]:
        async with SoloPlayer(GUEST) as player:
            game = await player.begin()
            held = registry_of_loop().games[uuid.UUID(bytes=game.game)]
            assert held.machine.board is None
            assert held.first_cell is None
            await player.click(MIDDLE)
            await player.wait_for(wire.Faces)
            await player.say(wire.Leave())
            return player, await player.wait_for(wire.Over)

    player, over = run(play)
    assert kinds(player) == ["Game", "Faces", "Over"]
    game = player.game
    assert game is not None
    name = str(uuid.UUID(bytes=game.game))
    assert game.commit == sha256(b"sweepbook commit-1\0" + name.encode() + b"\0" + over.secret).digest()
    board = fair.board(over.secret, NONCE, 16, 30, 99, Rules.XP, MIDDLE)
    assert over.mines == board.packed()
    assert (over.nonce, over.attempt) == (NONCE, 0)
    shown = dict.fromkeys(player.shown, board)
    assert MIDDLE in shown
    assert not board.mines.ravel()[list(player.shown)].any()


def test_the_nonce_of_the_browser_changes_the_board() -> None:
    async def play(nonce: bytes) -> wire.Over:
        async with SoloPlayer(GUEST) as player:
            await player.begin(nonce=nonce)
            await player.click(MIDDLE)
            await player.say(wire.Leave())
            return await player.wait_for(wire.Over)

    for nonce in (bytes(16), bytes(range(100, 116))):
        over = run(partial(play, nonce))
        assert over.mines == fair.board(over.secret, nonce, 16, 30, 99, Rules.XP, MIDDLE).packed()


@pytest.mark.parametrize(
    "messages",
    [
        [wire.New(16, 0), wire.Input(1, (wire.Event(0, Kind.LEFT_PRESS, 1, 1),))],
        [wire.New(16, 0), wire.Start(NONCE), wire.Start(bytes(16))],
        [wire.Open(1, 1)],
        [wire.New(16, 0), wire.Start(NONCE), wire.Chord(1, 3)],
    ],
    ids=["input before start", "two starts", "a message of rooms", "a chord of rooms"],
)
def test_what_no_page_sends_closes_the_socket(messages: list[wire.Message]) -> None:
    async def play() -> int:
        async with SoloPlayer(GUEST) as player:
            for message in messages:
                await player.say(message)
            return await player.close_code()

    assert run(play) == 4400


def test_bytes_that_are_no_message_end_the_game(visitor: Visitor) -> None:
    async def play() -> None:
        async with SoloPlayer(visitor) as player:
            await player.begin()
            await player.click(MIDDLE)
            await player.wait_for(wire.Faces)
            await player.socket.send_input({"type": "websocket.receive", "bytes": b"\xff"})
            assert await player.close_code() == 4400

    run(play)
    game = LiveGame.objects.get()
    assert (game.state, game.reason, game.replay_id) == ("abandoned", "format", None)


def refusal(rows_after_the_first: list[list[Row]], *, skip: bool = False) -> wire.Over:
    async def play() -> wire.Over:
        async with SoloPlayer(GUEST) as player:
            await player.begin()
            await player.click(MIDDLE, at_ms=0)
            await player.wait_for(wire.Faces)
            if skip:
                next(player.seq)
            for rows in rows_after_the_first:
                await player.send(rows)
            return await player.wait_for(wire.Over)

    return run(play)


def test_lies_about_time_end_the_game() -> None:
    assert refusal([click_rows(0, 30, 60_000)]).reason == "future"
    presses: list[Row] = [row for at in range(40) for row in click_rows(0, 30, at // 10)]
    assert refusal([presses]).reason == "too_many_buttons"
    moves: list[Row] = [(1, 10 + at % 100, 10, Kind.MOVE) for at in range(2_100)]
    assert refusal([moves[:1_100], moves[1_100:]]).reason == "too_many_moves"
    assert refusal([[(1, 40_000, 0, Kind.MOVE)]]).reason == "point"


def test_a_missing_message_ends_the_game_and_a_repeated_one_does_not() -> None:
    assert refusal([click_rows(0, 30, 5)], skip=True).reason == "sequence"

    async def twice() -> tuple[wire.Faces, int]:
        async with SoloPlayer(GUEST) as player:
            await player.begin()
            x, y = 15 * 16 + 8, 8 * 16 + 8
            first = wire.Input(
                1,
                (
                    wire.Event(0, Kind.MOVE, x, y),
                    wire.Event(0, Kind.LEFT_PRESS, 0, 0),
                    wire.Event(0, Kind.LEFT_RELEASE, 0, 0),
                ),
            )
            await player.say(first)
            await player.wait_for(wire.Faces)
            await player.say(first)
            await player.say(
                wire.Input(2, (wire.Event(0, Kind.RIGHT_PRESS, 0, 0), wire.Event(0, Kind.RIGHT_RELEASE, 0, 0)))
            )
            answer = await player.wait_for(wire.Faces)
            (game,) = registry_of_loop().games.values()
            return answer, game.machine.counts.lcl

    answer, clicks = run(twice)
    assert answer.seq == 2, "what is passed over is not answered"
    assert clicks == 1


def test_nothing_in_a_message_names_a_player_or_a_game(visitor: Visitor, other_player: User) -> None:
    """The game of an account cannot be taken by its name alone: HELLO of another account gets no game."""

    async def play() -> tuple[str, str]:
        async with SoloPlayer(visitor) as player:
            game = await player.begin()
            await player.click(MIDDLE)
            await player.wait_for(wire.Faces)
            thief = Visitor(other_player.pk, "", other_player.username)
            answers = []
            for stranger in (thief, GUEST):
                async with SoloPlayer(stranger, game=game.game) as other:
                    answer = await other.wait_for(wire.Error)
                    answers.append(answer.code)
                    await other.say(wire.Input(2, (wire.Event(1, Kind.MOVE, 1, 1),)))
                    await other.say(wire.Leave())
            await player.click(0)
            await player.wait_for(wire.Faces)
            return answers[0], answers[1]

    assert run(play) == ("no_game", "no_game")


def test_a_new_game_gives_the_running_one_up(visitor: Visitor) -> None:
    async def play() -> tuple[wire.Game, wire.Game]:
        async with SoloPlayer(visitor) as player:
            first = await player.begin()
            await player.click(MIDDLE)
            await player.wait_for(wire.Faces)
            return first, await player.begin()

    first, second = run(play)
    assert first.game != second.game
    assert first.commit != second.commit
    given_up = LiveGame.objects.get()
    assert given_up.id.bytes == first.game
    assert (given_up.state, given_up.result, given_up.reason) == ("abandoned", "", "given_up")


def test_a_game_in_which_nothing_was_opened_leaves_no_trace(visitor: Visitor) -> None:
    async def play() -> None:
        async with SoloPlayer(visitor) as player:
            await player.begin()
            await player.send([(0, 8, 8, Kind.RIGHT_PRESS), (0, 8, 8, Kind.RIGHT_RELEASE)])
            await player.begin()
            await player.say(wire.Leave())
            await player.wait_for(wire.Over)

    run(play)
    assert not LiveGame.objects.exists()


def test_events_behind_the_end_are_passed_over(visitor: Visitor) -> None:
    async def play() -> SoloPlayer:
        async with SoloPlayer(visitor) as player:
            await player.begin()
            await player.click(MIDDLE)
            await player.wait_for(wire.Faces)
            (game,) = registry_of_loop().games.values()
            mine = int(game.board().mines.ravel().argmax())
            await player.click(mine)
            over = await player.wait_for(wire.Over)
            assert over.result == wire.Result.LOST
            await player.click(0)
            await player.begin()
            return player

    player = run(play)
    assert kinds(player).count("Over") == 1


# --- reconnecting -----------------------------------------------------------------------------------------------------


def test_a_game_goes_on_after_the_socket_was_lost(visitor: Visitor) -> None:
    async def play() -> tuple[wire.Game, dict[int, int]]:
        async with SoloPlayer(visitor) as player:
            game = await player.begin()
            await player.click(MIDDLE)
            await player.wait_for(wire.Faces)
            shown = dict(player.shown)
        await asyncio.sleep(0.05)
        async with SoloPlayer(visitor, game=game.game) as again:
            resumed = await again.wait_for(wire.Game)
            again.seq, again._last, again.began = player.seq, player._last, player.began
            await again.flag(0)
            await again.wait_for(wire.Faces)
            (held,) = registry_of_loop().games.values()
            assert held.reason == ""  # it may still rank
            return resumed, shown

    resumed, shown = run(play)
    assert resumed.resumed
    assert resumed.last_seq == 1
    assert resumed.elapsed_ms >= 50
    faces = wire.unpack(resumed.shown, 480)
    assert {cell: face for cell, face in enumerate(faces) if face != wire.FACE_CLOSED} == shown


def test_the_newer_of_two_sockets_has_the_game(visitor: Visitor) -> None:
    async def play() -> int:
        async with SoloPlayer(visitor) as player:
            game = await player.begin()
            await player.click(MIDDLE)
            await player.wait_for(wire.Faces)
            async with SoloPlayer(visitor, game=game.game) as newer:
                assert (await newer.wait_for(wire.Game)).resumed
                code = await player.close_code()
                (held,) = registry_of_loop().games.values()
                assert held.connection is not None
                await newer.say(wire.Leave())
                assert (await newer.wait_for(wire.Over)).reason == "given_up"
                return code

    assert run(play) == 4409


def test_who_does_not_come_back_has_given_up(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.play.solo.playing.registry.GRACE_SECONDS", 0.2)

    async def play() -> None:
        async with SoloPlayer(visitor) as player:
            game = await player.begin()
            await player.click(MIDDLE)
            await player.wait_for(wire.Faces)
        await asyncio.sleep(0.1)
        assert registry_of_loop().games
        await asyncio.sleep(0.3)
        assert not registry_of_loop().games
        await registry_of_loop().settle()
        async with SoloPlayer(visitor, game=game.game) as late:
            assert (await late.wait_for(wire.Error)).code == "no_game"

    run(play)
    game = LiveGame.objects.get()
    assert (game.state, game.reason) == ("abandoned", "disconnected")


def test_another_process_sends_the_client_to_the_one_that_has_the_game(visitor: Visitor) -> None:
    async def play() -> tuple[int, str, wire.Game]:
        games = registry_of_loop().games
        async with SoloPlayer(visitor) as player:
            game = await player.begin()
            await player.click(MIDDLE)
            await player.wait_for(wire.Faces)
            await registry_of_loop().write_once()
            held = games.pop(uuid.UUID(bytes=game.game))
            async with SoloPlayer(visitor, game=game.game) as again:
                code = await again.close_code()
                error = next(one.code for one in again.heard if isinstance(one, wire.Error))
            async with SoloPlayer(GUEST, game=game.game) as stranger:
                assert (await stranger.wait_for(wire.Error)).code == "no_game"
            games[held.id] = held
            async with SoloPlayer(visitor, game=game.game) as again:
                return code, error, await again.wait_for(wire.Game)

    code, error, resumed = run(play)
    assert (code, error) == (1012, "elsewhere")
    assert resumed.resumed
    assert LiveGame.objects.get().reason == ""


def test_a_game_is_stored_once_and_not_by_clicks(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.play.solo.playing.registry.WRITE_SECONDS", 60)

    async def play() -> None:
        async with SoloPlayer(visitor) as player:
            await player.begin()
            await player.click(MIDDLE)
            await player.wait_for(wire.Faces)
            assert not await database.run(LiveGame.objects.exists)
            await registry_of_loop().write_once()
            assert await database.run(LiveGame.objects.exists)
            await player.flag(0)
            await player.wait_for(wire.Faces)
            monkeypatch.setattr(database, "run", None)
            await registry_of_loop().write_once()
            monkeypatch.undo()

    run(play)


# --- the end of the server --------------------------------------------------------------------------------------------


def test_a_running_game_outlasts_its_server(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is played to its end and can rank; there is no next one."""
    monkeypatch.setattr(solo_consumer, "_LAST_WORD_SECONDS", 0.1)

    async def play() -> tuple[wire.Over, int]:
        async with SoloPlayer(visitor, {"level": "beginner", "rules": "xp"}) as player:
            await player.begin()
            assert not player.server_end.outlasts(60), "nothing was opened"
            await player.click(0, 8)
            await player.wait_for(wire.Faces)
            assert player.server_end.outlasts(60)
            (game,) = registry_of_loop().games.values()
            await player.win(game.board(), pause_ms=40)
            over = next((one for one in player.heard if isinstance(one, wire.Over)), None)
            if over is None:
                over = await player.wait_for(wire.Over)
            return over, await player.close_code()

    over, code = run(play)
    assert (over.result, over.ranked, over.reason, code) == (wire.Result.WON, True, "", 1012)


@pytest.mark.parametrize("leaves", [False, True])
def test_a_game_that_does_not_end_in_time_is_interrupted(visitor: Visitor, owner: User, leaves: bool) -> None:
    """After three minutes, or when its connection is lost, since nobody can connect to that process again."""

    async def play() -> None:
        async with SoloPlayer(visitor) as player:
            await player.begin()
            await player.click(MIDDLE)
            await player.wait_for(wire.Faces)
            assert player.server_end.outlasts(60 if leaves else 0.1)
            if not leaves:
                assert await player.close_code() == 1012
        assert not registry_of_loop().games

    run(play)
    game = LiveGame.objects.get()
    assert (game.state, game.result, game.reason) == ("abandoned", "", "interrupted")
    counts = BoardCount.objects.get(user=owner)
    assert (counts.left, counts.lost, counts.won) == (1, 0, 0)


def test_a_server_that_ends_begins_no_game(visitor: Visitor) -> None:
    async def play() -> int:
        async with SoloPlayer(visitor) as player:
            await player.begin()
            await player.click(MIDDLE)
            await player.wait_for(wire.Faces)
            assert player.server_end.outlasts(60)
            await player.say(wire.New(16, 0))
            return await player.close_code()

    assert run(play) == 1012
    assert LiveGame.objects.get().reason == "given_up"


# --- floods -----------------------------------------------------------------------------------------------------------


def test_a_flood_of_games_waits(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games beyond the burst are dealt as slowly as the limit says, and refused after a while."""
    monkeypatch.setattr("replays.play.solo.solo_consumer._MOST_WAIT_SECONDS", 0.15)
    monkeypatch.setattr("replays.play.solo.solo_consumer.GAMES_A_SECOND", 2)

    async def play() -> SoloPlayer:
        async with SoloPlayer(visitor) as player:
            for _ in range(6):
                await player.say(wire.New(16, 0))
            await player.wait_for(wire.Error)
            assert len(registry_of_loop().games) <= 6
            return player

    player = run(play)
    assert kinds(player)[:4] == ["Game"] * 4
    assert isinstance(player.heard[-1], wire.Error)
    assert player.heard[-1].code == "too_many_games"


def test_games_without_a_socket_do_not_pile_up(visitor: Visitor) -> None:
    async def play() -> int:
        for _ in range(6):
            async with SoloPlayer(visitor) as player:
                await player.begin()
                await player.click(MIDDLE)
                await player.wait_for(wire.Faces)
        return len(registry_of_loop().games)

    assert run(play) == 3


# --- boards that need no guess ----------------------------------------------------------------------------------------


def test_a_board_without_guesses_is_looked_for_while_the_socket_answers() -> None:
    async def play() -> tuple[SoloPlayer, wire.Over]:
        async with SoloPlayer(GUEST, {"level": "beginner", "rules": "no-guess"}) as player:
            await player.begin()
            await player.click(9, 8)
            await player.wait_for(wire.Faces, 60)
            await player.say(wire.Leave())
            return player, await player.wait_for(wire.Over)

    player, over = run(play)
    assert kinds(player)[1] == "Working"
    boards = (fair.board(over.secret, NONCE, 8, 8, 10, Rules.NO_GUESS, 9, attempt) for attempt in range(5_000))
    attempt, board = next(one for one in enumerate(boards) if needs_no_guess(one[1].mines.copy(), (1, 1)))
    assert (over.mines, over.attempt) == (board.packed(), attempt)


def test_no_time_counts_while_a_board_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page of the protocol says so of every time of the game; only the sum of ``dt_ms`` has the search in it."""
    find, wait_ms = Searches.find, 1_000

    async def slow(*args: Any) -> int:
        attempt: int = await find(*args)
        await asyncio.sleep(wait_ms / 1_000)
        return attempt

    monkeypatch.setattr(Searches, "find", slow)

    async def play() -> tuple[wire.Over, int]:
        async with SoloPlayer(GUEST, {"level": "beginner", "rules": "no-guess"}) as player:
            await player.begin()
            opened_ms = player.now_ms
            await player.click(9, 8)
            await player.wait_for(wire.Faces, 60)
            (game,) = registry_of_loop().games.values()
            assert game.machine.board is not None
            lost_ms = player.now_ms
            await player.click(int(game.machine.board.mines.ravel().argmax()), 8)
            return await player.wait_for(wire.Over), lost_ms - opened_ms

    over, span_ms = run(play)
    assert span_ms >= wait_ms
    assert max(over.client_ms, over.server_ms, over.time_ms) <= span_ms - wait_ms + 100


def test_a_board_that_is_not_found_ends_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.play.solo.playing.no_guess.MAX_SECONDS", 0.0)

    async def play() -> wire.Over:
        async with SoloPlayer(GUEST, {"level": "expert", "rules": "no-guess"}) as player:
            await player.begin()
            await player.click(MIDDLE)
            return await player.wait_for(wire.Over)

    over = run(play)
    assert (over.result, over.reason) == (wire.Result.GIVEN_UP, "no_board")
