"""A board of a room that has ended, watched again in a browser."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from analysis.multiplayer.laying import Laying, lay
from analysis.multiplayer.server_game import MoveKind, Rules, ServerGame
from replays.play.models import Room, RoomBoard, RoomLog
from replays.play.referee.log import pack_log
from tests.e2e.conftest import Visit

SMALL = Laying(rows=12, columns=20, area=8, area_mines=9, start_number=7)
NAMES = {1: "Ann", 2: "<b>Bo</b>", 3: "李"}


@pytest.fixture
def game() -> ServerGame:
    """The server's game after all moves of ``board``."""
    return ServerGame(lay(SMALL), Rules(flags=True, chords=True))


@pytest.fixture
def board(transactional_db: None, game: ServerGame) -> RoomBoard:
    """A finished board with opens, flags set and taken away, chords and blasts, a move each 400 ms."""
    room = Room.objects.create(
        name="Friday evening", rows=12, columns=20, area=8, area_mines=9, sealed=True, flags=True, chords=True
    )
    rng = random.Random(11)
    moves: list[tuple[int, int, int, int]] = []
    mines = set(lay(SMALL).ravel().nonzero()[0].tolist())
    while not game.over:
        cell, player = rng.randrange(SMALL.cells), rng.randint(1, 3)
        kind = rng.choice([MoveKind.CHORD, MoveKind.FLAG if cell in mines else MoveKind.OPEN, MoveKind.OPEN])
        if kind is MoveKind.OPEN and cell in mines and rng.random() < 0.8:
            continue
        if game.move(cell, player, kind).stamp:
            moves.append((cell, player, int(kind), 400 * len(moves)))
    assert {kind for _, _, kind, _ in moves} == {0, 1, 2}
    scores = [
        {
            "player": number, "name": name, "user": None, "hue": number * 3, "shade": number,
            "score": int(game.score[number]), "blasts": int(game.blasts[number]),
        }
        for number, name in NAMES.items()
    ]  # fmt: skip
    now = timezone.now()
    made = RoomBoard.objects.create(
        room=room, epoch=4, start_number=7, started_at=now - timedelta(minutes=2), ended_at=now, end="finished",
        elapsed_ms=moves[-1][3], number=len(moves), scores=scores,
    )  # fmt: skip
    half = len(moves) // 2
    for first, part in ((1, moves[:half]), (half + 1, moves[half:])):
        RoomLog.objects.create(board=made, first=first, last=first + len(part) - 1, moves=pack_log(part))
    return made


def address(board: RoomBoard) -> str:
    return f"{board.room.get_absolute_url()}watch/{board.epoch}/"


def table(page: Page) -> dict[str, list[int]]:
    return page.locator("[data-watch-page] [data-players] tr").evaluate_all(  # type: ignore[no-any-return]
        "all => Object.fromEntries(all.map(one => [one.querySelector('bdi').textContent, ['score', 'blasts'].map(part => Number(one.querySelector(`[data-${part}]`).textContent))]))"
    )


@pytest.mark.long(beside="tests/e2e/test_watch.py::test_it_plays_to_the_end")
def test_the_end_is_that_of_the_server(visit: Visit, board: RoomBoard, game: ServerGame) -> None:
    page = visit(address(board))
    expect(page.locator("[data-count]")).to_contain_text(f"move {board.number} of {board.number}")
    assert table(page) == {name: [int(game.score[number]), int(game.blasts[number])] for number, name in NAMES.items()}


@pytest.mark.long(beside="tests/e2e/test_watch.py::test_it_plays_to_the_end")
def test_forward_and_back(visit: Visit, board: RoomBoard) -> None:
    page = visit(f"{address(board)}?move=3")
    count = page.locator("[data-count]")
    expect(count).to_have_text(f"move 3 of {board.number} · 0:00")
    there = table(page)
    page.get_by_role("button", name="Next move").click()
    expect(count).to_have_text(f"move 4 of {board.number} · 0:01")
    page.get_by_role("button", name="Previous move").click()
    expect(count).to_have_text(f"move 3 of {board.number} · 0:00")
    assert table(page) == there
    page.wait_for_url("**/watch/4/?move=3")
    page.locator("[data-slider]").focus()
    page.keyboard.press("Home")
    expect(count).to_have_text(f"move 0 of {board.number} · 0:00")
    assert all(counts == [0, 0] for counts in table(page).values())


def test_it_plays_to_the_end(visit: Visit, board: RoomBoard) -> None:
    page = visit(f"{address(board)}?move={board.number - 8}")
    page.select_option("#speed", "16")
    page.get_by_role("button", name="Play").click()
    expect(page.locator("[data-count]")).to_contain_text(f"move {board.number} of {board.number}")
    expect(page.get_by_role("button", name="Play")).to_have_attribute("aria-pressed", "false")


@pytest.mark.long(beside="tests/e2e/test_watch.py::test_it_plays_to_the_end")
def test_every_moment_is_that_of_the_server(visit: Visit, board: RoomBoard) -> None:
    """At each move the browser's scores are those of a game replayed so far."""
    page = visit(f"{address(board)}?move=0")
    log = page.evaluate("fetch(document.querySelector('[data-log]').dataset.log).then(answer => answer.json())")
    replayed = ServerGame(lay(SMALL), Rules(flags=True, chords=True))
    for number, (player, kind, cell, _ms) in enumerate(log["moves"], 1):
        replayed.move(cell, player, MoveKind(kind))
        page.get_by_role("button", name="Next move").click()
        if number % 10 == 0:
            expect(page.locator("[data-count]")).to_contain_text(f"move {number} of")
            assert table(page) == {
                name: [int(replayed.score[one]), int(replayed.blasts[one])] for one, name in NAMES.items()
            }, number


@pytest.mark.long(beside="tests/e2e/test_watch.py::test_it_plays_to_the_end")
def test_on_a_phone_and_in_chinese(visit: Visit, board: RoomBoard) -> None:
    page = visit(address(board), width=390, height=844)
    page.get_by_role("button", name="中文").click()
    expect(page.locator("h1")).to_have_text("第 4 局")
    expect(page.locator("[data-count]")).to_contain_text(f"第 {board.number} 步，共 {board.number} 步")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
