"""Boards that were begun, left, lost and won are counted for each account, once each, and stay counted."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.db.models import Q
from django.test import Client
from django.utils import timezone

from players.models import BoardCount, User
from players.people.services import player_of_user
from players.profile.page.board_counts import EndedBoard, count_boards
from replays.play import wire
from replays.play.models import LiveGame
from replays.play.sockets.visitors import Visitor
from replays.play.solo import services
from replays.play.solo.playing import database, registry
from replays.play.solo.playing.registry import registry_of_loop
from replays.play.solo.services import UNKEPT_GAMES_DAYS, delete_unkept
from tests.replays.play.solo.conftest import GUEST
from tests.replays.play.solo.player import SoloPlayer, run
from tests.replays.play.solo.test_pages import live_game

pytestmark = pytest.mark.django_db(transaction=True)

BEGINNER = {"level": "beginner", "rules": "xp"}


def counts(user: User) -> dict[tuple[str, str], tuple[int, int, int, int]]:
    """Begun, left, lost and won by level and rules."""
    return {(row.level, row.rules): (row.begun, row.left, row.lost, row.won) for row in user.board_counts.all()}


async def leave(player: SoloPlayer) -> None:
    await player.begin()
    await player.click(0, 8)
    await player.wait_for(wire.Faces)


async def open_a_mine(player: SoloPlayer) -> None:
    (game,) = registry_of_loop().games.values()
    await player.click(int(game.board().mines.ravel().argmax()), 8)
    await player.wait_for(wire.Over)


async def open_the_rest(player: SoloPlayer) -> None:
    (game,) = registry_of_loop().games.values()
    await player.win(game.board(), pause_ms=40)
    if not isinstance(player.heard[-1], wire.Over):
        await player.wait_for(wire.Over)


async def lose(player: SoloPlayer) -> None:
    await leave(player)
    await open_a_mine(player)


async def win(player: SoloPlayer) -> None:
    await leave(player)
    await open_the_rest(player)


def play(visitor: Visitor, *games: Callable[[SoloPlayer], Awaitable[None]], target: dict[str, Any] = BEGINNER) -> None:
    async def work() -> None:
        async with SoloPlayer(visitor, target) as player:
            for game in games:
                await game(player)
            await player.begin()  # gives up the one before, and is not begun itself

    run(work)


def test_each_end_is_counted_for_the_account(visitor: Visitor, owner: User) -> None:
    play(visitor, leave, leave, lose, leave, win)
    play(visitor, leave, target={"level": "intermediate", "rules": "win7"})
    play(GUEST, leave, lose)
    assert counts(owner) == {("beginner", "xp"): (5, 3, 1, 1), ("intermediate", "win7"): (1, 1, 0, 0)}
    assert BoardCount.objects.count() == 2, "guests have no page, so nothing of them is counted"


def test_an_end_whose_write_was_not_confirmed_is_counted_once(
    visitor: Visitor, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    end, ends = services.game_end, []

    def loses_the_first_answer(*args: Any) -> bool:
        ends.append(end(*args))
        if len(ends) == 1:
            raise OperationalError("the server closed the connection")
        return ends[-1]

    async def lose_and_hear_of_it(player: SoloPlayer) -> None:
        await lose(player)
        await player.wait_for(wire.Stored)

    monkeypatch.setattr(registry, "WRITE_SECONDS", 0.02)
    monkeypatch.setattr(services, "game_end", loses_the_first_answer)
    play(visitor, lose_and_hear_of_it)
    assert ends == [True, False]
    assert counts(owner) == {("beginner", "xp"): (1, 0, 1, 0)}


def test_games_of_a_process_that_died_are_counted_once_as_left(owner: User) -> None:
    games = [live_game(user=owner, holder="dead") for _game in range(3)]
    live_game(holder="dead")  # of nobody
    live_game(user=owner, holder="alive")
    dead = Q(holder="dead")
    assert services.interrupt_games(dead) == 4
    assert services.interrupt_games(dead) == 0
    assert not services.game_end(games[0], "dead", None), "its file is read again"
    assert counts(owner) == {("beginner", "xp"): (3, 3, 0, 0)}
    rows = LiveGame.objects.order_by("created_at")
    assert [(row.state, row.result, row.reason) for row in rows[:4]] == [("abandoned", "", "interrupted")] * 4


def test_a_board_that_was_never_found_was_not_begun(
    visitor: Visitor, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("replays.play.solo.playing.no_guess.MAX_SECONDS", 0.0)

    async def work() -> str:
        async with SoloPlayer(visitor, {"level": "expert", "rules": "no-guess"}) as player:
            await player.begin()
            await player.click(0)
            return (await player.wait_for(wire.Over)).reason

    assert run(work) == "no_board"
    assert LiveGame.objects.get().reason == "no_board"
    assert counts(owner) == {}


def test_counts_stay_when_games_that_were_given_up_are_deleted(visitor: Visitor, owner: User, settings: Any) -> None:
    play(visitor, leave, leave, lose)
    LiveGame.objects.update(created_at=timezone.now() - timedelta(days=UNKEPT_GAMES_DAYS + 1))
    assert delete_unkept() == 2
    assert LiveGame.objects.get().result == "lost"
    assert counts(owner) == {("beginner", "xp"): (3, 2, 1, 0)}


def test_page_and_api_of_the_player_show_them(owner: User, anonymous: Client) -> None:
    player = player_of_user(owner)
    page, address = f"/players/{player.pk}/records/", f"/api/v1/players/{player.pk}/"
    assert "Games played here" not in anonymous.get(page).content.decode()
    assert anonymous.get(address).json()["boards_played"] == []
    ended = [EndedBoard(owner.pk, "expert", "xp", "left")] * 1_200
    ended += [EndedBoard(owner.pk, "expert", "xp", "won"), EndedBoard(owner.pk, "beginner", "no-guess", "lost")]
    count_boards(ended)
    assert anonymous.get(address).json()["boards_played"] == [
        {"level": "beginner", "rules": "no-guess", "begun": 1, "left": 0, "lost": 1, "won": 0},
        {"level": "expert", "rules": "xp", "begun": 1_201, "left": 1_200, "lost": 0, "won": 1},
    ]
    shown = anonymous.get(page).content.decode()
    section = shown[shown.index('id="boards-played"') : shown.index('id="recent"')]
    assert [text in section for text in ("1,201", "1,200", "no guessing")] == [True, True, True]


def test_a_game_has_no_row_while_its_board_is_looked_for(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its row would name the first board that was tried."""

    async def work() -> int:
        async with SoloPlayer(visitor, {"level": "beginner", "rules": "no-guess"}) as player:
            await player.begin()
            await player.click(0, 8)
            await player.wait_for(wire.Working)
            await registry_of_loop().write_once()
            before = await services_count()
            await player.wait_for(wire.Faces, 60)
            await registry_of_loop().write_once()
            return before

    assert run(work) == 0
    assert LiveGame.objects.count() == 1


async def services_count() -> int:
    return await database.run(LiveGame.objects.count)
