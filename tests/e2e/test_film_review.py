"""The remarks of the review in the viewer, its list on the page, and what could be known at a position."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect

from analysis import formats
from analysis.analyse import analyse
from analysis.answers import review_of_file
from analysis.film import film_of
from analysis.luck import Luck, Sort, luck_of, snapshot_at
from analysis.recording import Level
from analysis.review import Kind, Weight
from analysis.statistics import LUCK_VERSION
from replays.models import Replay, file_store
from tests.e2e.conftest import Visit
from tests.e2e.film import use_film
from tests.e2e.test_browser import put
from tests.e2e.test_film_page import VIEWER, frame, press, state, until
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.games import game_file

pytestmark = pytest.mark.usefixtures("luck_compiled")
PHONE = 390


@pytest.fixture
def tolerated() -> list[str]:
    return ["status of 4"]  # a browser tells every refusal on its console


@pytest.fixture
def game(transactional_db: None, store: Path) -> Replay:  # noqa: F811 - the fixture
    return put(game_file(1, Level.EXPERT))


@pytest.fixture
def luck(game: Replay) -> Luck:
    return luck_of(formats.read(file_store.get(game.sha256)))


def opened(visit: Visit, path: str, **options: Any) -> Page:
    page = visit(path, **options)
    use_film(page)
    expect(page.locator("[data-film][data-review=ready]")).to_have_count(1)
    return page


def moments(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(f"() => {VIEWER}.timeline.moments")
    return found


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_the_list_the_timeline_and_next_hold_the_same(visit: Visit, game: Replay) -> None:
    review = review_of_file(file_store.get(game.sha256), max_seconds=30)
    expected = Counter((one.kind.value, one.event) for one in review.annotations)
    assert {one.weight for one in review.annotations} >= {Weight.FACT, Weight.HINT}
    page = opened(visit, game.get_absolute_url())
    marked = moments(page)
    assert Counter((one["kind"], one["of"]) for one in marked) == expected
    for one in marked:
        assert page.evaluate(f"(event) => {VIEWER}.film.times[event - 1]", one["event"]) <= one["time"]
    slow = [one for one in marked if one["kind"] == "slow"]
    spans = [one.span_ms for one in review.annotations if one.kind is Kind.SLOW]
    assert slow
    assert [one["until"] - one["time"] for one in slow] == spans
    assert [one["event"] for one in marked] == sorted(one["event"] for one in marked)

    page.locator("#review, [hx-get$='/review/']").first.scroll_into_view_if_needed()
    rows = page.locator("[data-review] [data-event]")
    expect(rows).to_have_count(len(review.annotations))
    listed = rows.evaluate_all("all => all.map((row) => [row.dataset.kind, Number(row.dataset.event)])")
    assert Counter((kind, event) for kind, event in listed) == expected

    frame(page).focus()
    press(page, "Home")
    before = state(page)["event"]
    visited: Counter[tuple[str, int]] = Counter((one["kind"], one["of"]) for one in marked if one["event"] == before)
    while (now := press(page, "n")["event"]) != before:
        current = page.locator("[data-review] [aria-current]").evaluate_all(
            "all => all.map((row) => [row.dataset.kind, Number(row.dataset.event)])"
        )
        assert current, "the list shows where the film stands"
        visited.update((kind, event) for kind, event in current)
        before = now
    assert visited == expected
    assert press(page, "Shift+N")["event"] < before

    texts = page.evaluate(f"() => {VIEWER}.review.textsAt({before})")
    press(page, "n")
    for text in texts:
        expect(page.locator("[data-part=status]")).to_contain_text(text)


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_a_line_of_the_list_plays_its_moment(visit: Visit, game: Replay) -> None:
    page = opened(visit, game.get_absolute_url())
    page.locator("#review, [hx-get$='/review/']").first.scroll_into_view_if_needed()
    row = page.locator("[data-review] [data-event]").nth(1)
    moment = next(
        one
        for one in moments(page)
        if (one["kind"], str(one["of"])) == (row.get_attribute("data-kind"), row.get_attribute("data-event"))
    )
    url = page.url
    row.locator("a[data-main]").click()
    assert state(page)["playing"]
    until(page, f"!{VIEWER}.clock.playing")
    assert state(page)["event"] == moment["event"]
    assert page.url.split("?")[0] == url.split("?")[0], "the page is not loaded again"
    expect(row).to_have_attribute("aria-current", "true")
    still = opened(visit, game.get_absolute_url(), reduced_motion="reduce")
    still.locator("#review, [hx-get$='/review/']").first.scroll_into_view_if_needed()
    still.locator("[data-review] [data-event]").nth(1).locator("a[data-main]").click()
    at = state(still)
    assert (at["playing"], at["event"]) == (False, moment["event"])


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_a_weight_is_a_shape(visit: Visit, game: Replay) -> None:
    """Each mark of the strip differs from the others without its colour."""
    page = opened(visit, game.get_absolute_url())
    shapes = page.evaluate(
        f"""() => {{
          const {{ timeline, film, clicks, clock }} = {VIEWER};
          timeline.film = {{ ...film, counters: {{ bvdone: film.counters.bvdone.map(() => 0) }} }};
          timeline.clicks = {{ ...clicks, all: [], opening: [] }};
          const time = (clock.begin + clock.end) / 2;
          const drawn = (weight) => {{
            timeline.moments = weight ? [{{ weight, time, event: 1, kind: "x" }}] : [];
            timeline.draw(timeline.colour);
            const {{ width, height }} = timeline.canvas;
            const {{ data }} = timeline.canvas.getContext("2d").getImageData(0, 0, width, height);
            const rows = [];
            for (let y = 0; y < height; y += 1) {{
              let row = "";
              for (let x = Math.round(width / 2) - 8; x < width / 2 + 8; x += 1) row += data[4 * (y * width + x) + 3] > 127 ? "#" : ".";
              if (row.includes("#")) rows.push(row);
            }}
            return rows.join("\\n");
          }};
          return [drawn(""), ...["error", "mistake", "slip", "hint", "fact"].map(drawn)];
        }}"""
    )
    assert shapes[0] == ""
    assert len(set(shapes)) == 1 + len(Weight)


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
@pytest.mark.parametrize("status", [429, 404, 422])
def test_without_a_review_the_film_plays(visit: Visit, game: Replay, status: int) -> None:
    page = visit("about:blank")
    page.route("**/api/v1/replays/*/review/", lambda route: route.fulfill(status=status, body="{}"))
    page.goto(game.get_absolute_url())
    use_film(page)
    expect(page.locator("[data-film][data-review=failed]")).to_have_count(1)
    expect(page.locator("[data-part=note]")).to_contain_text("couldn't load the review")
    frame(page).focus()
    assert press(page, "Home", "n")["event"] == 0
    assert press(page, "Space")["playing"]


# --- what could be known at a position ---


def panel(page: Page) -> Any:
    return page.locator("[data-part=position]")


def shown(page: Page, event: int) -> Page:
    expect(page.locator(f"[data-part=position][data-event='{event}']")).to_have_count(1)
    return page


def marked_cells(page: Page) -> list[str]:
    found: list[str] = page.evaluate(f"() => [...{VIEWER}.position.marks.marks].sort()")
    return found


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_a_link_to_a_click_shows_its_position(visit: Visit, game: Replay, luck: Luck) -> None:
    """``#click-n`` leads to what was seen before the click, with the reasons and the exact chances."""
    film = film_of(analyse(formats.read(file_store.get(game.sha256))))
    clicks = film.places[np.flatnonzero(np.diff(film.counters[:, :3].sum(1), prepend=0) > 0)].tolist()
    click = next(click for click in luck.clicks if click.sort is Sort.GUESS)
    number = clicks.index(click.event) + 1
    page = opened(visit, f"{game.get_absolute_url()}#click-{number}", permissions=["clipboard-read", "clipboard-write"])
    assert state(page)["event"] == click.event
    snapshot = snapshot_at(formats.read(file_store.get(game.sha256)), click.event)
    shown(page, snapshot_event(page))
    text = page.locator("[data-part=risk]").inner_text()
    assert f"Click {number} of {len(clicks)}" in text
    assert "a guess: risk" in text
    expect(page.locator("[data-part=reasons] li").first).to_be_attached()
    assert marked_cells(page) == [f"{row},{column},clicked" for row, column in sorted(click.cells)]
    panel(page).get_by_text("Position as text", exact=True).click()
    lines = page.locator("[data-part=position-text]").inner_text().splitlines()
    assert lines == [" ".join(row) for row in snapshot.rows()]
    chances = page.locator("[data-part=chances]").text_content() or ""
    assert len(chances.splitlines()) == len(lines)
    assert chances.count("%") == sum(row.count(sign) for row in snapshot.rows() for sign in ".F?")

    page.locator("[data-part=reasons] li").first.focus()
    assert len(marked_cells(page)) > len(click.cells)
    pixels = """() => { const c = document.querySelector('.film-marks'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
        return [c.width === document.querySelector('.film-cells').width, d.some(Boolean)]; }"""
    assert page.evaluate(pixels) == [True, True]
    page.get_by_role("button", name="Link to this click").click()
    expect(page.locator("[data-part=status]")).to_have_text("Copied.")
    assert str(page.evaluate("navigator.clipboard.readText()")).endswith(f"{game.get_absolute_url()}#click-{number}")

    third = clicks.index(luck.clicks[2].event) + 1
    page.evaluate(f"location.hash = '#click-{third}'")
    until(page, f"{VIEWER}.event === {luck.clicks[2].event}")
    expect(page.locator("[data-part=risk]")).to_contain_text(f"Click {third} of {len(clicks)}")
    frame(page).focus()
    press(page, "End")
    expect(page.locator("[data-part=risk]")).to_have_text("")
    assert marked_cells(page) == []


