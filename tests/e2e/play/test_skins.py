"""Skins: one choice for the boards of every page, readable in light and in dark."""

from __future__ import annotations

import itertools
from typing import Any, Final

import pytest

from analysis.recording import Level
from replays.models import Replay
from tests.e2e.conftest import Visit
from tests.e2e.play.conftest import OpenGame
from tests.e2e.play.table import GamePage
from tests.e2e.test_browser import put
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.games import game_file

SKINS: Final = ("classic", "clean", "dark", "safe")
LEAST_RATIO: Final = 4.5  # WCAG 1.4.3
#: What skin.js draws with, in the element of a board.
_THEME: Final = """async (selector) => {
  const { skinTheme } = await import("/static/play/skin.js");
  return skinTheme(document.querySelector(selector));
}"""


def theme(game: GamePage) -> dict[str, Any]:
    found: dict[str, Any] = game.page.evaluate(_THEME, "[data-board]")
    return found


def ratio(one: str, other: str) -> float:
    def luminance(code: str) -> float:
        parts = [int(code[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        return sum(
            weight * (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
            for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True)
        )

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.long(beside="tests/e2e/play/test_skins.py::test_a_small_flag_is_a_pennant")
def test_every_skin_is_readable_and_its_own(open_game: OpenGame) -> None:
    game = open_game(color_scheme="light")
    game.page.get_by_role("button", name="Settings").click()
    assert same_skins(game) == set()
    game.page.emulate_media(color_scheme="dark")
    assert same_skins(game) == {("classic", "dark")}


def same_skins(game: GamePage) -> set[tuple[str, str]]:
    """Check that digits are readable on each skin; return the pairs that look alike."""
    themes = {}
    for skin in SKINS:
        game.page.get_by_label("Skin").select_option(skin)
        themes[skin] = theme(game)
        digits = themes[skin]["digits"][1:]
        assert {
            digit: ratio(digit, themes[skin]["open"])
            for digit in digits
            if ratio(digit, themes[skin]["open"]) < LEAST_RATIO
        } == {}
        assert len(set(digits)) == 8
    assert [themes[skin]["flat"] for skin in SKINS] == [False, True, False, False]
    assert themes["dark"]["dark"]
    return {(one, other) for one, other in itertools.combinations(SKINS, 2) if themes[one] == themes[other]}


#: How many pixels of a drawn flag have the colour of the cloth, and how many that of the mast.
_FLAG: Final = """async (cellPx) => {
  const { makeSkin, skinTheme, FLAG } = await import("/static/play/skin.js");
  const theme = { ...skinTheme(document.querySelector("[data-board]")), flag: "#ff0000", pole: "#0000ff" };
  const { size, draw } = makeSkin({ cellPx, dpr: 1, theme });
  const ctx = Object.assign(document.createElement("canvas"), { width: size, height: size }).getContext("2d");
  draw(ctx, FLAG, 0, 0);
  const found = [0, 0];
  const { data } = ctx.getImageData(0, 0, size, size);
  for (let at = 0; at < data.length; at += 4) {
    if (data[at] > data[at + 2] + 60) found[0] += 1;
    if (data[at + 2] > data[at] + 60) found[1] += 1;
  }
  return found;
}"""


def test_a_small_flag_is_a_pennant(open_game: OpenGame) -> None:
    """A mast on its base with a small pennant, on 12 px or on 24, is taken for the digit 1."""
    page = open_game().page
    cloth, mast = page.evaluate(_FLAG, 32)
    assert mast > cloth
    for cell_px in (12, 24):
        cloth, mast = page.evaluate(_FLAG, cell_px)
        assert cloth > 2 * mast > 0


@pytest.mark.long(beside="tests/e2e/play/test_skins.py::test_a_small_flag_is_a_pennant")
def test_the_skin_is_kept_and_films_take_it(open_game: OpenGame, visit: Visit, store: Any) -> None:  # noqa: F811 - the fixture
    replay: Replay = put(game_file(1, Level.BEGINNER))
    game = open_game()
    before = game.page.evaluate("document.querySelector('[data-board] canvas').toDataURL()")
    game.page.get_by_role("button", name="Settings").click()
    game.page.get_by_label("Skin").select_option("clean")
    game.until(f"document.querySelector('[data-board] canvas').toDataURL() !== {before!r}")
    assert len(game.sent("new")) == 1  # the game goes on
    chosen = theme(game)
    game.page.goto(replay.get_absolute_url())
    game.until("document.querySelector('.film-cells') !== null")
    film = game.page.evaluate(_THEME, ".film-cells")
    assert (film["digits"], film["flat"]) == (chosen["digits"], True)


@pytest.mark.long(beside="tests/e2e/play/test_skins.py::test_a_small_flag_is_a_pennant")
def test_the_site_can_be_installed(visit: Visit) -> None:
    page = visit("/play/")
    cdp = page.context.new_cdp_session(page)
    manifest = cdp.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"].endswith(".webmanifest")
    wrong = cdp.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [error["errorId"] for error in wrong if error["errorId"] != "in-incognito"] == []
