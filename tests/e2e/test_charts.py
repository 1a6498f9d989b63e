"""Charts in a browser: loaded when they come near, told mark by mark, in the zone of the browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from players.models import Player
from tests.e2e.conftest import Visit
from tests.e2e.page_measures import see_everything
from tests.players.profile.charts.games import at, played, random_games, save
from tests.services import wait_until


@pytest.fixture
def player(transactional_db: None) -> Player:
    found = Player.objects.create(name="Ada")
    save(*random_games(found, 60))
    return found


@pytest.mark.long(beside="tests/players/profile/charts/test_rows.py::test_drawing_and_table_are_the_same_rows")
def test_charts_of_the_player_page_load_when_they_come_near(visit: Visit, player: Player) -> None:
    page = visit(player.get_absolute_url(), height=400)
    expect(page.locator("#chart-progress svg.chart"), "the page holds it").to_have_count(1)
    page.locator("#chart-distribution").scroll_into_view_if_needed()
    expect(page.locator("#chart-distribution svg.chart")).to_be_visible()
    page.goto(f"{player.get_absolute_url()}charts/")
    expect(page.locator("#chart-speed svg.chart")).to_have_count(0)
    page.locator("#chart-speed").scroll_into_view_if_needed()
    expect(page.locator("#chart-speed svg.chart")).to_be_visible()


@pytest.mark.long(beside="tests/players/profile/charts/test_rows.py::test_drawing_and_table_are_the_same_rows")
def test_arrow_keys_walk_through_the_marks(visit: Visit, player: Player) -> None:
    page = visit(f"/players/{player.pk}/charts/wins/")
    frame, status = page.locator(".chart-frame"), page.locator(".chart-status")
    rows = page.locator("tr[data-x]")
    frame.focus()
    page.keyboard.press("Home")
    expect(status).to_contain_text(rows.first.locator("td").first.text_content() or "nothing")
    page.keyboard.press("ArrowRight")
    expect(status).to_contain_text(rows.nth(1).locator("td").first.text_content() or "nothing")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("End")
    expect(status).to_contain_text(rows.last.locator("td").first.text_content() or "nothing")
    expect(status).to_have_attribute("role", "status")


@pytest.mark.long(beside="tests/players/profile/charts/test_rows.py::test_drawing_and_table_are_the_same_rows")
def test_the_pointer_finds_the_nearest_mark(visit: Visit, player: Player) -> None:
    page = visit(f"/players/{player.pk}/charts/losses/")
    box = page.locator("svg.chart").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] - 20, box["y"] + box["height"] / 2)
    expect(page.locator(".chart-status")).to_contain_text("Solved from 90%")
    expect(page.locator("circle.cursor")).to_have_count(1)


@pytest.mark.long(beside="tests/players/profile/charts/test_rows.py::test_drawing_and_table_are_the_same_rows")
def test_the_pointer_finds_the_nearest_mark_of_a_drawing_that_fills_its_frame(visit: Visit, player: Player) -> None:
    page = visit(f"/players/{player.pk}/charts/distribution/?level=expert")
    last = page.locator("tr[data-x]").last
    expected = last.locator("td").first.text_content() or "nothing"
    box = page.locator("svg.chart").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] - 5, box["y"] + box["height"] - 20)
    expect(page.locator(".chart-status")).to_contain_text(f"From {expected}")
    expect(page.locator("circle.cursor")).to_have_attribute("cx", f"{last.get_attribute('data-x')}%")


@pytest.mark.long(beside="tests/players/profile/charts/test_rows.py::test_drawing_and_table_are_the_same_rows")
def test_days_of_a_visitor_without_account_are_those_of_the_browser(visit: Visit) -> None:
    player = Player.objects.create(name="Night owl")
    save(played(player, at("2024-05-01 20:00")))
    page = visit(f"/players/{player.pk}/charts/calendar/", timezone_id="Asia/Shanghai")
    expect(page.locator("#chart-calendar")).to_have_attribute("data-zone", "Asia/Shanghai")
    expect(page.locator("tr[data-x] td").first).to_have_text("2024-05-02")


@pytest.mark.long(beside="tests/players/profile/charts/test_rows.py::test_drawing_and_table_are_the_same_rows")
def test_levels_are_changed_in_place(visit: Visit, player: Player) -> None:
    page = visit(player.get_absolute_url())
    bests = page.locator("#chart-progress")
    bests.get_by_role("link", name="Beginner", exact=True).click()
    expect(bests.locator("[aria-current]")).to_have_text("Beginner")
    assert page.url.endswith(player.get_absolute_url())


@pytest.mark.long(beside="tests/players/profile/charts/test_rows.py::test_drawing_and_table_are_the_same_rows")
def test_nothing_scrolls_sideways(visit: Visit, player: Player) -> None:
    page = visit(f"{player.get_absolute_url()}charts/", width=390)
    page.locator("#chart-speed").scroll_into_view_if_needed()
    expect(page.locator("#chart-speed svg.chart")).to_be_visible()
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        wait_until(
            lambda: page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"),
            what="a page as wide as its window",
        )


#: The contrast of the fill or stroke of the first part of each kind with the page, for charts on the page of a player.
_CONTRASTS = """() => {
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const light = (colour) => {
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const ground = light(getComputedStyle(document.body).backgroundColor);
  const of = (selector, name) => {
    const one = light(getComputedStyle(document.querySelector(selector))[name]);
    return Math.max(one, ground) / Math.min(one, ground);
  };
  return [of(".dots.part circle", "fill"), of(".bars rect", "fill"), of(".curve line", "stroke")];
}"""


@pytest.mark.long(beside="tests/players/profile/charts/test_rows.py::test_drawing_and_table_are_the_same_rows")
def test_points_bars_and_lines_are_seen_and_the_toggle_can_be_hit(visit: Visit, player: Player) -> None:
    page = visit(player.get_absolute_url(), color_scheme="light", reduced_motion="reduce")  # colours change at once
    see_everything(page)
    light = page.evaluate(_CONTRASTS)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(_CONTRASTS)
    assert dark != light
    assert min(*light, *dark) >= 3
    legend, toggle = page.locator("#chart-distribution :is(.chart-legend, summary)").all()
    above, box = legend.bounding_box(), toggle.bounding_box()
    assert above is not None
    assert box is not None
    assert box["height"] >= 24
    assert box["y"] >= above["y"] + above["height"] + 4