@pytest.mark.long(
    beside="tests/replays/odds/luck/test_api.py::test_a_flag_is_a_known_mine_in_a_snapshot_and_none_for_luck"
)
def test_flags_of_the_player_are_known_mines_until_they_are_ignored(visit: Visit, game: Replay) -> None:
    page = opened(visit, f"{game.get_absolute_url()}#click-30")
    shown(page, snapshot_event(page))
    asked = page.evaluate(f"() => {VIEWER}.position.shown.flag_use")
    assert asked == "trusted"
    expect(page.locator("[data-part=position-text]")).to_contain_text("F")
    expect(page.locator("[data-part=flags-text]")).to_contain_text("known mines")
    panel(page).get_by_label("Ignore flags").check()
    expect(page.locator("[data-part=flags-text]")).to_contain_text("ignored")


def snapshot_event(page: Page) -> int:
    """The event of the board that the viewer shows: after its last act."""
    found: int = page.evaluate(f"() => {VIEWER}.acts ? {VIEWER}.film.places[{VIEWER}.acts - 1] + 1 : 0")
    return found


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_nothing_of_it_is_loaded_before_it_is_opened(visit: Visit, game: Replay) -> None:
    requested: list[str] = []
    page = visit("about:blank")
    page.on("request", lambda request: requested.append(request.url))
    page.goto(game.get_absolute_url())
    expect(page.locator("[data-film][data-review=ready]")).to_have_count(1)
    lazy = ("/luck/", "/position/", "position.js", "marks.js", "steps.js")
    assert not [url for url in requested if any(part in url for part in lazy)]
    page.get_by_text("Logic", exact=True).click()
    shown(page, 0)
    assert [part for part in lazy if not any(part in url for url in requested)] == []
    expect(page.locator("#luck, .timeline"), "one player, one timeline").to_have_count(0)


