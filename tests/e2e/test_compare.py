"""Two replays beside each other in a browser."""

from __future__ import annotations

import os
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from analysis.film.progress import Progress, time_of
from analysis.formats import rawvf
from analysis.recording import Level
from replays.models import Replay
from tests.analysis.film.alignment import aligned, done_at
from tests.e2e.conftest import Visit
from tests.e2e.test_browser import put
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.games import game_file, recording
from tests.services import wait_until

pytestmark = pytest.mark.usefixtures("store")

PHONE = 390
CURVES = 60


def slower(seed: int, level: Level, factor: float = 1.3) -> bytes:
    """The game played by another name, slower, on the same board."""
    game = recording(seed, level)
    events = game.events.copy()
    events["time_ms"] = (events["time_ms"] * factor).astype(events["time_ms"].dtype)
    return rawvf.write(replace(game, events=events, player="Bob Bot"))


def opened(visit: Visit, first: Replay, second: Replay, more: str = "", **options: Any) -> Page:
    page = visit(f"/compare/?a={first.pk}&b={second.pk}{more}", **options)
    expect(page.locator("[data-compare][data-state=ready]")).to_have_count(1)
    return page


def state(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(
        """() => { const c = document.querySelector("[data-compare]").comparison; return {
            time: c.clock.time, end: c.clock.end, align: c.align, layout: c.layout, playing: c.clock.playing,
            acts: c.games.map((g) => g.acts), times: c.games.map((g) => g.time), ended: c.games.map((g) => g.ended),
            bv: c.games.map((g) => g.acts ? g.film.counters.bvdone[g.acts - 1] : 0)}; }"""
    )
    return found


def seek(page: Page, time_ms: float) -> dict[str, Any]:
    page.evaluate("t => document.querySelector('[data-compare]').comparison.seek(t)", time_ms)
    return state(page)


def curve(source: random.Random) -> Progress:
    gaps = [source.choice([0, 1, 10, source.randint(0, 4000)]) for _ in range(source.randint(0, 9))]
    rises = [source.randint(1, 4) for _ in gaps]
    times = np.concatenate([[0.0], np.cumsum(gaps, dtype=np.float64)])
    done = np.concatenate([[0.0], np.cumsum(rises, dtype=np.float64)])
    return Progress(times, done / source.choice([1, 7]), float(times[-1]) + source.choice([0, 700]))


@pytest.mark.long(beside="tests/e2e/test_compare.py::test_one_clock_drives_both")
def test_the_script_interpolates_as_the_server_does(visit: Visit) -> None:
    source = random.Random(5)
    page = visit("/robots.txt")
    for _ in range(CURVES):
        first, second = curve(source), curve(source)
        times = np.unique([*first.times, *(source.uniform(-99, first.end + 900) for _ in range(20))])
        plain = [{"times": one.times.tolist(), "done": one.done.tolist(), "end": one.end} for one in (first, second)]
        aligned_, done, back = page.evaluate(
            """async ([a, b, times]) => { const m = await import("/static/watch/compare/progress.js"); return [
                times.map((t) => m.aligned(a, b, t)), times.map((t) => m.doneAt(a, t)),
                times.map((t) => m.timeOf(b, m.doneAt(a, t)))]; }""",
            [*plain, times.tolist()],
        )
        np.testing.assert_allclose(done, done_at(first, times), atol=1e-9)
        np.testing.assert_allclose(aligned_, aligned(first, second, times), atol=2e-3)
        np.testing.assert_allclose(back, time_of(second, done_at(first, times)), atol=2e-3)


@pytest.mark.long(beside="tests/e2e/test_compare.py::test_one_clock_drives_both")
def test_the_same_replay_twice(visit: Visit, transactional_db: None) -> None:
    """No difference at any moment in any alignment."""
    game = put(game_file(1, Level.EXPERT))
    page = opened(visit, game, game)
    source = random.Random(1)
    for align in ("clock", "progress", "own"):
        page.locator(f"[name=align][value={align}]").check()
        for time_ms in [0, *(source.randint(0, int(game.statistic("time_ms") or 0)) for _ in range(40)), 10**7]:
            found = seek(page, time_ms)
            assert found["align"] == align
            assert found["acts"][0] == found["acts"][1]
            assert found["times"][0] == found["times"][1]
    assert state(page)["ended"] == [True, True]
    expect(page.locator(".splits .line")).to_have_attribute("d", re.compile("M"))


def test_one_clock_drives_both(visit: Visit, transactional_db: None) -> None:
    fast, slow = put(game_file(1, Level.EXPERT)), put(slower(1, Level.EXPERT))
    page = opened(visit, fast, slow, "&align=progress")
    at_ten = seek(page, 10_000)
    assert at_ten["times"][1] == pytest.approx(13_000, abs=300)
    assert abs(at_ten["bv"][0] - at_ten["bv"][1]) <= 1
    expect(page.locator("[data-status]")).to_contain_text("Ada Bot is ahead by 3.0")
    page.locator("[name=align][value=clock]").check()
    found = seek(page, 10_000)
    assert found["times"] == [10_000, 10_000]
    assert found["bv"][1] < found["bv"][0]
    found = seek(page, 10**7)
    assert found["ended"] == [True, True]
    assert found["times"][0] < found["times"][1] == found["end"], "the shorter one rests at its end"
    page.locator("[data-do=toggle]").click()
    page.wait_for_timeout(500)
    playing = state(page)
    assert playing["playing"]
    assert playing["times"][0] == playing["times"][1]


_TWO_LARGE_BOARDS = pytest.param(
    Level.EXPERT,
    False,
    marks=pytest.mark.long(beside="tests/e2e/test_compare.py::test_one_clock_drives_both"),
)


@pytest.mark.long(beside="tests/e2e/test_compare.py::test_one_clock_drives_both")
@pytest.mark.parametrize(("level", "between"), [(Level.INTERMEDIATE, True), _TWO_LARGE_BOARDS])
def test_the_lead_stands_between_boards_that_leave_room(
    visit: Visit, transactional_db: None, level: Level, between: bool
) -> None:
    page = opened(visit, put(game_file(1, level)), put(game_file(2, level)))
    first, second = (one.bounding_box() for one in page.locator(".compare-boards .film-cells").all())
    lead = page.locator("[data-lead]").bounding_box()
    assert first
    assert second
    assert lead
    assert first["y"] == second["y"]
    assert first["x"] + first["width"] <= second["x"]
    if between:
        assert first["x"] + first["width"] <= lead["x"]
        assert lead["x"] + lead["width"] <= second["x"]
        assert first["y"] <= lead["y"] <= first["y"] + first["height"]
    else:
        assert lead["y"] + lead["height"] <= first["y"]
    page.locator("[name=layout][value=graph]").check()
    expect(page.locator("[data-lead]")).to_be_visible()
    expect(page.locator(".compare-boards [data-frame]").first).to_be_hidden()


@pytest.mark.long(beside="tests/e2e/test_compare.py::test_one_clock_drives_both")
def test_times_are_read_or_refused(visit: Visit, transactional_db: None) -> None:
    first, second = put(game_file(1, Level.EXPERT)), put(game_file(2, Level.EXPERT))
    trouble = "“soon” is not a time."
    page = opened(visit, first, second, "&t=0:12,5")
    assert state(page)["time"] == 12_500
    expect(page.locator("[data-trouble]")).to_be_hidden()
    page = opened(visit, first, second, "&t=soon&align=own&shift=0:01.5")
    expect(page.locator("[data-trouble]")).to_contain_text(trouble)
    assert seek(page, 1_000)["times"] == [1_000, 2_500]
    field = page.locator("[data-time]")
    for wrote, time_ms in (("0:09", 9_000), ("soon", 9_000), ("11,5", 11_500)):
        field.fill(wrote)
        field.press("Enter")
        assert state(page)["time"] == time_ms
        expect(field).to_have_value(f"{time_ms / 1000:.2f}")
        expect(page.locator("[data-trouble]")).to_be_visible(visible=wrote == "soon")


@pytest.mark.long(beside="tests/e2e/test_compare.py::test_one_clock_drives_both")
def test_own_clocks(visit: Visit, transactional_db: None) -> None:
    fast, slow = put(game_file(1)), put(slower(1, Level.BEGINNER))
    page = opened(visit, fast, slow, "&align=own&shift=0.50")
    assert seek(page, 1_000)["times"] == [1_000, 1_500]
    page.locator("[data-shift] input").fill("-0.25")
    page.keyboard.press("Enter")
    assert seek(page, 1_000)["times"] == [1_000, 750]
    expect(page).to_have_url(re.compile("shift=-0.25"))


@pytest.mark.long(beside="tests/e2e/test_compare.py::test_one_clock_drives_both")
def test_keys_and_the_address(visit: Visit, transactional_db: None) -> None:
    first, second = put(game_file(1, Level.EXPERT)), put(game_file(2, Level.EXPERT))
    page = opened(visit, first, second, "&t=12.34&align=progress")
    assert state(page)["time"] == 12_340
    page.locator("[data-do=next]").focus()
    before = state(page)["acts"][0]
    page.keyboard.press("ArrowRight")
    assert state(page)["acts"][0] > before
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert state(page)["acts"][0] < before
    page.keyboard.press("Home")
    page.keyboard.press("l")
    moved = state(page)["time"]
    assert moved == pytest.approx(
        page.evaluate("document.querySelector('[data-compare]').comparison.clock.begin") + 5_000
    )
    page.keyboard.press("k")
    assert state(page)["playing"]
    page.keyboard.press("k")
    rested = state(page)["time"]
    expect(page).to_have_url(re.compile(rf"t={rested / 1000:.2f}\b"))
    assert "align=progress" in page.url
    again = opened(visit, first, second, page.url.split("?")[1].partition("&b=")[2].partition("&")[2].join(["&", ""]))
    assert state(again)["time"] == pytest.approx(rested, abs=5)


@pytest.mark.long(beside="tests/e2e/test_compare.py::test_one_clock_drives_both")
def test_a_ghost_on_the_same_board(visit: Visit, transactional_db: None) -> None:
    fast, slow = put(game_file(1, Level.EXPERT)), put(slower(1, Level.EXPERT))
    page = opened(visit, slow, fast, "&t=20")  # the usual layout of two games of one board
    expect(page.locator("[data-frame]").first.locator(".film-canvases")).to_have_count(2)
    boxes = [page.locator(".film-canvases").nth(number).bounding_box() for number in (0, 1)]
    assert boxes[0] == boxes[1], "one geometry"
    outlined = page.evaluate(
        """() => { const g = document.querySelector("[data-compare]").comparison.games[1], s = g.stage;
        const inked = (cell) => { const [x, y] = s.corner(cell); return s.overlay.getImageData(x, y, s.cell, s.cell).data.some(Boolean); };
        const open = (one, cell) => one.board.faces[cell] === 3;
        return Array.from({length: g.film.size}, (_n, cell) => [inked(cell), open(g, cell) && !open(g.ghostOf, cell)]); }"""
    )
    assert [pair[0] for pair in outlined] == [pair[1] for pair in outlined]
    assert any(pair[0] for pair in outlined)
    page.locator("[name=layout][value=graph]").check()
    expect(page.locator(".film-canvases")).to_have_count(0)
    page.locator("[name=layout][value=side]").check()
    expect(page.locator("[data-frame] .film-canvases")).to_have_count(2)


@pytest.mark.long(beside="tests/e2e/test_compare.py::test_one_clock_drives_both")
def test_clicks_on_the_same_cell(visit: Visit, transactional_db: None) -> None:
    """A layer of both boards, which can be switched, and the table that says the same."""
    fast, slow = put(game_file(1, Level.EXPERT)), put(slower(1, Level.EXPERT))
    page = opened(visit, fast, slow, "&t=20&layout=side")
    inked = """() => document.querySelector("[data-compare]").comparison.games.filter((g) => g.stage && !g.ghostOf).map((g) => {
        const s = g.stage, d = (cell) => { const [x, y] = s.corner(cell); return s.overlay.getImageData(x, y, s.cell, s.cell).data; };
        const share = (cell) => d(cell).filter((_v, place) => place % 4 === 3).filter(Boolean).length / s.cell ** 2;
        return Array.from({length: g.film.size}, (_n, cell) => share(cell)); })"""
    assert not any(map(any, page.evaluate(inked)))
    page.locator("[data-common]").check()
    expect(page.locator("[data-common-legend]")).to_be_visible()
    data = page.evaluate("JSON.parse(document.getElementById('compare-data').textContent).common")
    for which, shares in enumerate(page.evaluate(inked)):
        assert {cell for cell, share in enumerate(shares) if share} == {one["cell"] for one in data}
        single = [one for one in data if [other["cell"] for other in data].count(one["cell"]) == 1]
        made = [shares[one["cell"]] for one in single if one["times"][which] <= 20_000]
        later = [shares[one["cell"]] for one in single if one["times"][which] > 20_000]
        assert made
        assert later
        assert max(later) < min(made), "filled once the game has made it"
    rows = page.locator("#common-title").locator("xpath=ancestor::section").locator("tbody tr")
    expect(rows).to_have_count(len(data))
    expect(page).to_have_url(re.compile("common=1"))
    page.locator("[name=layout][value=ghost]").check()
    wait_until(lambda: [any(shares) for shares in page.evaluate(inked)] == [True], what="the marks of the one board")
    page.locator("[data-common]").uncheck()
    wait_until(lambda: not any(page.evaluate(inked)[0]), what="a board without marks")
    again = opened(visit, fast, slow, "&t=20&common=1&layout=side")
    expect(again.locator("[data-common]")).to_be_checked()
    wait_until(lambda: any(again.evaluate(inked)[1]), what="the marks of the address")


@pytest.mark.long(beside="tests/e2e/test_compare.py::test_one_clock_drives_both")
def test_unequal_sizes_on_a_phone(visit: Visit, transactional_db: None) -> None:
    small, large = put(game_file(1)), put(game_file(2, Level.EXPERT))
    page = opened(visit, small, large, "&align=progress&layout=ghost&t=1", width=PHONE, height=844)
    assert state(page)["layout"] == "side", "there is no ghost on another board"
    tops = [page.locator("[data-frame]").nth(number).bounding_box() for number in (0, 1)]
    assert tops[0] is not None
    assert tops[1] is not None
    assert tops[1]["y"] >= tops[0]["y"] + tops[0]["height"], "one below the other"
    assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    assert seek(page, 10**7)["ended"] == [True, True]


@pytest.mark.long(beside="tests/e2e/test_compare.py::test_one_clock_drives_both")
@pytest.mark.skipif("SWEEPBOOK_LOOK" not in os.environ, reason="pictures to look at: SWEEPBOOK_LOOK=folder")
@pytest.mark.parametrize("look", ["desktop", "phone", "dark"])
def test_look(visit: Visit, transactional_db: None, look: str) -> None:
    folder = Path(os.environ["SWEEPBOOK_LOOK"])
    options: dict[str, Any] = {"width": PHONE, "height": 844} if look == "phone" else {}
    if look == "dark":
        options["color_scheme"] = "dark"
    fast, slow = put(game_file(1, Level.EXPERT)), put(slower(1, Level.EXPERT))
    other = put(game_file(2, Level.EXPERT))
    for name, second, layout in (("side", other, "side"), ("ghost", slow, "ghost"), ("graph", slow, "graph")):
        page = opened(visit, fast, second, f"&layout={layout}&t=20&align=clock", **options)
        page.wait_for_timeout(300)
        page.screenshot(path=folder / f"compare-{name}-{look}.png", full_page=True)
        if name == "ghost":
            page.locator("[data-common]").check()
            page.screenshot(path=folder / f"compare-common-{look}.png", full_page=True)
    page = visit(fast.get_absolute_url(), **options)
    page.wait_for_timeout(1500)
    page.screenshot(path=folder / f"replay-{look}.png", full_page=True)
