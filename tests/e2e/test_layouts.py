"""Letter shortcuts on keyboards that type no Latin letters: viewer, lists, play, rooms, tools."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from analysis.multiplayer.server_game import Rules
from analysis.recording import Kind, Level
from replays.models import Replay
from replays.play import wire
from tests.analysis.multiplayer.golden import TINY
from tests.e2e.conftest import Visit
from tests.e2e.play.conftest import OpenGame
from tests.e2e.play.conftest import open_game as open_game  # a fixture
from tests.e2e.room_server import FakeRoom
from tests.e2e.test_browser import put
from tests.e2e.test_film_page import opened, state, until
from tests.e2e.test_rooms import Enter
from tests.e2e.test_rooms import enter as enter  # fixtures
from tests.e2e.test_rooms import room as room
from tests.effort import rest_long
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.games import game_file

#: What keys at their places type: on an English keyboard, and on others.
ENGLISH = {
    "j": "KeyJ", "k": "KeyK", "n": "KeyN", "p": "KeyP", "l": "KeyL", "t": "KeyT", "h": "KeyH", "o": "KeyO", "z": "KeyZ",
    "m": "KeyM", "f": "KeyF", "c": "KeyC", "r": "KeyR", "d": "KeyD", ",": "Comma", ".": "Period", "5": "Digit5",
}  # fmt: skip
TYPED = {
    "russian": dict(zip(ENGLISH, "олтздерщяьаскв", strict=False)) | {",": "б", ".": "ю"},
    "greek": dict(zip(ENGLISH, "ξκνπλτηοζμφψρδ", strict=False)),
}  # fmt: skip
LAYOUTS = list(TYPED)


def press(page: Page, layout: str, *keys: str, shift: bool = False) -> None:
    """Type keys of the English keyboard on a keyboard with another ``layout``."""
    for key in keys:
        typed = TYPED[layout].get(key, key)
        values = {
            "key": typed.upper() if shift else typed,
            "code": ENGLISH[key],
            "shiftKey": shift,
        }
        page.evaluate(
            """values => { for (const type of ["keydown", "keyup"])
                document.activeElement.dispatchEvent(new KeyboardEvent(type, { ...values, bubbles: true, cancelable: true })); }""",
            values,
        )


#: What a key types, its place, whether Shift is held, and what shortcuts call it.
KEYS = [
    ("о", "KeyJ", False, "j"), ("О", "KeyJ", True, "j"), ("ξ", "KeyJ", False, "j"), ("ה", "KeyV", False, "v"),
    ("ㄹ", "KeyF", False, "f"), ("か", "KeyT", False, "t"), ("ด", "KeyF", False, "f"), ("لا", "KeyB", False, "b"),
    ("б", "Comma", False, ","), ("Ю", "Period", True, ">"), ("٥", "Digit5", False, "5"), ("Process", "KeyF", False, "f"),
    ("№", "Digit3", True, "№"),
    # Latin letters and signs are what is typed, wherever they are: AZERTY, QWERTZ, Dvorak, Polish.
    ("a", "KeyQ", False, "a"), ("Z", "KeyY", True, "z"), (",", "KeyW", False, ","), ("-", "Slash", False, "-"),
    ("é", "Digit2", False, "é"), ("ö", "Semicolon", False, "ö"), ("Ł", "KeyL", True, "ł"), ("?", "Minus", True, "?"),
    ("Enter", "Enter", False, "Enter"), (" ", "Space", False, " "), ("ArrowUp", "ArrowUp", False, "ArrowUp"),
    ("Dead", "Quote", False, "Dead"), ("я", "", False, "я"), ("я", "IntlBackslash", False, "я"),
]  # fmt: skip


def test_a_key_is_what_it_types_or_what_its_place_does(visit: Visit) -> None:
    page = visit("/robots.txt")
    script = """async (keys) => {
        const { keyOf } = await import("/static/web/key.js");
        return keys.map(([key, code, shiftKey]) => keyOf(new KeyboardEvent("keydown", { key, code, shiftKey }))); }"""
    found = page.evaluate(script, [key[:3] for key in KEYS])
    assert list(zip(KEYS, found, strict=True)) == [(key, key[3]) for key in KEYS]


@pytest.mark.long(beside="tests/e2e/test_layouts.py::test_flags_of_a_position")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_lists_are_walked(visit: Visit, store: Any, layout: str) -> None:  # noqa: F811 - the fixture
    put(game_file(1))
    put(game_file(2))
    page = visit("/replays/")
    where = "document.activeElement.pathname"
    press(page, layout, "j")
    first = page.evaluate(where)
    press(page, layout, "j")
    second = page.evaluate(where)
    assert first != second
    press(page, layout, "k")
    assert page.evaluate(where) == first is not None
    page.locator("[data-search]").first.focus()
    press(page, layout, "j")
    assert page.evaluate("document.activeElement.name") == "q"  # what is typed into a field is text


@pytest.mark.long(beside="tests/e2e/test_layouts.py::test_playing_and_setting_keys")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_keys_of_the_viewer(visit: Visit, store: Any, transactional_db: None, layout: str) -> None:  # noqa: F811
    game: Replay = put(game_file(1, Level.EXPERT))
    page = opened(visit, game.get_absolute_url())
    page.locator("[data-film] [data-part=frame]").focus()
    begin = state(page)
    press(page, layout, "5")
    assert state(page)["time"] > begin["time"]
    press(page, layout, ".", ".", ",")
    at = state(page)["event"]
    press(page, layout, ".")
    assert state(page)["event"] == at + 1
    trail = state(page)["trail"]
    press(page, layout, "t")
    assert state(page)["trail"] != trail
    press(page, layout, "o")
    until(page, "document.querySelector('[data-film]').viewer.layers?.on.has('openings')")
    press(page, layout, "n")
    moment = state(page)["event"]
    press(page, layout, "n")
    press(page, layout, "n", shift=True)
    assert state(page)["event"] == moment
    press(page, layout, "k")
    assert state(page)["playing"]


@pytest.mark.parametrize("layout", rest_long(*LAYOUTS))
def test_playing_and_setting_keys(open_game: OpenGame, layout: str) -> None:
    game = open_game()
    page = game.page
    game.move(1, 1)
    press(page, layout, "f", "c")
    flag, chord = [Kind.RIGHT_PRESS, Kind.RIGHT_RELEASE], [Kind.MIDDLE_PRESS, Kind.MIDDLE_RELEASE]
    assert [kind for kind, *_cell in game.buttons()] == [*flag, *chord]
    press(page, layout, "r")
    game.until("socketDouble.sent.filter((message) => message.type === 'start').length === 2")
    page.get_by_role("button", name="Settings").click()
    field = page.get_by_label("Flag", exact=True)
    field.focus()
    press(page, layout, "d")
    expect(field).to_have_value("D")  # the same key, whatever layout is on


@pytest.mark.long(beside="tests/e2e/test_layouts.py::test_flags_of_a_position")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_flags_in_a_room(enter: Enter, layout: str) -> None:
    fake = FakeRoom(TINY, sealed=True, rules=Rules(flags=True, chords=True))
    page, guest = enter(fake, "Ann")
    page.locator("[data-room] [data-board]").focus()
    for key in ("ArrowDown", *["ArrowUp"] * 6, "Home", "ArrowRight"):
        page.keyboard.press(key)
    expect(page.locator("[data-room] [data-said]")).to_have_text("row 1, column 2: closed")  # a mine
    press(page, layout, "f")
    expect(page.locator("[data-room] [data-said]")).not_to_have_text("row 1, column 2: closed")
    assert wire.Flag in [type(one) for one in guest.sent]


@pytest.mark.parametrize("layout", rest_long(*LAYOUTS))
def test_flags_of_a_position(visit: Visit, layout: str) -> None:
    page = visit("/tools/probability/?position=1./..&mines=1")
    cell = page.locator("table.position tbody tr").first.locator("td").nth(1)
    cell.focus()
    press(page, layout, "f")
    expect(cell).to_have_class("closed flag")
    press(page, layout, ".")
    expect(cell).to_have_class("closed")
