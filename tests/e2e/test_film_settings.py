"""The settings of the viewer follow an account from browser to browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from players.models import User
from replays.models import Replay
from tests.e2e.conftest import Visit, sign_in
from tests.e2e.film import use_film
from tests.e2e.test_browser import put
from tests.e2e.test_film_page import choose_numbers, frame, press, row_texts, state
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.games import game_file


@pytest.fixture
def tolerated() -> list[str]:
    return ["status of 4"]  # a browser tells every refusal on its console


@pytest.fixture
def game(transactional_db: None, store: Path) -> Replay:  # noqa: F811 - the fixture
    return put(game_file(1))


def opened(page: Page, game: Replay) -> Page:
    page.goto(game.get_absolute_url())
    use_film(page)
    return page


@pytest.mark.long(
    beside="tests/replays/watch/film/test_settings.py::test_the_page_carries_them_and_films_know_no_account"
)
def test_settings_follow_the_account(visit: Visit, game: Replay, owner: User) -> None:
    page = visit("/")
    sign_in(page, owner)
    page.evaluate("localStorage.setItem('film', JSON.stringify({ rows: ['time', 'nothing'], rate: 'x', trail: 5 }))")
    opened(page, game)
    frame(page).focus()
    with page.expect_response(lambda response: response.request.method == "PUT") as stored:
        press(page, ">", "o", "t")
    assert stored.value.status == 200
    choose_numbers(page)
    field = page.locator("[data-part=own] input")
    field.fill("2 * bvdone")
    with page.expect_response(lambda response: response.request.method == "PUT") as stored:
        field.press("Enter")
    assert stored.value.status == 200
    owner.refresh_from_db()
    kept: dict[str, Any] = owner.viewer_settings
    assert kept == {"rate": 1.5, "layers": ["openings"], "trail": "click", "clicks": ["left", "right", "chord"], "smooth": True, "letters": True,
                    "rows": ["time"], "formulas": ["2 * bvdone"]}  # fmt: skip

    other = visit("/")
    sign_in(other, owner)
    other.evaluate("localStorage.setItem('film', JSON.stringify({ rate: 8, layers: ['heat'] }))")
    found = state(opened(other, game))
    assert (found["rate"], found["layers"], found["trail"]) == (1.5, ["openings"], "click"), "the account goes first"
    assert list(row_texts(other)) == ["Time", "2 * bvdone ×"]

    requested: list[str] = []
    guest = visit("/")
    guest.on("request", lambda request: requested.append(request.url))
    frame(opened(guest, game)).focus()
    assert press(guest, ">")["rate"] == 1.5
    guest.wait_for_timeout(1000)
    assert not [url for url in requested if "account" in url], "without an account the browser alone keeps them"

    page.route("**/account/viewer/", lambda route: route.fulfill(status=403, body="{}"))
    frame(page).focus()
    press(page, ">")
    expect(page.locator("[data-part=note]")).to_contain_text("couldn't be saved")
