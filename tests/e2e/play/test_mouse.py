"""Buttons of the mouse on the board: what is recorded, and what is seen before the server has answered."""

from __future__ import annotations

from itertools import product

import pytest
from playwright.sync_api import expect

from analysis.recording import Kind
from tests.e2e.play.conftest import OpenGame
from tests.e2e.play.table import CLOSED, FLAG, MINE, PRESSED, QUESTION, WRONG_FLAG, GamePage

LEFT, LEFT_UP = Kind.LEFT_PRESS, Kind.LEFT_RELEASE
RIGHT, RIGHT_UP = Kind.RIGHT_PRESS, Kind.RIGHT_RELEASE
MIDDLE, MIDDLE_UP = Kind.MIDDLE_PRESS, Kind.MIDDLE_RELEASE
AROUND = {(row, column) for row in (1, 2, 3) for column in (1, 2, 3)}


def pressed(game: GamePage) -> set[tuple[int, int]]:
    return {(r, c) for r, line in enumerate(game.faces()) for c, face in enumerate(line) if face == PRESSED}


def test_a_chord_by_both_buttons_in_any_order(open_game: OpenGame) -> None:
    """In a new game each time."""
    game = open_game()
    downs, ups = {"left": LEFT, "right": RIGHT}, {"left": LEFT_UP, "right": RIGHT_UP}
    orders = product([("left", "right"), ("right", "left")], repeat=2)
    for number, ((first, second), (up_first, last)) in enumerate(orders, 1):
        game.until(f"socketDouble.sent.filter((message) => message.type === 'start').length === {number}")
        game.move(2, 2)
        game.press(2, 2, first)
        game.press(2, 2, second)
        flagged = {(2, 2)} if first == "right" else set()  # a right press alone flags
        assert pressed(game) == AROUND - flagged
        game.release(2, 2, up_first)
        assert pressed(game) == set()
        game.release(2, 2, last)
        assert game.buttons() == [(kind, 2, 2) for kind in (downs[first], downs[second], ups[up_first], ups[last])]
        expect(game.counter("split")).to_have_text("0 + 1 + 1" if flagged else "0 + 0 + 1")
        game.page.keyboard.press("r")


@pytest.mark.long(beside="tests/e2e/play/test_mouse.py::test_a_chord_by_both_buttons_in_any_order")
def test_the_middle_button_chords_and_nothing_scrolls(open_game: OpenGame) -> None:
    game = open_game(height=400)
    before = game.page.evaluate("scrollY")
    game.move(2, 2)
    game.press(2, 2, "middle")
    assert pressed(game) == AROUND
    game.move(2, 3)
    assert (2, 1) not in pressed(game)
    assert (2, 4) in pressed(game)
    game.release(2, 3, "middle")
    assert game.buttons() == [(MIDDLE, 2, 2), (MIDDLE_UP, 2, 3)]
    assert game.page.evaluate("scrollY") == before


@pytest.mark.long(beside="tests/e2e/play/test_mouse.py::test_a_chord_by_both_buttons_in_any_order")
def test_shift_makes_the_left_button_a_chord(open_game: OpenGame) -> None:
    game = open_game()
    game.move(2, 2)
    game.press(2, 2, modifiers=8)
    assert pressed(game) == AROUND
    game.release(2, 2, modifiers=8)
    assert game.buttons() == [(Kind.SHIFT_LEFT_PRESS, 2, 2), (LEFT_UP, 2, 2)]


@pytest.mark.long(beside="tests/e2e/play/test_mouse.py::test_a_chord_by_both_buttons_in_any_order")
def test_the_left_button_alone_chords_on_numbers_if_set(open_game: OpenGame) -> None:
    for alone, kind in ((True, Kind.SHIFT_LEFT_PRESS), (False, LEFT)):
        game = open_game(stored={"alone": alone})
        assert bool(game.sent("new")[0]["settings"] & 2) is alone
        game.click(2, 2)
        game.answer([(2, 2, 1)])
        game.click(1, 1, "right")
        game.click(2, 2)
        buttons = game.buttons()
        assert buttons[0] == (LEFT, 2, 2)  # a closed cell is opened by the same press
        assert buttons[-2:] == [(kind, 2, 2), (LEFT_UP, 2, 2)]
        # The seven closed neighbours without a flag wait for the answer.
        assert pressed(game) == (AROUND - {(1, 1), (2, 2)} if alone else set())


@pytest.mark.long(beside="tests/e2e/play/test_mouse.py::test_a_chord_by_both_buttons_in_any_order")
def test_one_and_a_half_clicks(open_game: OpenGame) -> None:
    """The right button stays down between two chords; the second needs one click of the left one alone."""
    game = open_game()
    game.move(2, 2)
    game.press(2, 2, "right")
    for _ in range(2):
        game.press(2, 2)
        assert pressed(game) == AROUND - {(2, 2)}
        game.release(2, 2)
        assert pressed(game) == set()
    game.release(2, 2, "right")
    kinds = [kind for kind, _row, _column in game.buttons()]
    assert kinds == [RIGHT, LEFT, LEFT_UP, LEFT, LEFT_UP, RIGHT_UP]
    expect(game.counter("split")).to_have_text("0 + 1 + 2")


