"""Playing by keyboard, and what a screen reader is told."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from analysis.recording import Kind
from tests.e2e.play.conftest import OpenGame
from tests.e2e.play.table import CLOSED, FLAG, GamePage


def live(game: GamePage) -> Locator:
    return game.page.locator("[data-live]")


def keys(game: GamePage, *names: str) -> None:
    for name in names:
        game.page.keyboard.press(name)


def test_a_game_by_keyboard_alone(open_game: OpenGame) -> None:
    game = open_game()
    keys(game, "ArrowDown")  # the board has the focus; the cursor begins in the middle
    expect(live(game)).to_have_text("Row 5, column 5: closed")
    keys(game, "ArrowUp", "ArrowLeft", "Enter")
    expect(live(game)).to_have_text("Row 4, column 4: being opened")
    game.answer([(3, 3, 1)])
    expect(live(game)).to_have_text("Row 4, column 4: 1")
    keys(game, "ArrowRight", "f")
    expect(live(game)).to_have_text("Row 4, column 5: flag")
    assert game.face(3, 4) == FLAG
    keys(game, "f")
    assert game.face(3, 4) == CLOSED
    keys(game, "F", "ArrowLeft", "c", "Space", "ArrowUp", "Space")
    assert [(kind, row, column) for kind, row, column in game.buttons()] == [
        (Kind.LEFT_PRESS, 3, 3), (Kind.LEFT_RELEASE, 3, 3),
        *[(kind, 3, 4) for _ in range(3) for kind in (Kind.RIGHT_PRESS, Kind.RIGHT_RELEASE)],
        *[(kind, 3, 3) for _ in range(2) for kind in (Kind.MIDDLE_PRESS, Kind.MIDDLE_RELEASE)],
        (Kind.RIGHT_PRESS, 2, 3), (Kind.RIGHT_RELEASE, 2, 3),
    ]  # fmt: skip
    px = game.sent("new")[0]["cell_px"]
    assert {(x % px, y % px) for _time, _kind, x, y in game.events()} == {(px // 2, px // 2)}


@pytest.mark.long(beside="tests/e2e/play/test_keys.py::test_a_game_by_keyboard_alone")
def test_keys_act_under_the_mouse(open_game: OpenGame) -> None:
    game = open_game()
    game.move(1, 2)
    keys(game, "Enter")
    game.answer([(1, 2, 1)])
    game.move(1, 3)
    keys(game, "Space")
    game.move(1, 2)
    keys(game, "Space", "c")
    clicks = [(Kind.LEFT_PRESS, Kind.LEFT_RELEASE, 2), (Kind.RIGHT_PRESS, Kind.RIGHT_RELEASE, 3)]
    chord = (Kind.MIDDLE_PRESS, Kind.MIDDLE_RELEASE, 2)
    assert game.buttons() == [(kind, 1, column) for *kinds, column in [*clicks, chord, chord] for kind in kinds]
    keys(game, "ArrowRight")  # from the cell under the mouse on
    expect(live(game)).to_have_text("Row 2, column 3: 1")
    keys(game, "ArrowRight", "f")
    game.move(6, 6)
    keys(game, "f")
    assert [(row, column) for _kind, row, column in game.buttons()[-4:]] == [(1, 3), (1, 3), (6, 6), (6, 6)]


@pytest.mark.long(beside="tests/e2e/play/test_keys.py::test_a_game_by_keyboard_alone")
def test_keys_are_set(open_game: OpenGame) -> None:
    game = open_game()
    game.page.get_by_role("button", name="Settings").click()
    field = game.page.get_by_label("Open", exact=True)
    field.focus()
    keys(game, "d")
    expect(field).to_have_value("D")
    game.page.get_by_label("Flag", exact=True).focus()
    keys(game, "c")  # which chords; that takes the key of flagging
    expect(game.page.get_by_label("Chord", exact=True)).to_have_value("F")
    expect(game.page.locator("#play-keys")).to_contain_text("D open a cell")
    keys(game, "Escape")
    for _ in range(2):
        game.move(2, 2)
        keys(game, "d")
        game.move(3, 3)
        keys(game, "c", "Enter")  # Enter does nothing now
        assert game.buttons() == [
            (Kind.LEFT_PRESS, 2, 2), (Kind.LEFT_RELEASE, 2, 2), (Kind.RIGHT_PRESS, 3, 3), (Kind.RIGHT_RELEASE, 3, 3),
        ]  # fmt: skip
        game.page.reload()
        game.until("socketDouble.sent.some((message) => message.type === 'start')")


@pytest.mark.long(beside="tests/e2e/play/test_keys.py::test_a_game_by_keyboard_alone")
def test_the_cursor_stays_on_the_board(open_game: OpenGame) -> None:
    game = open_game()
    keys(game, *["ArrowUp"] * 12, *["ArrowLeft"] * 12)
    expect(live(game)).to_have_text("Row 1, column 1: closed")
    keys(game, *["ArrowDown"] * 12, *["ArrowRight"] * 12)
    expect(live(game)).to_have_text("Row 8, column 8: closed")


@pytest.mark.long(beside="tests/e2e/play/test_keys.py::test_a_game_by_keyboard_alone")
def test_one_key_begins_a_new_game(open_game: OpenGame) -> None:
    game = open_game()
    for number, key in enumerate(("r", "R", "F2"), 2):
        game.click(0, 0, "right")
        keys(game, key)
        assert game.face(0, 0) == CLOSED  # at once
        game.until(f"socketDouble.sent.filter((message) => message.type === 'start').length === {number}")
        assert len(game.sent("new")) == number
        game.click(1, 1)
        assert game.buttons() == [(Kind.LEFT_PRESS, 1, 1), (Kind.LEFT_RELEASE, 1, 1)], key


@pytest.mark.long(beside="tests/e2e/play/test_keys.py::test_a_game_by_keyboard_alone")
def test_keys_with_a_modifier_or_in_a_field_are_not_ours(open_game: OpenGame) -> None:
    game = open_game()
    keys(game, "Alt+r", "Shift+Tab")
    game.page.locator("header input[type=search]").focus()
    keys(game, "r", "f")
    expect(game.page.locator("header input[type=search]")).to_have_value("rf")
    assert len(game.sent("new")) == 1


@pytest.mark.long(beside="tests/e2e/play/test_keys.py::test_a_game_by_keyboard_alone")
@pytest.mark.parametrize("focused", ["[data-board]", "body"])
def test_space_never_scrolls_in_mid_game(open_game: OpenGame, focused: str) -> None:
    """Played with the mouse, so the keyboard has no cell."""
    game = open_game("/play/expert/", height=420)
    game.click(3, 3)
    game.answer([(3, 3, 1)])
    if focused == "body":
        game.page.evaluate("document.activeElement.blur()")
    before = game.page.evaluate("scrollY")
    keys(game, "Space", "Space")
    game.page.wait_for_timeout(300)  # it scrolls smoothly
    assert game.page.evaluate("scrollY") == before
    assert game.page.evaluate("document.documentElement.scrollHeight > innerHeight + 200"), "nothing to scroll"


@pytest.mark.long(beside="tests/e2e/play/test_keys.py::test_a_game_by_keyboard_alone")
def test_clicks_made_before_the_answer_to_a_restart_belong_to_the_new_game(open_game: OpenGame) -> None:
    game = open_game()
    game.page.evaluate("socketDouble.automatic = false")
    keys(game, "r")
    game.click(2, 2)
    assert game.sent("input") == []
    game.page.evaluate("socketDouble.game()")
    game.until("socketDouble.sent.some((message) => message.type === 'input')")
    kinds = [message["type"] for message in game.sent()]
    assert kinds[-3:] == ["new", "start", "input"]
    assert [time for time, kind, *_ in game.events() if kind is not Kind.MOVE] == [0, 0]
    assert game.buttons() == [(Kind.LEFT_PRESS, 2, 2), (Kind.LEFT_RELEASE, 2, 2)]


@pytest.mark.long(beside="tests/e2e/play/test_keys.py::test_a_game_by_keyboard_alone")
def test_answers_to_the_game_before_are_passed_over(open_game: OpenGame) -> None:
    game = open_game()
    game.page.evaluate("socketDouble.automatic = false")
    game.click(0, 0)
    keys(game, "r")
    game.answer([(0, 0, 5)], seq=1)
    game.over(2, reason="guest")
    assert game.face(0, 0) == CLOSED
    expect(game.page.locator("[data-result]")).to_be_empty()


@pytest.mark.long(beside="tests/e2e/play/test_keys.py::test_a_game_by_keyboard_alone")
def test_parts_have_names(open_game: OpenGame) -> None:
    game = open_game("/play/expert/")
    board = game.page.get_by_role("application", name="Rows: 16, columns: 30, mines: 99")
    expect(board).to_be_focused()
    expect(board).to_have_attribute("aria-roledescription", "Minesweeper board")
    expect(game.page.get_by_role("button", name="New game")).to_be_visible()
    for name in ("Mines left", "Time"):
        expect(game.page.get_by_role("status", name=name)).to_be_visible()
    expect(live(game)).to_have_attribute("aria-live", "polite")
