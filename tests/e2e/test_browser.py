"""Tests that need a browser: colours, widths, keys, and that hostile input does not run."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from analysis.formats import rawvf
from analysis.recording import Level
from players.models import User
from replays.models import Replay
from replays.upload.processing.services import analyse_replays
from tests.e2e.conftest import Visit, sign_in
from tests.factories import receive_one
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.games import game_file, recording

PHONE = 390
EVERYWHERE = ("/", "/leaderboards/", "/leaderboards/beginner/time/", "/leaderboards/combined/time/",
              "/leaderboards/sub/beginner/100/", "/replays/", "/players/", "/statistics/", "/upload/", "/sign-up/")  # fmt: skip


def put(data: bytes, uploader: User | None = None) -> Replay:
    receipt = receive_one(data, name="game.rawvf", uploader=uploader, enqueue=False)
    assert receipt.replay_id is not None
    analyse_replays([receipt.replay_id])
    return Replay.objects.select_related("player").get(pk=receipt.replay_id)


def background(page: object) -> str:
    found: str = page.evaluate("getComputedStyle(document.body).backgroundColor")  # type: ignore[attr-defined]
    return found


@pytest.mark.long(beside="tests/e2e/test_browser.py::test_no_page_is_wider_than_a_phone")
def test_dark_follows_the_system_until_the_visitor_chooses(visit: Visit) -> None:
    page = visit("/", color_scheme="dark")
    dark = background(page)
    page.click("[data-theme-toggle]")
    light = background(page)
    assert dark != light
    page.goto("/statistics/")  # drawn light by the server, although the system is dark
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    assert background(page) == light
    page.click("[data-theme-toggle]")
    assert background(page) == dark


def test_no_page_is_wider_than_a_phone(visit: Visit) -> None:
    game = put(game_file())
    assert game.player is not None
    page = visit("about:blank", width=PHONE, height=844)
    for path in (*EVERYWHERE, game.get_absolute_url(), game.player.get_absolute_url()):
        page.goto(path)
        widths = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        assert widths[0] <= widths[1], path


@pytest.mark.long(beside="tests/e2e/test_words.py::test_search_by_keys_from_any_page")
def test_keys(visit: Visit) -> None:
    put(game_file(1))
    put(game_file(2))
    page = visit("/replays/")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.name") == "q"
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    first = page.evaluate("document.activeElement.pathname")
    page.keyboard.press("j")
    second = page.evaluate("document.activeElement.pathname")
    assert first != second
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.pathname") == second, "it is the last row"
    page.keyboard.press("k")
    assert page.evaluate("document.activeElement.pathname") == first
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{first}")


@pytest.mark.long(beside="tests/e2e/test_words.py::test_search_by_keys_from_any_page")
def test_skip_link_is_the_first_stop(visit: Visit) -> None:
    page = visit("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


@pytest.mark.long(beside="tests/pages/test_escaping.py::test_names_are_text_on_every_page")
def test_hostile_names_do_not_run(visit: Visit) -> None:
    names = ("<script>document.title='run'</script>", "<img src=x onerror=\"document.title='run'\">")
    games = [put(rawvf.write(replace(recording(seed), player=name))) for seed, name in enumerate(names, 1)]
    shown: dict[str, tuple[str, ...]] = {"/leaderboards/beginner/time/": names}
    for game, name in zip(games, names, strict=True):
        assert game.player is not None
        shown |= dict.fromkeys((game.get_absolute_url(), game.player.get_absolute_url()), (name,))
    page = visit("about:blank")
    for path, told in shown.items():
        page.goto(path)
        for name in told:
            expect(page.get_by_text(name).first).to_be_visible()
        assert page.title() != "run"


@pytest.mark.long(beside="tests/e2e/test_browser.py::test_no_page_is_wider_than_a_phone")
def test_times_are_in_the_browsers_zone(visit: Visit) -> None:
    game = put(game_file())
    Replay.objects.filter(pk=game.pk).update(uploaded_at="2024-03-01T23:30:00Z")
    page = visit(game.get_absolute_url(), timezone_id="Asia/Shanghai")
    expect(page.get_by_text("2024-03-02 07:30")).to_have_count(1)


@pytest.mark.long(beside="tests/e2e/test_browser.py::test_no_page_is_wider_than_a_phone")
def test_random_zini_comes_without_a_reload(visit: Visit) -> None:
    game = put(game_file())
    page = visit(game.get_absolute_url())
    page.evaluate("window.sameDocument = true")
    page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
    page.get_by_role("link", name="Compute").click()
    page.get_by_role("link", name="Compute").wait_for(state="detached")
    assert page.evaluate("window.sameDocument") is True
    assert "/rzini/" not in page.url


@pytest.mark.long(beside="tests/e2e/test_words.py::test_search_by_keys_from_any_page")
def test_search_finds_while_one_types(visit: Visit) -> None:
    put(game_file())
    page = visit("/players/")
    page.locator("#q").press_sequentially("ada")
    page.wait_for_url("**/players/?q=ada")
    expect(page.get_by_role("link", name="Ada Bot")).to_be_visible()
    page.locator("#q").press_sequentially("xyz")
    page.get_by_text("No player's name contains").wait_for()


@pytest.mark.long(beside="tests/e2e/test_browser.py::test_no_page_is_wider_than_a_phone")
def test_empty_filters_stay_out_of_the_address(visit: Visit) -> None:
    put(game_file())
    page = visit("/replays/")
    page.get_by_text("More", exact=True).first.click()
    page.locator("[name=time__lte]").fill("999")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**/replays/?time__lte=999")
    page.get_by_role("link", name="Remove").click()
    page.wait_for_url(lambda address: "time" not in address)


@pytest.mark.long(beside="tests/e2e/test_browser.py::test_no_page_is_wider_than_a_phone")
def test_sign_up_knows_the_zone_of_the_browser(visit: Visit) -> None:
    page = visit("/sign-up/", timezone_id="Asia/Tokyo")
    page.fill("[name=username]", "newcomer")
    page.fill("[name=password1]", "a long pass-phrase")
    page.fill("[name=password2]", "a long pass-phrase")
    page.click("main form button")
    page.wait_for_url("**/upload/")
    assert User.objects.get(username="newcomer").time_zone == "Asia/Tokyo"


@pytest.mark.long(beside="tests/e2e/test_browser.py::test_no_page_is_wider_than_a_phone")
@pytest.mark.parametrize(
    ("old", "new", "city"), [("Asia/Calcutta", "Asia/Kolkata", "Kolkata"), ("Europe/Kiev", "Europe/Kyiv", "Kyiv")]
)
def test_the_zone_of_the_browser_is_offered_also_by_its_older_name(
    visit: Visit, owner: User, old: str, new: str, city: str
) -> None:
    page = visit("/", timezone_id=old)
    sign_in(page, owner)
    page.goto("/account/")
    page.get_by_role("button", name=f"Use this browser's time zone: {city}").click()
    expect(page.locator("[name=time_zone]")).to_have_value(new)


@pytest.mark.long(beside="tests/e2e/test_browser.py::test_no_page_is_wider_than_a_phone")
def test_language_is_switched_and_kept(visit: Visit, owner: User) -> None:
    page = visit("/")
    sign_in(page, owner)
    page.get_by_role("button", name="中文").click()
    page.wait_for_load_state()
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    owner.refresh_from_db()
    assert owner.language == "zh-hans"


@pytest.mark.long(beside="tests/e2e/test_browser.py::test_no_page_is_wider_than_a_phone")
@pytest.mark.parametrize(
    ("width", "height", "insets", "sides"),
    [
        (844, 390, {"left": 47, "right": 47, "bottom": 21}, (47, 797)),
        (740, 360, {"left": 0, "right": 40}, (16, 700)),
        (PHONE, 844, {"bottom": 34}, (16, PHONE - 16)),
    ],
)
def test_nothing_is_behind_the_notch_of_a_phone(
    visit: Visit, width: int, height: int, insets: dict[str, int], sides: tuple[float, float]
) -> None:
    page = visit("/players/", width=width, height=height, has_touch=True, is_mobile=True)
    expect(page.locator("meta[name=viewport]")).to_have_attribute("content", re.compile("viewport-fit=cover"))
    page.context.new_cdp_session(page).send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
    brand, acts = page.locator(".brand").bounding_box(), page.locator(".top .acts").bounding_box()
    assert brand
    assert acts
    assert (brand["x"], acts["x"] + acts["width"]) == sides
    bar = page.locator(".tabbar")
    if bar.is_visible():
        places = bar.locator("a").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().toJSON())")
        assert max(place["bottom"] for place in places) <= height - insets.get("bottom", 0)
        assert max(place["right"] for place in places) <= width - insets.get("right", 0)


@pytest.mark.long(beside="tests/e2e/test_browser.py::test_no_page_is_wider_than_a_phone")
def test_tables_fit_a_phone(visit: Visit, owner: User) -> None:
    """Rows are cards there: no column is outside of the screen."""
    games = [
        put(game_file(seed, level), owner)
        for seed, level in ((1, Level.BEGINNER), (2, Level.BEGINNER), (1, Level.EXPERT))
    ]
    player = games[0].player
    assert player is not None
    page = visit("/", width=PHONE, height=844)
    sign_in(page, owner)
    paths = (*EVERYWHERE, "/records/", "/records/holders/", "/leaderboards/expert/time/history/", "/account/uploads/",
             "/api/v1/docs/errors/", f"/compare/?a={games[0].pk}&b={games[1].pk}", player.get_absolute_url())  # fmt: skip
    for path in paths:
        page.goto(path)
        for compared in page.locator("[data-compare]").all():  # its numbers appear once the script is there
            expect(compared).to_have_attribute("data-state", "ready")
        cut = page.locator(".table-wrap:visible").evaluate_all(
            "(frames) => frames.filter((frame) => frame.scrollWidth > frame.clientWidth).map((frame) => frame.textContent)"
        )
        assert cut == [], path


@pytest.mark.long(beside="tests/e2e/test_browser.py::test_no_page_is_wider_than_a_phone")
def test_numbers_paper_and_the_systems_colours(visit: Visit) -> None:
    """A number that links looks like text until the pointer comes; paper is light; what is current has an outline."""
    put(game_file())
    page = visit("/leaderboards/beginner/time/?columns=gap,bv,bvs,style,trend,date,age,film", color_scheme="dark")
    number, cell = page.locator("td.main a"), page.locator("td.main")
    colour, line = "(node) => getComputedStyle(node).color", "(node) => getComputedStyle(node).textDecorationLine"
    assert number.evaluate(colour) == cell.evaluate(colour)
    assert number.evaluate(line) == "none"
    number.hover()
    assert number.evaluate(line) == "underline"
    assert cell.evaluate("(node) => getComputedStyle(node).fontVariantNumeric") == "tabular-nums"
    dark = cell.evaluate(colour)
    page.set_viewport_size({"width": 718, "height": 1000})  # A4 without its margins
    page.emulate_media(media="print", color_scheme="dark")
    assert cell.evaluate(colour) != dark
    assert page.locator(".table-wrap").evaluate("(frame) => frame.scrollWidth <= frame.clientWidth")
    expect(page.get_by_role("navigation", name="Site")).to_be_hidden()
    page.emulate_media(media="screen", forced_colors="active")
    current = page.get_by_role("navigation", name="Level").locator("[aria-current]")
    assert current.evaluate("(node) => getComputedStyle(node).outlineStyle") == "solid"


@pytest.mark.long(beside="tests/e2e/test_browser.py::test_no_page_is_wider_than_a_phone")
def test_what_scrolls_fades_at_its_edge(visit: Visit) -> None:
    """At the right while there is more there, at the left once something is behind it; not where all of it fits."""
    put(game_file())
    page = visit("/leaderboards/beginner/time/", width=PHONE, height=700)
    fades = """([strip, left, right]) => {
      const style = getComputedStyle(document.querySelector(strip));
      return style.getPropertyValue("--fade-left") === left && style.getPropertyValue("--fade-right") === right;
    }"""
    for strip in ("nav.tabs", "nav.levels"):
        page.locator(strip).evaluate("(node) => node.scrollTo(0, 0)")
        page.wait_for_function(fades, arg=[strip, "0px", "32px"])
        page.locator(strip).evaluate("(node) => node.scrollTo(9999, 0)")
        page.wait_for_function(fades, arg=[strip, "32px", "0px"])
    more = """([name, text]) =>
      getComputedStyle(document.querySelector(".bar-frame"), "::after").getPropertyValue(name) === text"""
    page.wait_for_function(more, arg=["opacity", "1"])
    page.set_viewport_size({"width": 1280, "height": 700})  # as a phone that is turned
    page.wait_for_function(fades, arg=["nav.levels", "0px", "0px"])
    page.wait_for_function(more, arg=["content", "none"])
