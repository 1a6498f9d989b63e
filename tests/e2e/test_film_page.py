"""The viewer on the page of a replay and on other sites: keys, controls, layers, addresses, failures."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from PIL import Image
from playwright.sync_api import Browser, Page, Route, expect

from analysis import formats
from analysis.analyse import analyse
from analysis.film import film_of
from analysis.recording import Level
from analysis.statistics import BY_NAME, STATISTICS
from analysis.time_convention import value_text
from players.models import User
from replays.models import Replay, file_store
from tests.e2e.conftest import Visit, sign_in
from tests.e2e.film import use_film, used
from tests.e2e.test_browser import put
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.games import game_file, largest_game
from tests.services import wait_until

VIEWER = "document.querySelector('[data-film]').viewer"
State = dict[str, Any]


@pytest.fixture
def tolerated() -> list[str]:
    return ["status of 4", "status of 5"]  # a browser tells every refusal on its console


@pytest.fixture
def game(store: Any, transactional_db: None) -> Replay:  # noqa: F811 - the fixture
    return put(game_file(1, Level.EXPERT))


def opened(visit: Visit, path: str, **options: Any) -> Page:
    page = visit(path, **options)
    use_film(page)
    return page


def state(page: Page) -> State:
    found: State = page.evaluate(
        f"""() => {{ const v = {VIEWER}; return {{ event: v.event, acts: v.acts, time: v.clock.time, rate: v.clock.rate,
        playing: v.clock.playing, state: v.root.dataset.state, events: v.film.times.length, layers: [...(v.layers?.on ?? [])].sort(),
        trail: v.trail.mode, full: Boolean(document.fullscreenElement), help: v.find("help").open,
        begin: v.clock.begin, end: v.clock.end }}; }}"""
    )
    return found


def click_events(page: Page) -> list[int]:
    """Return how many events have been played once each click is done."""
    found: list[int] = page.evaluate(
        f"() => {{ const v = {VIEWER}; return v.clicks.all.map((act) => v.film.places[act] + 1); }}"
    )
    return found


def moment_events(page: Page, *kinds: str) -> list[int]:
    script = f"(kinds) => {VIEWER}.timeline.moments.filter((one) => !kinds.length || kinds.includes(one.kind)).map((one) => one.event)"
    found: list[int] = page.evaluate(script, list(kinds))
    return found


def frame(page: Page) -> Any:
    return page.locator("[data-film] [data-part=frame]")


def press(page: Page, *keys: str) -> State:
    for key in keys:
        page.keyboard.press(key)
        page.evaluate(f"() => {VIEWER}.controls?.layering")
    return state(page)


def choose_numbers(page: Page) -> None:
    page.get_by_text("Stats", exact=True).click()
    page.get_by_text("Choose statistics", exact=True).click()


def until(page: Page, condition: str) -> None:
    """Wait until an expression is true; ``wait_for_function`` would need a policy that allows ``eval``."""
    for _ in range(400):
        if page.evaluate(f"() => Boolean({condition})"):
            return
        page.wait_for_timeout(50)
    pytest.fail(f"never true: {condition}")


def row_texts(page: Page) -> dict[str, str]:
    script = "() => Object.fromEntries([...document.querySelectorAll('[data-part=rows] tr')].map((row) => [row.cells[0].textContent, row.cells[1].textContent]))"
    found: dict[str, str] = page.evaluate(script)
    return found


# --- keys ---


def begin_at(page: Page, start: str) -> None:
    """Give the viewer the focus; or click a checkbox of a menu there and back, which then has it."""
    if start == "board":
        frame(page).focus()
        return
    page.get_by_text("Layers", exact=True).click()
    page.locator("[data-layer=bv]").click()
    page.locator("label", has=page.locator("[data-layer=bv]")).click()


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
@pytest.mark.parametrize("start", ["board", "checkbox"])
def test_every_key(visit: Visit, game: Replay, start: str) -> None:
    """Each row of the table of keys, by real events."""
    page = opened(visit, game.get_absolute_url())
    events, last = click_events(page), len(film_of(analyse(formats.read(file_store.get(game.sha256)))).events)
    begin_at(page, start)
    assert press(page, "Home")["event"] == 0
    assert press(page, "ArrowRight")["event"] == events[0]
    assert press(page, "ArrowRight", "ArrowRight")["event"] == events[2]
    assert press(page, "ArrowLeft")["event"] == events[1]
    assert press(page, ".")["event"] == events[1] + 1
    assert press(page, ",", ",")["event"] == events[1] - 1
    time = press(page, "5")["time"]
    at = state(page)
    assert time == pytest.approx((at["begin"] + at["end"]) / 2)
    assert press(page, "Shift+ArrowRight")["time"] == time + 1000
    assert press(page, "Shift+ArrowLeft")["time"] == time
    assert press(page, "l")["time"] == time + 5000
    assert press(page, "j")["time"] == time
    assert press(page, ">", ">")["rate"] == 2
    assert press(page, "Shift+ArrowRight")["time"] == time + 2000, "a second times the rate"
    assert press(page, "<")["rate"] == 1.5
    assert press(page, "=")["rate"] == 1
    assert press(page, "End")["event"] == last
    assert state(page)["state"] == "ended"
    assert press(page, "0")["event"] <= events[0]
    for digit in "123456789":
        assert press(page, digit)["time"] == pytest.approx(at["begin"] + int(digit) / 10 * (at["end"] - at["begin"]))
    for key in ("Space", "k"):
        press(page, "2")
        assert press(page, key)["playing"]
        assert not press(page, key)["playing"]
    for key, layer in (("h", "heat"), ("p", "odds"), ("o", "openings"), ("z", "zini"), ("m", "bv")):
        assert layer in press(page, key)["layers"]
        assert layer not in press(page, key)["layers"]
    assert [press(page, "t")["trail"] for _ in range(4)] == ["click", "all", "off", "recent"]
    assert press(page, "?")["help"]
    assert not press(page, "Escape")["help"]
    press(page, "f")
    until(page, "Boolean(document.fullscreenElement)")
    press(page, "f")
    until(page, "!document.fullscreenElement")


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
@pytest.mark.parametrize("start", ["board", "checkbox"])
def test_keys_of_guesses_and_other_moments(visit: Visit, game: Replay, start: str) -> None:
    page = opened(visit, game.get_absolute_url())
    expect(page.locator("[data-film][data-review=ready]")).to_have_count(1)
    guesses = moment_events(page, "certain_mine", "needless_guess", "worse_guess", "best_guess")
    every = moment_events(page)
    assert guesses
    assert len(set(every)) > len(set(guesses))
    begin_at(page, start)
    press(page, "Home")
    assert [press(page, "PageDown")["event"] for _ in sorted(set(guesses))] == sorted(set(guesses))
    assert press(page, "PageUp")["event"] == sorted(set(guesses))[-2] if len(set(guesses)) > 1 else True
    press(page, "Home")
    assert [press(page, "n")["event"] for _ in sorted(set(every))] == sorted(set(every))
    assert press(page, "Shift+N")["event"] == sorted(set(every))[-2]


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_the_help_lists_every_key(visit: Visit, game: Replay) -> None:
    page = opened(visit, game.get_absolute_url())
    script = "import('/static/watch/film/keys.js').then(({ KEYS }) => KEYS.map(([action, keys]) => [action, keys]))"
    table = page.evaluate(script)
    for part in ("dt", "dd"):
        expect(page.locator(f"[data-part=keys] {part}")).to_have_count(len(table))
    assert all(page.locator("[data-part=keys] dd").all_text_contents())
    does = page.evaluate(f"() => Object.keys({VIEWER}.controls.does)")
    assert {action for action, _keys in table} <= set(does)


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_copied_link_leads_back(visit: Visit, game: Replay) -> None:
    page = opened(visit, game.get_absolute_url(), permissions=["clipboard-read", "clipboard-write"])
    frame(page).focus()
    here = press(page, "ArrowRight", "ArrowRight", "ArrowRight")
    expect(page.locator("[data-part=status]")).to_contain_text("3 of")  # said a moment after the step
    press(page, "c")
    expect(page.locator("[data-part=status]")).to_have_text("Copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    again = opened(visit, link)
    assert state(again)["time"] == here["time"]
    assert state(again)["acts"] >= here["acts"]


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_keys_work_after_a_click_elsewhere_in_the_viewer(visit: Visit, game: Replay) -> None:
    page = opened(visit, game.get_absolute_url())
    page.get_by_text("Layers", exact=True).click()
    page.locator("[data-layer=bv]").click()
    events = click_events(page)
    assert press(page, "Home", "ArrowRight")["event"] == events[0]
    assert press(page, "Escape")["layers"] == ["bv"]
    expect(page.locator("details.menu[open]")).to_have_count(0)
    page.get_by_text("Layers", exact=True).click()
    page.locator("[data-layer=heat]").focus()
    assert not press(page, "Space")["playing"], "who came by keyboard sets checkboxes with Space"
    assert press(page, "Space")["layers"] == ["bv"]
    press(page, "Escape")
    page.locator("[data-do=next]").click()
    assert press(page, "Space")["playing"], "a button that was clicked does not keep the focus"
    press(page, "Space")
    page.locator("[data-part=range]").focus()
    press(page, "Home")
    assert press(page, "ArrowRight")["event"] == events[0], "the slider's arrows are the same steps"


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_keys_stay_with_the_page_and_with_text_fields(visit: Visit, game: Replay) -> None:
    page = opened(visit, game.get_absolute_url())
    before = state(page)
    page.locator("main h1").click()
    assert press(page, "5", "p", "Home") == before, "outside of the viewer"
    frame(page).focus()
    top = page.evaluate("scrollY")
    press(page, "ArrowDown")
    until(page, f"scrollY > {top}")
    field = page.locator("[data-part=time]")
    field.fill("12.5")
    field.press("k")
    assert not state(page)["playing"]
    field.fill("12.5")
    field.press("Enter")
    assert state(page)["time"] == 12500
    field.fill("12.345")
    field.press("Enter")
    assert state(page)["time"] == 12345


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_single_letters_can_be_turned_off(visit: Visit, game: Replay) -> None:
    page = opened(visit, game.get_absolute_url())
    frame(page).focus()
    press(page, "?")
    page.locator("[data-part=letters]").uncheck()
    frame(page).focus()
    assert press(page, "p", "k", "Shift+N")["layers"] == []
    assert not state(page)["playing"]
    frame(page).focus()  # K belonged to the lists of the page this time
    assert press(page, "Home", "ArrowRight")["event"] == click_events(page)[0]
    page.reload()
    used(page)
    frame(page).focus()
    assert press(page, "p")["layers"] == [], "kept by the browser"


# --- before the viewer can be used ---


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_a_lost_file")
def test_what_is_done_early_is_done_when_it_can(visit: Visit, game: Replay) -> None:
    """The first view loads nothing of the controls; a click before they are there is not lost."""
    requested: list[str] = []
    held: list[Route] = []
    page = visit("about:blank")
    page.on("request", lambda request: requested.append(request.url))
    page.route("**/film/use.js", lambda route: held.append(route))
    page.goto(game.get_absolute_url())
    expect(page.locator("[data-film][data-state=ready][data-review=ready]")).to_have_count(1)
    lazy = ("use.js", "controls.js", "keys.js", "layers.js", "trail.js", "/odds")
    assert not [url for url in requested if any(part in url for part in lazy)]
    page.locator("[data-do=next]").click()
    frame(page).focus()
    page.keyboard.press("ArrowRight")
    page.locator("[data-do=toggle]").focus()
    page.keyboard.press("Space")
    page.get_by_text("Layers", exact=True).click()
    assert page.evaluate(f"{VIEWER}.event") == 0
    until(page, f"{VIEWER}.using")
    assert len(held) == 1
    held[0].continue_()
    until(page, f"{VIEWER}.clock.playing")
    assert state(page)["event"] >= click_events(page)[1], "two clicks on, then it plays"
    expect(page.locator("details.menu[open] summary")).to_have_text("Layers", use_inner_text=True)


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_a_lost_file")
def test_controls_that_cannot_be_loaded_are_tried_again(visit: Visit, game: Replay, tolerated: list[str]) -> None:
    tolerated.append("Failed to load resource")
    page = visit("about:blank")
    page.route("**/film/use.js", lambda route: route.abort())
    page.goto(game.get_absolute_url())
    expect(page.locator("[data-film][data-state=ready]")).to_have_count(1)
    page.mouse.move(50, 50)
    expect(page.locator("[data-part=note]")).to_contain_text("couldn't load")
    page.unroute("**/film/use.js")
    page.mouse.move(60, 60)
    used(page)


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_a_lost_file")
def test_parts_are_loaded_when_they_are_opened(visit: Visit, game: Replay, tolerated: list[str]) -> None:
    """Playing and dragging need none of them; one that could not be loaded is told, and the rest goes on."""
    tolerated.append("Failed to load resource")
    requested: list[str] = []
    page = visit("about:blank")
    page.on("request", lambda request: requested.append(request.url))
    page.goto(game.get_absolute_url())
    expect(page.locator("[data-film][data-state=ready]")).to_have_count(1)
    page.keyboard.press("Space")
    used(page)
    until(page, f"{VIEWER}.clock.playing && {VIEWER}.event > 0")
    page.locator("[data-part=range]").fill("20000")
    frame(page).focus()
    press(page, "Space")

    def late() -> set[str]:
        parts = ("overlay.js", "layers.js", "/odds", "/route", "film/clicks.js", "position.js", "marks.js")
        return {part for part in parts if any(part in url for url in requested)}

    assert late() == set()
    page.route("**/film/clicks.js", lambda route: route.abort())
    page.locator(".film-tabs label", has_text="Clicks").click()
    expect(page.locator("[data-part=note]")).to_contain_text("couldn't load")
    assert press(page, "m")["layers"] == ["bv"]
    assert late() == {"film/clicks.js", "overlay.js", "layers.js"}
    press(page, "p")
    expect(page.locator("[data-film][data-odds=ready]")).to_have_count(1)
    page.locator(".film-tabs label", has_text="Logic").click()
    expect(page.locator("[data-part=position][data-event]")).to_have_count(1)
    assert late() == {"film/clicks.js", "overlay.js", "layers.js", "/odds", "position.js", "marks.js"}


# --- playing ---


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_a_frame_is_drawn_once(visit: Visit, game: Replay) -> None:
    """Also if the film was paused and played again since the last one."""
    page = opened(visit, game.get_absolute_url())
    script = f"""async () => {{
      const v = {VIEWER};
      v.play();
      for (let times = 0; times < 3; times += 1) {{ v.pause(); v.play(); }}
      const inner = v.frame;
      let drawn = 0;
      v.frame = (now) => {{ drawn += 1; inner(now); }};
      for (let frames = 0; frames < 20; frames += 1) await new Promise((resume) => requestAnimationFrame(resume));
      return drawn;
    }}"""
    assert 15 <= page.evaluate(script) <= 20


def test_it_plays_to_the_end_and_shows_the_stored_numbers(visit: Visit, game: Replay) -> None:
    page = opened(visit, game.get_absolute_url())
    frame(page).focus()
    press(page, "9")
    page.locator("[data-part=rate]").fill("16")
    page.locator("[data-part=rate]").press("Enter")
    assert state(page)["rate"] == 16
    page.locator("[data-do=toggle]").click()
    until(page, f"{VIEWER}.root.dataset.state === 'ended'")
    at = state(page)
    assert (at["event"], at["time"]) == (at["events"], at["end"])
    page.evaluate("document.querySelectorAll('[data-part=choice] input:not(:checked)').forEach((box) => box.click())")
    texts = row_texts(page)
    stored = {row.label: game.statistic(row.name) for row in STATISTICS if row.stored}
    precision = game.time_precision_ms
    assert texts == {
        row.label: "–" if stored[row.label] is None else value_text(row, stored[row.label] or 0, precision_ms=precision)
        for row in STATISTICS
        if row.stored
    } | {"Mines left": str((game.mines or 0) - int(game.statistic("flags") or 0))}
    press(page, "Space")
    until(page, f"{VIEWER}.clock.playing && {VIEWER}.clock.time < {at['end']}")


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_numbers_in_between_are_those_of_the_film(visit: Visit, game: Replay) -> None:
    film = film_of(analyse(formats.read(file_store.get(game.sha256))))
    page = opened(visit, game.get_absolute_url())
    page.evaluate("document.querySelectorAll('[data-part=choice] input:not(:checked)').forEach((box) => box.click())")
    assert row_texts(page)["3BV/s"] == value_text(BY_NAME["bvs"], game.statistic("bvs") or 0), (
        "the poster shows the end"
    )
    frame(page).focus()
    press(page, "Home")
    assert row_texts(page)["3BV/s"] == "–", "nothing before the opening"
    frame(page).focus()
    press(page, "6", "ArrowRight")
    acts, texts = state(page)["acts"], row_texts(page)
    left, _right, _double, lce, rce, dce, _strict, flags, bvdone, opdone, isdone = film.counters[acts - 1].tolist()
    assert texts["Left clicks"] == str(left)
    assert texts["Mines left"] == str((game.mines or 0) - flags)
    assert texts["Effective clicks"] == str(lce + rce + dce)
    assert (texts["3BV solved"], texts["Openings solved"], texts["Islands solved"]) == (
        str(bvdone),
        str(opdone),
        str(isdone),
    )
    seconds = state(page)["time"] / 1000
    assert float(texts["3BV/s"]) == pytest.approx(bvdone / seconds, abs=0.0006)
    assert texts["3BV"] == str(game.statistic("bv"))
    assert texts["Greedy ZiNi/s"] == "–", "defined at the end of won games only"


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_a_hidden_tab_pauses(visit: Visit, game: Replay) -> None:
    page = opened(visit, game.get_absolute_url())
    page.locator("[data-do=toggle]").click()
    page.evaluate(
        "Object.defineProperty(document, 'hidden', { value: true }); document.dispatchEvent(new Event('visibilitychange'))"
    )
    assert not state(page)["playing"]


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_scrubbing_resumes(visit: Visit, game: Replay) -> None:
    page = opened(visit, game.get_absolute_url())
    page.locator("[data-do=toggle]").click()
    box = page.locator("[data-part=range]").bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 40, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, y, steps=5)
    held = state(page)
    assert not held["playing"]
    assert held["begin"] < held["time"] < held["end"]
    assert 0.45 < (held["time"] - held["begin"]) / (held["end"] - held["begin"]) < 0.55
    page.mouse.up()
    assert state(page)["playing"]


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_touch(visit: Visit, game: Replay) -> None:
    page = opened(visit, f"{game.get_absolute_url()}?t=20", width=390, height=844, has_touch=True, is_mobile=True)
    frame(page).scroll_into_view_if_needed()
    box = frame(page).bounding_box()
    assert box is not None
    middle, right = (box["x"] + box["width"] * part for part in (0.5, 0.9))
    y = box["y"] + box["height"] / 2
    page.touchscreen.tap(middle, y)
    until(page, f"{VIEWER}.clock.playing")
    page.touchscreen.tap(middle, y)
    until(page, f"!{VIEWER}.clock.playing")
    time = state(page)["time"]
    page.touchscreen.tap(right, y)
    page.touchscreen.tap(right, y)
    until(page, f"{VIEWER}.clock.time === {time + 1000}")
    small = page.evaluate(
        "[...document.querySelectorAll('.film-bar button, .film-bar summary')].filter((one) => one.offsetHeight && one.offsetHeight < 44 && !one.closest('.menu-body, .film-legend')).length"
    )
    assert small == 0


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_reduced_motion(visit: Visit, game: Replay) -> None:
    page = opened(visit, f"{game.get_absolute_url()}?play=1", reduced_motion="reduce")
    assert not state(page)["playing"]
    expect(page.locator("[data-part=smooth]")).not_to_be_checked()
    page.locator("[data-do=toggle]").click()
    assert state(page)["playing"]
    assert state(opened(visit, f"{game.get_absolute_url()}?play=1"))["playing"]


# --- addresses ---


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_links_to_moments_and_clicks(visit: Visit, game: Replay) -> None:
    page = opened(visit, f"{game.get_absolute_url()}?t=12.34")
    assert state(page)["time"] == 12340
    assert page.url.endswith("?t=12.34"), "the address stays as it came"
    page = opened(visit, f"{game.get_absolute_url()}#click-5")
    fifth = page.evaluate(f"() => {{ const v = {VIEWER}; return v.film.places[v.clicks.all[4]]; }}")
    assert state(page)["event"] == fifth
    for nonsense in ("?t=abc", "?t=1e400", "?t=-5", "#click-0", "#click-99999", "?rate=-1", "?rate=abc&layers=x"):
        assert state(opened(visit, game.get_absolute_url() + nonsense))["rate"] == 1


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_the_address_follows_while_it_stands_still(visit: Visit, game: Replay) -> None:
    page = opened(visit, game.get_absolute_url())
    assert "?" not in page.url
    length = page.evaluate("history.length")
    frame(page).focus()
    press(page, "5", "ArrowRight")
    until(page, "/\\?t=\\d+\\.\\d{2,3}$/.test(location.href)")
    assert page.evaluate("history.length") == length


# --- layers ---


def painted(page: Page, canvas: str) -> int:
    """Count the pixels of a canvas that are not empty."""
    script = """(name) => {
      const canvas = document.querySelector(`canvas.film-${name}`);
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let place = 3; place < data.length; place += 4) count += data[place] > 0;
      return count;
    }"""
    found: int = page.evaluate(script, canvas)
    return found


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_layers_paint_and_leave(visit: Visit, game: Replay) -> None:
    page = opened(visit, f"{game.get_absolute_url()}?t=15")
    assert painted(page, "overlay") == 0
    frame(page).focus()
    for key in "hpozm":
        press(page, key)
        if key == "z":
            expect(page.locator("[data-part=step-text]")).to_contain_text("step 0 of")
        wait_until(lambda: painted(page, "overlay") > 0, what="the layer")
        press(page, key)
        assert painted(page, "overlay") == 0, key
    assert painted(page, "trail") > 0
    press(page, "t", "t", "t")
    page.evaluate("document.querySelectorAll('[data-clicks]').forEach((box) => box.click())")
    assert painted(page, "trail") == 0


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_the_route_step_by_step(visit: Visit, game: Replay) -> None:
    page = opened(visit, f"{game.get_absolute_url()}?layers=zini")
    steps = page.locator("[data-part=step]")
    expect(page.locator("[data-part=step-text]")).to_contain_text("step 0 of")
    most = int(steps.get_attribute("max") or 0)
    steps.fill(str(most))
    told = page.locator("[data-part=step-text]")
    expect(told).to_have_text(f"step {most} of {most}, {game.statistic('gzini')} clicks")
    for kind in ("hzini", "gzini_ref", "hzini_ref"):
        page.locator("[data-part=kind]").select_option(kind)
        until(page, "document.querySelector('[data-part=step]').value === '0'")
        most = int(steps.get_attribute("max") or 0)
        steps.fill(str(most))
        expect(told).to_contain_text(re.compile(f", {game.statistic(kind)} clicks$"))


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_a_lost_file")
def test_what_is_drawn_after_seeks_is_what_a_fresh_film_draws(visit: Visit, game: Replay) -> None:
    page = opened(visit, f"{game.get_absolute_url()}?layers=odds,openings,bv,heat")
    script = f"""() => {{
      const v = {VIEWER};
      const picture = () => v.stage.layers.slice(0, 4).map((canvas) => canvas.toDataURL()).join();
      for (const part of [0.9, 0.2, 0.7, 0.1, 1, 0.35]) v.seek(v.clock.end * part);
      const seeked = picture();
      v.stage.cell = 0;
      v.stage.resize();
      return seeked === picture();
    }}"""
    assert page.evaluate(script) is True


# --- own rows ---


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_rows_of_ones_own(visit: Visit, game: Replay) -> None:
    page = opened(visit, f"{game.get_absolute_url()}?t=20")
    choose_numbers(page)
    field = page.locator("[data-part=own] input")
    for refused in ("alert(1)", "constructor", "1 +", "(" * 30 + "1" + ")" * 30 + "*" * 3):
        field.fill(refused)
        field.press("Enter")
        expect(page.locator("[data-part=refused]")).not_to_be_empty()
        field.fill("")
    field.fill("2 * bvdone + 0 * time")
    field.press("Enter")
    expect(page.locator("[data-part=refused]")).to_be_empty()
    text = "2 * bvdone + 0 * time ×"
    until(
        page, "[...document.querySelectorAll('[data-part=rows] th')].some((head) => head.textContent.startsWith('2 *'))"
    )
    assert float(row_texts(page)[text]) == 2 * int(row_texts(page)["3BV solved"])
    page.reload()
    used(page)
    assert text in row_texts(page)
    page.get_by_text("Stats", exact=True).click()
    page.locator("[data-part=rows] button").click()
    assert text not in row_texts(page)


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_a_lost_file")
@pytest.mark.parametrize(
    "stored",
    [
        '{"own": [{"text": "<img src=x onerror=alert(1)>", "tree": ["constructor", "x"]}, {"text": 5}, null, 7]}',
        '{"own": {"length": 1e9}, "rows": "x", "layers": {"a": 1}, "rate": {"b": 2}, "trail": 5}',
        '{"rows": ["__proto__", "constructor", "time"], "rate": "1e999"}', "[]", "null", "{", '"text"',
    ],
)  # fmt: skip
def test_hostile_settings(visit: Visit, game: Replay, stored: str) -> None:
    page = visit("/robots.txt")
    page.evaluate("(text) => localStorage.setItem('film', text)", stored)
    page.goto(game.get_absolute_url())
    use_film(page)
    expect(page.locator("[data-part=rows] img")).to_have_count(0)
    assert state(page)["rate"] in (1, 16)


# --- states and failures ---


def answered(status: int, body: bytes = b"", **headers: str) -> Callable[[Route], None]:
    return lambda route: route.fulfill(status=status, body=body, headers=headers)


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_a_lost_file")
@pytest.mark.parametrize(
    ("status", "body", "text"),
    [
        (404, b"", "The file of this replay is lost"), (429, b"", "Too many requests"), (500, b"", "couldn't load"),
        (200, b"SBF1", "damaged"), (200, b"", "damaged"), (200, b"<html>" + b"x" * 100, "damaged"),
        (200, b"SBF1\x02" + bytes(60), "doesn't match the page"),
    ],
)  # fmt: skip
def test_failures_leave_the_still_board(visit: Visit, game: Replay, status: int, body: bytes, text: str) -> None:
    page = visit("about:blank")
    page.route("**/film?v=*", answered(status, body))
    page.goto(game.get_absolute_url())
    expect(page.locator("[data-film] [role=alert]")).to_contain_text(text)
    expect(page.locator("[data-film] svg.board")).to_be_visible()
    expect(page.locator("[data-do=toggle]")).to_be_hidden()
    page.unroute("**/film?v=*")
    page.locator("[data-part=again]").click()
    expect(page.locator("[data-film][data-state=ready]")).to_have_count(1)
    expect(page.locator("[data-film] [role=alert]")).to_be_hidden()


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_a_lost_file")
def test_a_film_of_another_game_is_refused(visit: Visit, game: Replay) -> None:
    other = put(game_file(5))
    page = visit("about:blank")
    film = page.request.get(f"/replays/{other.pk}/film").body()
    page.route("**/film?v=*", answered(200, film))
    page.goto(game.get_absolute_url())
    expect(page.locator("[data-film] [role=alert]")).to_contain_text("doesn't match the page")


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_a_lost_file")
def test_without_odds_the_film_plays(visit: Visit, game: Replay) -> None:
    page = visit("about:blank")
    page.route("**/odds?v=*", answered(500))
    page.goto(f"{game.get_absolute_url()}?layers=odds")
    expect(page.locator("[data-film][data-odds=failed]")).to_have_count(1)
    expect(page.locator("[data-part=note]")).to_contain_text("couldn't load")
    page.locator("[data-do=toggle]").click()
    assert state(page)["playing"]


def test_a_lost_file(visit: Visit, game: Replay, tolerated: list[str]) -> None:
    tolerated += ["Status Error Code 404 from"]  # there is no review either
    file_store.delete(game.sha256)
    page = visit(game.get_absolute_url())
    expect(page.locator("[data-film] [role=alert]")).to_contain_text("is lost")
    expect(page.locator("[data-film] svg.board")).to_be_visible()


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_larger_cells(visit: Visit, game: Replay) -> None:
    page = opened(visit, game.get_absolute_url())
    page.get_by_text("Layers", exact=True).click()
    button = page.get_by_role("button", name="Larger cells")
    sizes = []
    for _ in range(4):
        sizes.append(page.evaluate(f"{VIEWER}.stage.cell"))
        button.click()
    assert sizes[0] < sizes[1] < sizes[2]
    assert sizes[3] == sizes[0]


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_largest_boards_and_unfinished_games(visit: Visit, store: Any) -> None:  # noqa: F811 - the fixture
    page = opened(visit, put(largest_game()).get_absolute_url())
    frame(page).focus()
    assert press(page, "End")["state"] == "ended"
    assert page.evaluate(f"{VIEWER}.stage.cell") >= 8
    expect(page.locator("[data-part=status]")).to_contain_text("the recording ends")


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_a_lost_file")
def test_without_scripts(browser: Browser, live_server: Any, game: Replay) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{live_server.url}{game.get_absolute_url()}")
    expect(page.locator("[data-film] svg.board")).to_be_visible()
    expect(page.locator("[data-do=toggle]")).to_be_hidden()
    expect(page.locator("[data-part=rows]")).to_be_hidden()
    for label in ("3BV/s", "Greedy ZiNi", "Path"):
        expect(page.get_by_text(label, exact=True).first).to_be_attached()
    page.goto(f"{live_server.url}{reverse('replay-embed', args=[game.pk])}")
    expect(page.locator("[data-film] svg.board")).to_be_visible()
    context.close()


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_what_is_said(visit: Visit, game: Replay, owner: User) -> None:
    page = opened(visit, game.get_absolute_url())
    frame(page).focus()
    press(page, "Home", "ArrowRight")
    expect(page.locator("[data-part=status]")).to_contain_text(
        re.compile(r"^1 of \d+ clicks, 0\.000 s, left at row \d+, column \d+, opens \d+ cells$")
    )
    page.locator("[data-do=toggle]").click()
    said = page.locator("[data-part=status]").inner_text()
    page.wait_for_timeout(600)
    assert page.locator("[data-part=status]").inner_text() == said, "silent while it plays"
    sign_in(page, owner)
    page.get_by_role("button", name="中文").click()
    page.wait_for_load_state()
    page.goto(game.get_absolute_url())
    use_film(page)
    frame(page).focus()
    press(page, "ArrowRight")
    expect(page.locator("[data-part=status]")).to_contain_text("行")


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_the_clock_from_one(visit: Visit, game: Replay, owner: User) -> None:
    User.objects.filter(pk=owner.pk).update(clock=User.Clock.ONE)
    page = visit("about:blank")
    sign_in(page, owner)
    page.goto(f"{game.get_absolute_url()}?t=12.34")
    used(page)
    assert state(page)["time"] == 12340, "links are on the clock from 0"
    expect(page.locator("[data-part=time]")).to_have_value("13.340")
    assert row_texts(page)["Time"].startswith("13.34")


# --- other sites ---


class Outside(BaseHTTPRequestHandler):
    """A page of another site with the frames that its server was given."""

    def do_GET(self) -> None:
        body = "".join(f"<iframe src='{address}' width=720 height=640></iframe>" for address in self.server.addresses)  # type: ignore[attr-defined]
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_arguments: object) -> None:
        """Nothing."""


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_only_the_embedded_page_is_shown_in_frames(
    visit: Visit, game: Replay, live_server: Any, tolerated: list[str]
) -> None:
    tolerated += ["frame-ancestors", "Refused to display", "Framing"]
    pages = (reverse("replay-embed", args=[game.pk]), game.get_absolute_url())
    with ThreadingHTTPServer(("localhost", 0), Outside) as outside:  # another port is another origin
        outside.addresses = [live_server.url + page for page in pages]  # type: ignore[attr-defined]
        threading.Thread(target=outside.serve_forever, daemon=True).start()
        try:
            page = visit("about:blank")
            page.goto(f"http://localhost:{outside.server_address[1]}/")
            inside = page.frame_locator("iframe").first
            expect(inside.locator("[data-film][data-state=ready]")).to_have_count(1)
            inside.locator("[data-do=toggle]").click()
            expect(inside.locator("[data-film][data-state=playing]")).to_have_count(1)
            expect(page.frames[2].locator("[data-film]")).to_have_count(0)
            assert page.context.cookies(live_server.url + pages[0]) == page.context.cookies(live_server.url)
        finally:
            outside.shutdown()


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_keys_everywhere_on_the_embedded_page(visit: Visit, game: Replay) -> None:
    page = opened(visit, reverse("replay-embed", args=[game.pk]) + "?t=3&rate=4&layers=bv,odds")
    at = state(page)
    assert (at["time"], at["rate"], at["layers"]) == (3000, 4, ["bv", "odds"])
    page.locator("body").press("Home")
    assert press(page, "ArrowRight")["event"] == click_events(page)[0]


def check_caption(page: Page, path: Path) -> None:
    """Below the board the picture has a line of text, which is that of the pictures of the server."""
    picture, height = Image.open(path).convert("L"), page.evaluate(f"{VIEWER}.stage.layers[0].height")
    below = picture.crop((0, height, picture.width, picture.height))
    assert 20 <= below.height < 120
    darkest, lightest = below.getextrema()
    assert lightest - darkest > 100, "there is text"  # type: ignore[operator]
    assert page.evaluate(f"{VIEWER}.data.line").startswith("Sweepbook · ")


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_a_lost_file")
def test_no_page_of_films_breaks_the_policy(visit: Visit, game: Replay) -> None:
    page = visit("about:blank")
    page.add_init_script(
        "addEventListener('securitypolicyviolation', (event) => { (window.violations ??= []).push(event.violatedDirective); })"
    )
    for path in (game.get_absolute_url(), reverse("replay-embed", args=[game.pk])):
        page.goto(f"{path}?layers=odds,zini,heat,bv,openings")
        expect(page.locator("[data-film][data-odds=ready]")).to_have_count(1)
        page.locator("[data-do=toggle]").click()
        with page.expect_download() as download:
            page.evaluate(f"{VIEWER}.controls.does.picture()")
        assert download.value.suggested_filename.endswith(".png")
        check_caption(page, download.value.path())
        page.wait_for_timeout(300)
        assert page.evaluate("window.violations ?? []") == []
