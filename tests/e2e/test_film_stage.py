"""The stage of a film: its poster, the displays, the panel, and what is in the first view."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.utils import translation
from playwright.sync_api import Page, expect

from analysis.recording import Level
from analysis.review import Weight
from players.templatetags.led import led
from replays.models import Replay
from replays.watch.review.review_texts import count_text
from tests.e2e.conftest import Visit, hold
from tests.e2e.film import use_film
from tests.e2e.page_measures import observe, shifts_of
from tests.e2e.test_browser import put
from tests.e2e.test_film_page import VIEWER, frame, press, state, until
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.games import game_file

pytestmark = pytest.mark.usefixtures("luck_compiled")
DIGITS = """() => ["led-mines", "led-time"].map((name) =>
  [...document.querySelectorAll(`[data-part=${name}] path.son`)].map((one) => one.getAttribute("d")))"""
POINT = "() => Number(document.querySelector('[data-part=led-time] circle').getAttribute('cx'))"
#: The signs by their lit segments.
SIGNS = {re.findall(r'class="son" d="([^"]*)"', str(led(sign)))[0]: sign for sign in "0123456789-"}
BOXES = """() => {
  const bar = document.querySelector(".film-bar").getBoundingClientRect();
  const tabs = document.querySelector(".tabbar");
  const parts = [...document.querySelectorAll(".cab-bar, .film-stage, .film-strip, .film-bar")].map((one) => one.getBoundingClientRect());
  return {
    top: bar.top, bottom: bar.bottom, wide: document.documentElement.scrollWidth - innerWidth,
    free: innerHeight - (tabs?.checkVisibility() ? tabs.offsetHeight : 0),
    apart: parts.every((one, place) => !place || parts[place - 1].bottom <= one.top + 0.5),
    small: [...document.querySelectorAll(".film-bar > button, .film-bar summary, .film-legend button, .film-tabs label")]
      .filter((one) => one.checkVisibility()).filter((one) => Math.min(one.offsetWidth, one.offsetHeight) < 24).length,
  };
}"""
#: Where the legend is with these counts, as it is drawn for this many kinds.
LEGEND = """(texts) => {
  const line = document.querySelector(".film-legend .line");
  const [made] = line.children;
  line.replaceChildren(...texts.map((text) => {
    const button = made.cloneNode(true);
    button.querySelector(".words").textContent = text;
    button.querySelector(".number").textContent = /\\d+/.exec(text)[0];
    return button;
  }));
  const boxes = [...line.children].map((one) => one.getBoundingClientRect());
  const [frame, strip, before, after] = [".film-bar", ".film-strip", ".film-rate", "[data-part=layers]"].map((name) => document.querySelector(name).getBoundingClientRect());
  const isBelow = getComputedStyle(document.querySelector(".film-legend")).position === "absolute"; // of a phone: between the timeline and the bar
  const [left, right, top, bottom] = isBelow ? [0, innerWidth, strip.bottom, frame.top] : [before.right, after.left, frame.top, frame.bottom];
  return boxes.every((one) => one.top === boxes[0].top && top <= one.top && one.bottom <= bottom && left <= one.left && one.right <= right);
}"""


@pytest.fixture
def tolerated() -> list[str]:
    return ["status of 4"]


@pytest.fixture
def game(store: Any, transactional_db: None) -> Replay:  # noqa: F811 - the fixture
    return put(game_file(1, Level.EXPERT))


def displays(page: Page) -> list[str]:
    """Return the texts of the two displays over the film."""
    mines, time = ("".join(SIGNS[digit] for digit in digits) for digits in page.evaluate(DIGITS))
    point = round(page.evaluate(POINT) / 26)
    return [mines, f"{time[:point]}.{time[point:]}"]


def ready(visit: Visit, path: str, **options: Any) -> Page:
    page = visit(path, **options)
    expect(page.locator("[data-film][data-state=ready][data-review]")).to_have_count(1)
    return page


_OTHER_SIZE = pytest.mark.long(beside="tests/e2e/test_film_stage.py::test_space_plays_wherever_the_focus_is")
_OTHER_SIZES = (pytest.param(size, marks=_OTHER_SIZE) for size in ((1280, 720), (1366, 768), (768, 1024)))


@pytest.mark.long(beside="tests/e2e/test_film_stage.py::test_space_plays_wherever_the_focus_is")
@pytest.mark.parametrize("size", [(390, 844), *_OTHER_SIZES])
def test_controls_are_in_the_first_view(visit: Visit, game: Replay, size: tuple[int, int]) -> None:
    page = visit("about:blank", width=size[0], height=size[1])
    observe(page)
    page.goto(game.get_absolute_url())
    expect(page.locator("[data-film][data-state=ready][data-review]")).to_have_count(1)
    expect(page.locator("#review")).to_have_count(1)
    found = page.evaluate(BOXES)
    assert 0 < found["top"] < found["bottom"] <= found["free"], found
    assert (found["wide"], found["apart"], found["small"]) == (0, True, 0), found
    use_film(page)
    assert sum(shift.value for shift in shifts_of(page)) <= 0.01, shifts_of(page)
    for language in ("en", "zh-hans"):
        with translation.override(language):
            texts = [count_text(weight, 12) for weight in reversed(Weight)]
        for kinds in range(1, len(texts) + 1):
            assert page.evaluate(LEGEND, texts[:kinds]), (language, kinds, "the legend is one line of the bar")


MEASURES = """() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const labels = [...document.querySelectorAll(".film-tabs label")].filter((one) => one.checkVisibility()).map((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return one.getBoundingClientRect().width - range.getBoundingClientRect().width;
  });
  const bar = document.querySelector(".film-bar");
  const line = bar.clientLeft === 1 && getComputedStyle(bar).backgroundClip === "padding-box"; // what is around the film is seen there
  return { hint: box(".film-hint").bottom <= box(".film-stage").top, disc: box(".film-disc").width, line, labels };
}"""


@pytest.mark.long(beside="tests/e2e/test_film_stage.py::test_the_poster_is_the_finished_board")
def test_nothing_but_the_disc_is_over_the_poster(visit: Visit, game: Replay) -> None:
    """A label of the panel is as wide as its words, and the time at the end is that of the lists."""
    page = ready(visit, game.get_absolute_url())
    expect(page.locator("#review-count")).to_have_text(re.compile(r"^\d+$"))
    for width, height, disc in ((1280, 720, 96), (390, 844, 48)):
        page.set_viewport_size({"width": width, "height": height})
        until(page, f"document.querySelector('.film-disc').getBoundingClientRect().width === {disc}")
        found = page.evaluate(MEASURES)
        assert found["hint"]
        assert found["line"]
        assert all(more < 1 for more in found["labels"]), found
    time = page.locator("[data-part=time]")
    length = page.locator(".film-length").text_content() or ""
    assert length.strip("/ s") == page.locator("h1").inner_text().split()[0]
    use_film(page)
    frame(page).focus()
    press(page, "End")
    assert f"{time.input_value()} s" in length


@pytest.mark.long(beside="tests/e2e/test_film_stage.py::test_the_poster_is_the_finished_board")
def test_controls_stick_to_the_bottom_of_a_phone(visit: Visit, game: Replay) -> None:
    page = ready(visit, game.get_absolute_url(), width=390, height=400)
    found = page.evaluate(BOXES)
    assert found["bottom"] == pytest.approx(found["free"], abs=1)


def test_the_poster_is_the_finished_board(visit: Visit, game: Replay) -> None:
    """Until somebody goes to a moment; the play disc plays it from the beginning."""
    page = ready(visit, game.get_absolute_url())
    assert page.evaluate(f"() => [{VIEWER}.event, {VIEWER}.poster]") == [0, True]
    faces = f"() => {VIEWER}.board.faces.join()"
    poster = page.evaluate(faces)
    mines, time = displays(page)
    assert int(mines) == (game.mines or 0) - int(game.statistic("flags") or 0)
    assert float(time) == float(game.statistic("time") or 0)
    slider = page.locator("[data-part=range]")
    assert slider.evaluate("(range) => range.value === range.max"), "the slider is where the board is"
    assert float(page.locator("[data-part=time]").input_value()) == float(time)
    expect(slider).to_have_attribute("aria-valuetext", f"{page.locator('[data-part=time]').input_value()} s")
    use_film(page)
    expect(page.locator("[data-film][data-poster]"), "a sign of a person alone does not leave it").to_have_count(1)
    page.locator("[data-do=play]").click()
    until(page, f"{VIEWER}.clock.playing && {VIEWER}.event > 0")
    expect(page.locator("[data-film][data-poster]")).to_have_count(0)
    expect(page.locator("[data-do=play]")).to_be_hidden()
    frame(page).focus()
    press(page, "Space", "Home")
    assert displays(page) == [f"{game.mines or 0:03}", f"{state(page)['time'] / 1000:0{len(time)}.3f}"]
    assert page.evaluate(faces) != poster
    press(page, "End")
    assert page.evaluate(faces) == poster
    assert displays(page) == [mines, time]


@pytest.mark.long(beside="tests/e2e/test_film_stage.py::test_space_plays_wherever_the_focus_is")
def test_space_before_the_film_is_there_plays_it_when_it_is(visit: Visit, game: Replay) -> None:
    """On a slow line the page would scroll by a screen."""
    page = visit("/robots.txt", height=500)
    come = hold(page, "**/film?v=*")
    page.goto(game.get_absolute_url())
    until(page, "document.querySelector('[data-film]').dataset.state === 'loading'")
    page.keyboard.press("Space")
    page.wait_for_timeout(300)  # it would scroll smoothly
    assert page.evaluate("scrollY") == 0
    assert not page.evaluate(f"Boolean({VIEWER}.film)")
    come()
    until(page, f"{VIEWER}.clock?.playing")


@pytest.mark.long(beside="tests/e2e/test_film_stage.py::test_the_poster_is_the_finished_board")
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1180, 800), (390, 844)])
def test_the_menu_of_layers_is_not_over_the_board(visit: Visit, game: Replay, width: int, height: int) -> None:
    page = ready(visit, game.get_absolute_url(), width=width, height=height)
    use_film(page)
    page.locator("[data-part=layers] > summary").click()
    menu = page.locator("[data-part=layers] > .menu-body")
    expect(menu).to_be_visible()
    board, found = page.locator(".film-stage").bounding_box(), menu.bounding_box()
    assert board
    assert found
    apart = found["x"] >= board["x"] + board["width"] - 1 or found["y"] >= board["y"] + board["height"] - 1
    assert apart, (board, found)
    assert 0 <= found["x"] <= found["x"] + found["width"] <= width
    assert found["y"] + found["height"] <= height


def test_space_plays_wherever_the_focus_is(visit: Visit, game: Replay) -> None:
    """But not in fields and on buttons, where it does something else; also before the viewer can be used."""
    page = ready(visit, game.get_absolute_url())
    page.locator("main h1").click()
    top = page.evaluate("scrollY")
    page.keyboard.press("Space")
    until(page, f"{VIEWER}.clock?.playing")
    assert page.evaluate("scrollY") == top, "the page does not scroll"
    page.keyboard.press("Space")
    assert not state(page)["playing"]
    for elsewhere in (
        page.locator("[data-search]"),
        page.locator("[data-theme-toggle]").first,
        page.locator("a.brand"),
    ):
        elsewhere.focus()
        assert not press(page, "Space")["playing"]


@pytest.mark.long(beside="tests/e2e/test_film_stage.py::test_the_poster_is_the_finished_board")
def test_counts_go_to_the_next_remark(visit: Visit, game: Replay) -> None:
    page = ready(visit, game.get_absolute_url())
    expect(page.locator("#film-legend button").first).to_be_visible()
    counted = page.locator("#film-legend button").evaluate_all(
        "all => Object.fromEntries(all.map((one) => [one.dataset.next, Number(/\\d+/.exec(one.textContent)[0])]))"
    )
    use_film(page)
    moments = page.evaluate(f"() => {VIEWER}.timeline.moments.map((one) => [one.weight, one.event])")
    assert counted == {weight: sum(one[0] == weight for one in moments) for weight in counted}
    assert sum(counted.values()) == len(moments)
    weight = next(iter(counted))
    events = sorted({event for one, event in moments if one == weight})
    button = page.locator(f"[data-next={weight}]")
    visited = []
    for _ in range(len(events) + 1):
        button.click()
        visited.append(state(page)["event"])
    assert visited == [*events, events[0]]
    assert press(page, "Space")["playing"], "a count that was clicked does not keep the focus"


@pytest.mark.long(beside="tests/e2e/test_film_look.py::test_play_is_in_sight_and_space_plays")
def test_the_panel_shows_one_part(visit: Visit, game: Replay) -> None:
    page = ready(visit, game.get_absolute_url())
    use_film(page)
    panes = {"Review": ".film-pane-review", "Stats": ".film-pane-numbers", "Logic": ".film-pane-logic"}
    for tab in panes:
        page.locator(".film-tabs label", has_text=tab).click()
        for name, pane in panes.items():
            expect(page.locator(pane)).to_be_visible(visible=name == tab)


@pytest.mark.long(beside="tests/e2e/test_film_stage.py::test_the_poster_is_the_finished_board")
def test_a_layer_leaves_the_poster(visit: Visit, game: Replay) -> None:
    page = ready(visit, game.get_absolute_url())
    use_film(page)
    frame(page).focus()
    press(page, "o")
    expect(page.locator("[data-film][data-poster]")).to_have_count(0)


SHOWN = """async ([drawn, seconds]) => {
  const { Led } = await import("/static/play/look/led.js");
  document.body.innerHTML = drawn;
  new Led(document.querySelector("svg")).showTime(seconds);
  return [...document.querySelectorAll("path.son")].map((one) => one.getAttribute("d"));
}"""


@pytest.mark.long(beside="tests/e2e/test_film_stage.py::test_the_poster_is_the_finished_board")
def test_a_display_keeps_the_places_that_the_page_has_drawn(visit: Visit) -> None:
    page = visit("/robots.txt")
    for drawn, seconds, shown in (
        ("040.55", 7.259, "00725"),
        ("040.55", 1_000.01, "99999"),
        ("1234.567", 1_000.0019, "1000001"),
        ("000", 12.9, "012"),
    ):
        assert "".join(SIGNS[digit] for digit in page.evaluate(SHOWN, [str(led(drawn)), seconds])) == shown