@pytest.mark.long(beside="tests/e2e/play/test_mouse.py::test_a_chord_by_both_buttons_in_any_order")
def test_left_is_no_click_after_a_chord_that_the_right_button_ended(open_game: OpenGame) -> None:
    game = open_game()
    game.move(2, 2)
    game.press(2, 2)
    game.press(2, 2, "right")
    game.release(2, 2, "right")
    game.release(2, 2)
    expect(game.counter("split")).to_have_text("0 + 0 + 1")
    assert pressed(game) == set()  # it does not wait for an opening


@pytest.mark.long(beside="tests/e2e/play/test_mouse.py::test_a_chord_by_both_buttons_in_any_order")
def test_the_pressed_look_follows_the_cursor_and_stays_until_the_answer(open_game: OpenGame) -> None:
    game = open_game()
    game.move(0, 0)
    game.press(0, 0)
    assert pressed(game) == {(0, 0)}
    game.move(0, 1)
    assert pressed(game) == {(0, 1)}
    game.release(0, 1)
    game.move(5, 5)
    assert pressed(game) == {(0, 1)}
    game.answer([(0, 1, 3)])
    assert game.face(0, 1) == 3
    assert pressed(game) == set()


@pytest.mark.long(beside="tests/e2e/play/test_mouse.py::test_a_chord_by_both_buttons_in_any_order")
def test_dragged_out_and_released_outside(open_game: OpenGame) -> None:
    game = open_game()
    game.move(3, 3)
    game.press(3, 3)
    game.mouse("moved", 5, 300)
    assert pressed(game) == set()
    game.mouse("released", 5, 300, "left")
    (_time, _kind, x, y) = game.events()[-1]
    assert game.buttons() == [(LEFT, 3, 3), (LEFT_UP, y // game.cell_px, -1)]
    assert x == int(5 - game.left)
    expect(game.counter("split")).to_have_text("1 + 0 + 0")  # a click, which opens nothing


@pytest.mark.long(beside="tests/e2e/play/test_mouse.py::test_a_chord_by_both_buttons_in_any_order")
def test_released_outside_the_window(open_game: OpenGame) -> None:
    game = open_game()
    game.move(3, 3)
    game.press(3, 3)
    game.mouse("moved", -40, -60)
    game.mouse("released", -40, -60, "left")
    assert game.buttons() == [(LEFT, 3, 3), (LEFT_UP, -1, -1)]


@pytest.mark.long(beside="tests/e2e/play/test_mouse.py::test_a_chord_by_both_buttons_in_any_order")
def test_a_press_beside_the_table_is_none(open_game: OpenGame) -> None:
    game = open_game()
    game.page.locator(".sit dt").first.click()
    game.click(0, 0)
    assert game.buttons() == [(LEFT, 0, 0), (LEFT_UP, 0, 0)]


@pytest.mark.long(beside="tests/e2e/play/test_mouse.py::test_a_chord_by_both_buttons_in_any_order")
def test_held_buttons_are_let_go_beside_the_board_when_the_window_is_left(open_game: OpenGame) -> None:
    game = open_game()
    game.move(4, 4)
    game.press(4, 4)
    game.press(4, 4, "right")
    game.page.evaluate("dispatchEvent(new Event('blur'))")
    assert game.buttons() == [(LEFT, 4, 4), (RIGHT, 4, 4), (LEFT_UP, -1, -1), (RIGHT_UP, -1, -1)]
    assert pressed(game) == set()
    game.held.clear()
    game.click(4, 4)
    assert game.buttons()[-2:] == [(LEFT, 4, 4), (LEFT_UP, 4, 4)]


@pytest.mark.long(beside="tests/e2e/play/test_mouse.py::test_a_chord_by_both_buttons_in_any_order")
def test_a_release_that_the_browser_swallowed_is_made_up_for(open_game: OpenGame) -> None:
    game = open_game()
    game.move(4, 4)
    game.press(4, 4)
    game.held.clear()  # the system's menu took the release
    game.move(5, 5)
    assert game.buttons() == [(LEFT, 4, 4), (LEFT_UP, -1, -1)]


@pytest.mark.long(beside="tests/e2e/play/test_mouse.py::test_a_chord_by_both_buttons_in_any_order")
def test_no_menu_no_selection_no_dragging(open_game: OpenGame) -> None:
    game = open_game()
    names = ["contextmenu", "dragstart", "selectstart", "auxclick"]
    prevented = game.page.evaluate(
        """(names) => names.map((name) => !document.querySelector("[data-board] canvas").dispatchEvent(new Event(name, { bubbles: true, cancelable: true })))""",
        names,
    )
    assert prevented == [True] * 4
    game.click(1, 1, "right")
    assert game.page.evaluate("String(getSelection())") == ""


@pytest.mark.long(beside="tests/e2e/play/test_mouse.py::test_a_chord_by_both_buttons_in_any_order")
def test_flags_are_seen_at_once_and_taken_back_if_the_server_knows_better(open_game: OpenGame) -> None:
    game = open_game()
    game.click(1, 1, "right")
    assert game.face(1, 1) == FLAG
    expect(game.counter("mines")).to_have_text("009")
    game.answer([(1, 1, FLAG)])
    game.click(1, 1, "right")
    assert game.face(1, 1) == CLOSED
    expect(game.counter("mines")).to_have_text("010")
    game.answer([(1, 1, CLOSED)])
    game.click(2, 2, "right")
    game.answer()  # the server says nothing about a flag
    assert game.face(2, 2) == CLOSED


@pytest.mark.long(beside="tests/e2e/play/test_mouse.py::test_a_chord_by_both_buttons_in_any_order")
def test_an_answer_does_not_undo_what_was_done_since(open_game: OpenGame) -> None:
    game = open_game()
    game.click(1, 1, "right")
    flagged = max(message["seq"] for message in game.sent("input"))
    game.click(1, 1, "right")
    game.click(2, 2, "right")
    game.answer([(1, 1, FLAG)], seq=flagged)
    assert (game.face(1, 1), game.face(2, 2)) == (CLOSED, FLAG)


@pytest.mark.long(beside="tests/e2e/play/test_mouse.py::test_a_chord_by_both_buttons_in_any_order")
def test_question_marks_only_if_set(open_game: OpenGame) -> None:
    game = open_game(stored={"marks": True})
    assert game.sent("new")[0]["settings"] & 1
    seen = []
    for _ in range(3):
        game.click(1, 1, "right")
        seen.append(game.face(1, 1))
    assert seen == [FLAG, QUESTION, CLOSED]


@pytest.mark.long(beside="tests/e2e/play/test_mouse.py::test_a_chord_by_both_buttons_in_any_order")
def test_the_end_shows_mines_and_wrong_flags(open_game: OpenGame) -> None:
    game = open_game()
    game.click(0, 0)
    game.answer([(0, 0, 1)])
    game.click(0, 1, "right")
    game.click(5, 5, "right")
    game.answer([(0, 1, FLAG), (5, 5, FLAG)])
    game.click(7, 7)
    game.answer([(7, 7, 9)])
    game.over(2, mines=[(0, 1), (7, 7), (3, 3)], reason="guest")
    faces = game.faces()
    assert (faces[0][1], faces[5][5], faces[3][3], faces[7][7]) == (FLAG, WRONG_FLAG, MINE, 9)
    expect(game.counter("time")).to_have_text("12.345")
    sent = len(game.sent("input"))
    game.click(2, 2)  # the game is over
    game.page.wait_for_timeout(150)
    assert len(game.sent("input")) == sent
    assert game.face(2, 2) == CLOSED


@pytest.mark.long(beside="tests/e2e/play/test_mouse.py::test_a_chord_by_both_buttons_in_any_order")
def test_a_won_game_flags_the_mines(open_game: OpenGame) -> None:
    game = open_game()
    game.click(0, 0)
    game.answer([(0, 0, 1)])
    game.over(1, mines=[(6, 6)])
    assert game.face(6, 6) == FLAG
    expect(game.page.locator(".play-face")).to_have_attribute("data-face", "won")


@pytest.mark.long(beside="tests/e2e/play/test_mouse.py::test_a_chord_by_both_buttons_in_any_order")
@pytest.mark.parametrize("zoom", [0.9, 1.1, 1.5])
def test_the_zoom_of_the_browser_moves_no_click(open_game: OpenGame, zoom: float) -> None:
    """A zoomed page has fewer or more CSS pixels, and as many times more device pixels."""
    game = open_game("/play/expert/", width=round(1280 / zoom), height=round(900 / zoom), device_scale_factor=zoom)
    box = game.page.locator("[data-board]").bounding_box()
    assert box is not None
    assert box["width"] == game.cell_px * 30  # whole pixels
    cells = [(0, 0), (15, 29), (7, 13), (0, 29), (15, 0)]
    for row, column in cells:
        game.click(row, column, "right")
    assert [(row, column) for kind, row, column in game.buttons() if kind is RIGHT] == cells
    drawn = game.page.evaluate("[document.querySelector('canvas').width / 30, devicePixelRatio]")
    assert drawn[0] == round(game.cell_px * drawn[1])


@pytest.mark.long(beside="tests/e2e/play/test_mouse.py::test_a_chord_by_both_buttons_in_any_order")
def test_edges_of_cells(open_game: OpenGame) -> None:
    game = open_game(stored={"zoom": "24"})
    for x, y in ((0, 0), (23, 23), (24, 24), (191, 191), (192, 50)):
        game.mouse("moved", game.left + x, game.top + y)
        game.mouse("pressed", game.left + x, game.top + y, "right")
        game.mouse("released", game.left + x, game.top + y, "right")
    rights = [(row, column) for kind, row, column in game.buttons() if kind is RIGHT]
    assert rights == [(0, 0), (0, 0), (1, 1), (7, 7), (2, -1)]
