"""The timeline of risks and the positions, in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from analysis import formats
from analysis.luck import Luck, Sort, luck_of
from analysis.recording import Level
from analysis.statistics import LUCK_VERSION
from analysis.time_convention import time_decimals
from players.models import User
from replays import file_store
from replays.models import Replay
from tests.e2e.conftest import Visit, sign_in
from tests.e2e.test_browser import put
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.games import game_file

PHONE = 390

pytestmark = pytest.mark.usefixtures("luck_compiled")


@pytest.fixture
def game(transactional_db: None, store: Path) -> Replay:  # noqa: F811 - the fixture
    return put(game_file(1, Level.EXPERT))


@pytest.fixture
def luck(game: Replay) -> Luck:
    return luck_of(formats.read(file_store.get(game.sha256)))


def opened(page: Page) -> Page:
    """Scroll to the section and wait until it shows a position."""
    page.locator("#luck").scroll_into_view_if_needed()
    expect(page.locator("#luck [data-board] rect").first).to_be_visible()
    return page


def chosen(page: Page) -> int:
    return int(page.locator("[data-timeline]").get_attribute("aria-valuenow") or 0)


def test_every_click_has_a_mark_as_high_as_its_risk(visit: Visit, game: Replay, luck: Luck) -> None:
    page = opened(visit(game.get_absolute_url()))
    marks: list[dict[str, Any]] = page.eval_on_selector_all(
        "[data-timeline] .mark",
        "all => all.map(m => ({n: +m.dataset.number, sort: m.classList[1], height: 100 - m.getAttribute('y2')}))",
    )
    assert len(marks) == len(luck.clicks)
    for mark in marks:
        click = luck.clicks[mark["n"]]
        assert mark["sort"] == click.sort.value
        assert mark["height"] == pytest.approx(max(100 * click.risk, 5))
    worst = max(range(len(luck.clicks)), key=lambda number: luck.clicks[number].risk)
    assert chosen(page) == worst + 1


def test_the_keyboard_goes_from_click_to_click_and_from_guess_to_guess(visit: Visit, game: Replay, luck: Luck) -> None:
    page = opened(visit(game.get_absolute_url()))
    page.locator("[data-timeline]").focus()
    page.keyboard.press("Home")
    assert chosen(page) == 1
    page.keyboard.press("ArrowRight")
    assert chosen(page) == 2
    page.keyboard.press("ArrowLeft")
    assert chosen(page) == 1
    guesses = [n + 1 for n, click in enumerate(luck.clicks) if click.sort in (Sort.GUESS, Sort.NEEDLESS)]
    page.keyboard.press("PageDown")
    assert chosen(page) == guesses[0]
    page.keyboard.press("End")
    assert chosen(page) == len(luck.clicks)
    page.keyboard.press("PageUp")
    assert chosen(page) == [n for n in guesses if n < len(luck.clicks)][-1]
    page.get_by_role("button", name="Next guess").click()
    assert chosen(page) in guesses
    assert f"Click {chosen(page)} of {len(luck.clicks)}" in page.locator("[data-description]").inner_text()
    assert "#" not in page.url


def test_the_mouse_jumps_and_the_board_shows_the_position_before(visit: Visit, game: Replay, luck: Luck) -> None:
    page = opened(visit(game.get_absolute_url()))
    box = page.locator("[data-timeline]").bounding_box()
    assert box is not None
    page.locator("[data-timeline]").click(position={"x": box["width"] - 1, "y": box["height"] / 2})
    assert chosen(page) == len(luck.clicks)
    expect(page.locator("[data-board] .clicked")).to_have_count(len(luck.clicks[-1].cells))
    page.locator("[data-timeline]").focus()
    page.keyboard.press("Home")
    expect(page.locator("[data-board] .closed")).to_have_count(480)


def test_the_position_shows_probabilities_and_reasons_until_they_are_switched_off(
    visit: Visit, game: Replay, luck: Luck
) -> None:
    linked = [number for number, click in enumerate(luck.clicks, 1) if click.sort is Sort.CERTAIN][40]
    page = opened(visit(f"{game.get_absolute_url()}#click-{linked}"))
    assert chosen(page) == linked
    expect(page.locator("[data-board] .safe").first).to_be_visible()
    assert page.locator("[data-board] .chance").count() == page.locator("[data-board] .closed").count() > 0
    step = page.locator("[data-steps] li").first
    step.focus()
    assert page.locator("[data-board] .on-number").count() >= 1
    page.get_by_label("Probabilities").uncheck()
    expect(page.locator("[data-board] .chance")).to_have_count(0)
    expect(page.locator("[data-reasons]")).to_be_hidden()
    page.get_by_label("Probabilities").check()
    expect(page.locator("[data-board] .chance").first).to_be_visible()


def in_view(page: Page) -> bool:
    """Whether the timeline is on the screen."""
    box = page.locator("[data-timeline]").bounding_box()
    return box is not None and 0 <= box["y"] < page.evaluate("innerHeight")


@pytest.mark.parametrize("width", [1280, PHONE])
def test_a_link_to_a_click_opens_there(visit: Visit, game: Replay, luck: Luck, width: int) -> None:
    page = visit(f"{game.get_absolute_url()}#click-3", width=width)
    expect(page.locator("#luck [data-board] rect").first).to_be_visible()  # nobody scrolled
    assert chosen(page) == 3
    assert in_view(page)
    page.evaluate("scrollTo(0, 0)")
    page.evaluate("location.hash = '#click-5'")
    expect(page.locator("[data-timeline]")).to_have_attribute("aria-valuenow", "5")
    assert in_view(page)


def test_the_address_changes_only_for_somebody_who_wants_the_link(visit: Visit, game: Replay, luck: Luck) -> None:
    page = opened(visit(game.get_absolute_url(), permissions=["clipboard-read", "clipboard-write"]))
    assert "#" not in page.url
    page.locator("[data-timeline]").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert "#" not in page.url
    page.get_by_role("button", name="Link to this click").click()
    expect(page.locator("[data-copied]")).to_have_text("Link copied")
    assert page.url.endswith(f"{game.get_absolute_url()}#click-2")
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    page.locator("[data-timeline]").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-copied]")).to_have_text("")


def test_an_address_that_names_no_click_of_the_game_opens_the_riskiest(visit: Visit, game: Replay, luck: Luck) -> None:
    page = visit(f"{game.get_absolute_url()}#click-9999")
    expect(page.locator("#luck [data-board] rect").first).to_be_visible()
    worst = max(range(len(luck.clicks)), key=lambda number: luck.clicks[number].risk)
    assert chosen(page) == worst + 1


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (0.000109, "0.011%"),
        (0.25, "25.0%"),
        (0.0, "0.0%"),
        (1.0, "100.0%"),
        (0.99999, "99.999%"),
        (2.5e-14, "0.0000000000025%"),
    ],
)
def test_a_chance_is_never_shown_as_none(visit: Visit, game: Replay, chance: float, text: str) -> None:
    page = visit("/")

    def answer(route: Route) -> None:
        body = route.fetch().json()
        body["values"] |= {"luck": chance, "pluck": 1.0, "guesses": 1, "needless_guesses": 0}
        route.fulfill(json=body)

    page.route("**/luck/**", answer)
    page.goto(game.get_absolute_url())
    page.locator("#luck").scroll_into_view_if_needed()
    expect(page.locator("[data-summary]")).to_have_text(f"guesses: 1, needless: 0; chance of survival: {text}")


def test_the_timeline_is_on_the_readers_clock(visit: Visit, game: Replay, luck: Luck, owner: User) -> None:
    last_ms = luck.clicks[-1].time_ms
    decimals = time_decimals(game.time_precision_ms)
    for clock, begin_ms in ((User.Clock.ZERO, 0), (User.Clock.ONE, 1_000)):
        User.objects.filter(pk=owner.pk).update(clock=clock)
        page = visit("/")
        sign_in(page, owner)
        page.goto(game.get_absolute_url())
        opened(page)
        expect(page.locator(".scale span").first).to_have_text(f"{begin_ms // 1000} s")
        end = f"{(last_ms + begin_ms) / 1000:.{decimals}f}"
        expect(page.locator("[data-end]")).to_have_text(f"{end} s")
        page.locator("[data-timeline]").focus()
        page.keyboard.press("End")
        assert (
            f"Click {len(luck.clicks)} of {len(luck.clicks)}, {end} s"
            in page.locator("[data-description]").inner_text()
        )


def test_it_is_asked_for_only_when_somebody_comes_near(visit: Visit, game: Replay) -> None:
    requested: list[str] = []
    page = visit("/", width=PHONE, height=400)
    page.on("request", lambda request: requested.append(request.url))
    page.goto(game.get_absolute_url())
    page.wait_for_load_state("networkidle")
    assert not [url for url in requested if "/luck/" in url]
    opened(page)
    assert len([url for url in requested if "/luck/" in url]) == 1


def test_what_cannot_be_counted_is_told(visit: Visit, game: Replay, tolerated: list[str]) -> None:
    Replay.objects.update(luck_version=LUCK_VERSION, luck_code="limit_exceeded")
    page = visit(game.get_absolute_url())
    page.locator("#luck").scroll_into_view_if_needed()
    expect(page.locator("[data-summary]")).to_have_text("The risks of this game could not be counted.")


def test_a_server_that_refuses_is_told(visit: Visit, game: Replay, tolerated: list[str]) -> None:
    tolerated.append("429")
    page = visit("/")
    page.route("**/position/**", lambda route: route.fulfill(status=429, body="{}"))
    page.goto(game.get_absolute_url())
    page.locator("#luck").scroll_into_view_if_needed()
    expect(page.locator("[data-trouble]")).to_have_text("Too many positions in a while. Try again later.")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_all_of_it(visit: Visit, game: Replay, scheme: str) -> None:
    page = opened(visit(game.get_absolute_url(), width=PHONE, height=844, color_scheme=scheme))
    widths = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert widths[0] <= widths[1]
    colours = page.evaluate(
        "['.closed', '.open'].map(s => getComputedStyle(document.querySelector('[data-board] ' + s) ?? document.body).fill)"
    )
    assert colours[0] != colours[1]