def answered(**changed: object) -> Callable[[Route], None]:
    def answer(route: Route) -> None:
        body = route.fetch().json()
        body["values"] |= changed
        route.fulfill(json=body)

    return answer


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_chances_are_never_shown_as_none(visit: Visit, game: Replay) -> None:
    page = visit("about:blank")
    page.route("**/luck/", answered(luck=0.000109, pluck=1.0, guesses=1, needless_guesses=0))
    page.goto(f"{game.get_absolute_url()}#click-1")
    expect(page.locator("[data-part=luck]")).to_have_text("guesses: 1, needless: 0; chance of survival: 0.011%")
    texts = page.evaluate(
        "() => import('/static/watch/film/position.js').then(({ percent }) => [0.25, 0, 1, 0.99999, 2.5e-14].map(percent))"
    )
    assert texts == ["25.0%", "0.0%", "100.0%", "99.999%", "0.0000000000025%"]


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_what_cannot_be_counted_and_refusals_are_told(visit: Visit, game: Replay) -> None:
    Replay.objects.update(luck_version=LUCK_VERSION, luck_code="limit_exceeded")
    page = opened(visit, f"{game.get_absolute_url()}#click-2")
    expect(page.locator("[data-part=luck]")).to_contain_text("couldn't compute")
    page.route("**/position/**", lambda route: route.fulfill(status=429, body="{}"))
    frame(page).focus()
    press(page, "ArrowRight", "ArrowRight", "ArrowRight")
    expect(page.locator("[data-part=position-trouble]")).to_contain_text("Too many requests")


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
@pytest.mark.skipif("SWEEPBOOK_LOOK" not in os.environ, reason="pictures to look at: SWEEPBOOK_LOOK=folder")
@pytest.mark.parametrize("look", ["desktop", "phone", "dark"])
def test_look(visit: Visit, game: Replay, luck: Luck, look: str) -> None:
    folder = Path(os.environ["SWEEPBOOK_LOOK"])
    options: dict[str, Any] = {"width": PHONE, "height": 844} if look == "phone" else {}
    if look == "dark":
        options["color_scheme"] = "dark"
    number = next(n for n, click in enumerate(luck.clicks, 1) if click.sort is Sort.GUESS)
    page = opened(visit, f"{game.get_absolute_url()}?layers=odds#click-{number}", **options)
    page.locator("#review, [hx-get$='/review/']").first.scroll_into_view_if_needed()
    expect(page.locator("[data-review] [data-event]").first).to_be_visible()
    page.locator("[data-part=reasons] li").first.hover()
    page.wait_for_timeout(800)
    page.screenshot(path=folder / f"review-{look}.png", full_page=True)
