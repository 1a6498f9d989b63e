"""Fingers on a phone."""

from __future__ import annotations

from typing import Any

import pytest

from analysis.recording import Kind
from tests.e2e.play.conftest import OpenGame
from tests.e2e.play.table import FLAG, PRESSED, GamePage

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


@pytest.mark.parametrize(
    ("mode", "short", "long"),
    [("open", (LEFT, LEFT_UP), (RIGHT, RIGHT_UP)), ("flag", (RIGHT, RIGHT_UP), (LEFT, LEFT_UP))],
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


@pytest.mark.long(beside="tests/e2e/play/test_touch.py::test_a_tap_and_a_long_press")
def test_a_phone_plays_by_fingers_without_any_setting(open_game: OpenGame) -> None:
    game = open_game(**PHONE)
    assert game.cell_px >= 34
    tap(game, 0, 0)
    assert game.buttons() == [(LEFT, 0, 0), (LEFT_UP, 0, 0)]
    assert "touch do not rank" not in game.page.locator("[data-unranked]").inner_text()  # of a guest nothing ranks


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
def test_expert_is_panned_inside_its_frame(open_game: OpenGame) -> None:
    game = open_game("/play/expert/", **PHONE)
    assert game.cell_px >= 34
    widths = game.page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert widths[0] <= widths[1]
    frame = game.page.locator("[data-frame]")
    assert frame.evaluate("(frame) => frame.scrollWidth > frame.clientWidth")
    scrolled = game.page.evaluate("scrollY")
    tap(game, 3, 3)
    assert game.page.evaluate("scrollY") == scrolled  # no jump
    y = game.centre(8, 0)[1]
    game.cdp.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": 300, "y": y}]})
    for at in range(290, 90, -10):
        game.cdp.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": at, "y": y}]})
    game.cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    game.page.wait_for_timeout(300)
    assert frame.evaluate("(frame) => frame.scrollLeft") > 100
    assert game.buttons() == [(LEFT, 3, 3), (LEFT_UP, 3, 3)]  # panning is no click
    x, y = game.centre(4, 5)
    game.cdp.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    game.cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    shift = frame.evaluate("(frame) => frame.scrollLeft")
    assert game.buttons()[-1] == (LEFT_UP, 4, int((x - game.left + shift) // game.cell_px))
