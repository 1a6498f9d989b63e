"""Fingers on a phone."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import expect

from analysis.recording import Kind
from tests.e2e.play.conftest import OpenGame
from tests.e2e.play.table import FLAG, PRESSED, GamePage
from tests.services import wait_until

PHONE: dict[str, Any] = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True, "device_scale_factor": 3}
LEFT, LEFT_UP, RIGHT, RIGHT_UP = Kind.LEFT_PRESS, Kind.LEFT_RELEASE, Kind.RIGHT_PRESS, Kind.RIGHT_RELEASE


def touch(game: GamePage, kind: str, row: int, column: int) -> None:
    x, y = game.centre(row, column)
    points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
    game.cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def tap(game: GamePage, row: int, column: int, hold_ms: int = 0) -> None:
    touch(game, "touchStart", row, column)
    if hold_ms:
        game.page.wait_for_timeout(hold_ms)
    touch(game, "touchEnd", row, column)
    game.page.wait_for_timeout(50)  # a mouse of its own would follow now


_OTHER_MODE = pytest.mark.long(beside="tests/e2e/play/test_touch.py::test_a_tap_and_a_long_press")


@pytest.mark.parametrize(
    ("mode", "short", "long"),
    [
        ("open", (LEFT, LEFT_UP), (RIGHT, RIGHT_UP)),
        pytest.param("flag", (RIGHT, RIGHT_UP), (LEFT, LEFT_UP), marks=_OTHER_MODE),
    ],
)
def test_a_tap_and_a_long_press(
    open_game: OpenGame, mode: str, short: tuple[Kind, Kind], long: tuple[Kind, Kind]
) -> None:
    game = open_game(stored={"touch": mode}, **PHONE)
    assert game.sent("new")[0]["settings"] & 4
    tap(game, 2, 3)
    tap(game, 5, 6, hold_ms=600)
    assert game.buttons() == [*((kind, 2, 3) for kind in short), *((kind, 5, 6) for kind in long)]
    opened, flagged = ((2, 3), (5, 6)) if mode == "open" else ((5, 6), (2, 3))
    assert (game.face(*opened), game.face(*flagged)) == (PRESSED, FLAG)


def fingers(game: GamePage, kind: str, *points: tuple[float, float]) -> None:
    touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
    game.cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


def visible(game: GamePage, selector: str) -> bool:
    return game.page.locator(selector).first.is_visible()


@pytest.mark.long(beside="tests/e2e/play/test_touch.py::test_a_tap_and_a_long_press")
def test_the_whole_of_expert_is_on_a_phone(open_game: OpenGame) -> None:
    """Transposed: rows from left to right.  What is recorded is the board as it is stored."""
    game = open_game("/play/expert/", **PHONE)
    assert (game.turned, game.cell_px) == (True, 24)
    board = game.page.locator("[data-board]").bounding_box()
    assert board is not None
    assert (board["width"], board["height"]) == (16 * 24, 30 * 24)
    assert board["x"] >= 0
    assert board["y"] + board["height"] <= PHONE["height"] - 72
    assert [visible(game, part) for part in ("header", ".tabbar", "footer", ".play-ctl")] == [False, False, False, True]
    tap(game, 15, 29)
    tap(game, 0, 29)
    assert game.buttons() == [(kind, row, 29) for row in (15, 0) for kind in (LEFT, LEFT_UP)]
    game.answer([(15, 29, 3), (0, 29, 1)])
    assert (game.face(15, 29), game.face(0, 29)) == (3, 1)
    assert game.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


_OTHER_PHONE = pytest.mark.long(beside="tests/e2e/play/test_touch.py::test_the_hint_is_whole_and_never_over_cells")


@pytest.mark.parametrize(
    ("level", "width"),
    [
        ("beginner", 390),
        pytest.param("expert", 390, marks=_OTHER_PHONE),
        pytest.param("beginner", 320, marks=_OTHER_PHONE),
    ],
)
def test_the_hint_is_whole_and_never_over_cells(open_game: OpenGame, level: str, width: int) -> None:
    page = open_game(f"/play/{level}/", **PHONE | {"width": width, "height": 844 if width == 390 else 568}).page
    hint, board = page.locator(".fingers"), page.locator(".play-board")
    expect(page.locator(".play-level")).to_have_text(level.capitalize())
    level_box, left = page.locator(".play-level").bounding_box(), page.locator(".play-left").bounding_box()
    assert level_box
    assert left
    assert left["y"] <= level_box["y"] < left["y"] + left["height"] == level_box["y"] + level_box["height"]
    if level == "expert":
        return expect(hint).to_be_hidden()
    assert hint.evaluate("(p) => p.scrollWidth <= p.clientWidth && p.scrollHeight <= p.parentElement.clientHeight")
    found, line = board.bounding_box(), page.locator(".play-line").bounding_box()
    assert found
    assert line
    assert found["y"] + found["height"] <= line["y"]
    if width == 320:
        page.get_by_role("button", name="Larger cells").tap()
        expect(hint).to_be_hidden()
    return None


@pytest.mark.long(beside="tests/e2e/play/test_touch.py::test_a_tap_and_a_long_press")
@pytest.mark.parametrize(("level", "room"), [("expert", 68), ("beginner", 0)])
def test_a_finished_board_can_be_panned_out_from_under_its_result(open_game: OpenGame, level: str, room: int) -> None:
    page = open_game(f"/play/{level}/", **PHONE).page
    board, frame = page.locator(".play-board"), page.locator(".cab-board")
    before = board.bounding_box()
    page.evaluate("document.querySelector('.play-line').dataset.outcome = 'lost'")
    assert board.bounding_box() == before
    assert frame.evaluate("frame => { frame.scrollTop = 999; return [frame.scrollTop, frame.scrollWidth]; }") == [
        room,
        390,
    ]
    found, line = board.bounding_box(), page.locator(".play-line").bounding_box()
    assert found
    assert line
    assert found["y"] + found["height"] <= line["y"]


@pytest.mark.long(beside="tests/e2e/play/test_touch.py::test_a_tap_and_a_long_press")
def test_a_phone_held_sideways_draws_expert_as_it_is(open_game: OpenGame) -> None:
    game = open_game("/play/expert/", **PHONE | {"width": 844, "height": 390})
    assert (game.turned, game.cell_px) == (False, 22)
    tap(game, 15, 29)
    assert game.buttons() == [(LEFT, 15, 29), (LEFT_UP, 15, 29)]
    game.page.set_viewport_size({"width": 390, "height": 844})
    game.until("document.querySelector('[data-turned]') !== null")
    game.look()
    tap(game, 2, 7)
    assert game.buttons()[2:] == [(LEFT, 2, 7), (LEFT_UP, 2, 7)]


@pytest.mark.long(beside="tests/e2e/play/test_touch.py::test_a_tap_and_a_long_press")
def test_what_a_tap_does_is_switched_in_mid_game(open_game: OpenGame) -> None:
    game = open_game(**PHONE)
    assert game.cell_px == 48
    assert visible(game, ".fingers")
    tap(game, 0, 0)
    game.page.get_by_role("button", name="Flag").tap()
    tap(game, 4, 4)
    game.page.get_by_role("button", name="Open").tap()
    tap(game, 5, 5)
    clicks = [((LEFT, LEFT_UP), 0, 0), ((RIGHT, RIGHT_UP), 4, 4), ((LEFT, LEFT_UP), 5, 5)]
    assert game.buttons() == [(kind, row, column) for kinds, row, column in clicks for kind in kinds]
    assert len(game.sent("new")) == 1
    game.page.locator(".play-face").tap()
    game.until("socketDouble.sent.filter((message) => message.type === 'start').length === 2")
    expect(game.page.locator("[data-ranked]")).not_to_contain_text("by touch")  # a guest's games aren't ranked anyway


@pytest.mark.long(beside="tests/e2e/play/test_touch.py::test_a_tap_and_a_long_press")
@pytest.mark.parametrize("switched_off", [False, True])
def test_a_finger_on_a_page_of_a_mouse(open_game: OpenGame, switched_off: bool) -> None:
    game = open_game(has_touch=True)
    # Like a laptop whose screen can be touched.
    game.page.add_init_script(
        "const real = matchMedia; window.matchMedia = (query) => real(query.replace('coarse', 'none'))"
    )
    if switched_off:
        game.page.evaluate("localStorage.setItem('play-settings', JSON.stringify({ touch: 'off' }))")
    game.page.reload()
    game.until("socketDouble.sent.some((message) => message.type === 'start')")
    assert game.sent("new")[0]["settings"] & 4 == 0
    tap(game, 1, 1)
    if switched_off:
        assert [message["type"] for message in game.sent()] == ["new", "start"]
        return
    game.until("socketDouble.sent.some((message) => message.type === 'input')")
    assert game.sent("new")[1]["settings"] & 4
    assert game.buttons() == [(LEFT, 1, 1), (LEFT_UP, 1, 1)]


@pytest.mark.long(beside="tests/e2e/play/test_touch.py::test_a_tap_and_a_long_press")
def test_a_zoomed_board_is_panned_inside_its_frame(open_game: OpenGame) -> None:
    game = open_game("/play/expert/", **PHONE)
    game.page.get_by_role("button", name="Larger cells").tap()
    game.look()
    assert game.cell_px == 36
    frame = game.page.locator("[data-frame]")
    frame.evaluate("(frame) => frame.scrollTo(0, 0)")
    game.look()
    tap(game, 3, 3)
    y = game.centre(0, 8)[1]
    fingers(game, "touchStart", (300, y))
    for at in range(290, 90, -10):
        fingers(game, "touchMove", (at, y))
    fingers(game, "touchEnd")
    wait_until(lambda: frame.evaluate("(frame) => frame.scrollLeft") > 100, what="the panned board")
    assert game.buttons() == [(LEFT, 3, 3), (LEFT_UP, 3, 3)]  # panning is no click
    game.look()
    tap(game, 12, 9)
    assert game.buttons()[2:] == [(LEFT, 12, 9), (LEFT_UP, 12, 9)]
    assert game.page.evaluate("[scrollX, scrollY]") == [0, 0]
    game.page.get_by_role("button", name="Larger cells").tap()
    game.look()
    assert game.cell_px == 24


@pytest.mark.long(beside="tests/e2e/play/test_touch.py::test_a_tap_and_a_long_press")
def test_two_fingers_zoom(open_game: OpenGame) -> None:
    """The record stays in the pixels in which the game began."""
    game = open_game("/play/expert/", **PHONE)
    fingers(game, "touchStart", (195, 400))
    fingers(game, "touchStart", (195, 400), (195, 500))
    for apart in (120, 160, 200):
        fingers(game, "touchMove", (195, 400), (195, 400 + apart))
    fingers(game, "touchEnd")
    game.look()
    assert game.cell_px == 48
    assert game.page.evaluate("visualViewport.scale") == 1
    assert not game.sent("input")
    game.page.locator("[data-frame]").evaluate("(frame) => frame.scrollTo(0, 0)")
    game.look()
    tap(game, 3, 4)
    assert game.buttons() == [(LEFT, 3, 4), (LEFT_UP, 3, 4)]
    assert game.sent("new")[0]["cell_px"] == 24


@pytest.mark.long(beside="tests/e2e/play/test_touch.py::test_the_hint_is_whole_and_never_over_cells")
def test_a_guest_on_a_phone_is_told_how_to_keep_games(open_game: OpenGame) -> None:
    game = open_game(**PHONE)
    game.page.locator("[data-save]").evaluate("(offer) => { offer.dataset.played = offer.dataset.save - 1; }")
    keep = game.page.get_by_role("button", name="Save your games")
    expect(keep).to_be_hidden()
    tap(game, 0, 0)
    game.answer([(0, 0, 9)])
    game.over(2, mines=[(0, 0)], reason="guest")
    expect(game.page.locator("[data-result]")).to_contain_text("Lost")
    expect(game.page.locator("[data-result] .reason")).to_have_count(0)  # a lost game never ranks
    keep.tap()
    menu = game.page.get_by_role("dialog")
    expect(menu.get_by_label("Username")).to_be_focused()
    assert not settings.RANK_TOUCH
    promise, denial = (
        menu.get_by_text("your next games count"),
        menu.get_by_text("Games with these settings aren't ranked"),
    )
    expect(promise).to_be_hidden()
    expect(denial).to_be_visible()
    menu.get_by_label("Touch").select_option("off")
    expect(promise).to_be_visible()
    expect(denial).to_be_hidden()
    menu.get_by_label("Left-click chording").check()
    expect(promise).to_be_hidden()


@pytest.mark.long(beside="tests/e2e/play/test_touch.py::test_a_tap_and_a_long_press")
def test_a_phone_says_before_the_first_tap_that_the_game_is_not_ranked(open_game: OpenGame) -> None:
    for path, size, sentence in (
        ("/play/beginner/", (390, 844), "touch controls"),
        ("/play/expert/", (360, 640), "touch controls"),
        ("/play/beginner/?rules=no-guess", (320, 568), "“First click safe”"),
        ("/play/expert/", (568, 320), "touch controls"),
    ):
        page = open_game(path, **PHONE | {"width": size[0], "height": size[1]}).page
        said = page.locator("[data-unranked]")
        expect(said).to_contain_text(sentence)
        expect(said).to_be_in_viewport(ratio=1)
        assert said.evaluate("(p) => p.scrollWidth <= p.clientWidth && p.scrollHeight <= p.clientHeight + 1"), size
        for control in page.locator(".play-ctl button").all():
            expect(control).to_be_in_viewport(ratio=1)
