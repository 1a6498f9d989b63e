"""First views with scripts and styles as they are served: collected, minified, hashed and compressed."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as settings_of_site
from django.core.management import call_command
from django.test import override_settings
from django.urls import reverse
from playwright.sync_api import expect
from pytest_django import Settings

from analysis.recording import Level
from players.models import User
from replays.models import Replay
from tests.e2e.conftest import Visit
from tests.e2e.demo_pages import demo_pages, sign_in_by_cookie
from tests.e2e.film import used
from tests.e2e.page_measures import Answer, FirstView, first_view
from tests.e2e.site import Site, running_site
from tests.e2e.test_browser import put
from tests.e2e.test_film_page import choose_numbers
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.games import game_file

#: Of everything that a first view loads, with headers, by page: little more than on a large site.
MOST_BYTES = {"home": 29_000, "board": 49_200, "player": 62_400, "replay": 112_200}  # home without film and board
MOST_BYTES_ELSEWHERE = 150_000
#: The sum of all layout shifts, until the end of the page was seen.
MOST_SHIFT = 0.01
SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
STORAGES = settings_of_site.STORAGES | {"staticfiles": {"BACKEND": "config.static_files.StaticFilesStorage"}}


@pytest.fixture(scope="module")
def static_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the collected files."""
    folder = tmp_path_factory.mktemp("static")
    with override_settings(STATIC_ROOT=folder, STORAGES=STORAGES):
        call_command("collectstatic", interactive=False, verbosity=0, stdout=io.StringIO())
    return folder


@pytest.fixture
def asgi_site(settings: Settings, static_root: Path, transactional_db: None) -> Iterator[Site]:
    """The site with collected files."""
    settings.STATIC_ROOT, settings.STORAGES = static_root, STORAGES
    with running_site(collected=True) as site:
        yield site


@pytest.fixture
def game(store: Any, transactional_db: None) -> Replay:  # noqa: F811 - the fixture
    return put(game_file(1, Level.EXPERT))


def film_scripts(answers: dict[str, Answer]) -> dict[str, int]:
    """Bytes of the scripts of the viewer as they travel, without headers."""
    ours = re.compile(r"^/static/(watch/film/.*|play/skin\..*)\.js$")
    return {path: answer.body for path, answer in answers.items() if ours.match(path)}


@pytest.mark.long(beside="tests/config/http/test_compression.py::test_pages_with_secrets_are_not_compressed")
def test_bytes(asgi_site: Site, visit: Visit, game: Replay) -> None:
    """A first view of a replay with everything that it asks for; 12 KiB of that are scripts of the viewer."""
    view = first_view(visit("about:blank"), game.get_absolute_url())
    assert view.travelled <= MOST_BYTES["replay"], view.answers
    scripts = film_scripts(view.answers)
    assert len(scripts) == 8
    assert all(scripts.values())
    assert sum(scripts.values()) <= 12 * 1024, scripts
    assert not any(path.endswith("/odds") for path in view.answers), "they come when somebody uses the film"


@pytest.mark.long(beside="tests/config/http/test_compression.py::test_pages_with_secrets_are_not_compressed")
@pytest.mark.parametrize("size", SIZES)
def test_first_views(asgi_site: Site, visit: Visit, owner: User, store: Path, size: str) -> None:  # noqa: F811 - the fixture
    """The first view is small, and nothing moves by itself: neither while it loads nor on the way to its end."""
    width, height = SIZES[size]
    views: dict[str, FirstView] = {}
    large: dict[str, int] = {}
    for name, address in demo_pages(owner, games=30, own_games=300).items():
        for visitor in [None, owner]:
            page = visit("about:blank", width=width, height=height)
            if visitor:
                sign_in_by_cookie(page, visitor, asgi_site.url)
            elif name == "outcome of an upload":
                continue  # of the account alone
            view = views[f"{name}, {visitor or 'guest'}"] = first_view(page, address)
            weight = view.still if name == "home" else view.travelled
            if not 0 < weight <= MOST_BYTES.get(name, MOST_BYTES_ELSEWHERE):
                large[f"{name}, {visitor or 'guest'}"] = weight
            page.context.close()
    assert len(views) == 11
    assert large == {}
    assert {name: view.shifts for name, view in views.items() if view.shift > MOST_SHIFT} == {}


@pytest.mark.long(beside="tests/e2e/test_watch.py::test_it_plays_to_the_end")
def test_it_plays(asgi_site: Site, visit: Visit, game: Replay) -> None:
    """Minified files work: the film is played, with all layers, and a menu is used."""
    page = visit(f"{game.get_absolute_url()}?layers=odds,zini,heat,bv,openings")
    expect(page.locator("[data-film][data-odds=ready][data-review=ready]")).to_have_count(1)
    expect(page.locator("script[src*='film/viewer.']")).not_to_have_attribute("src", "/static/watch/film/viewer.js")
    choose_numbers(page)
    page.locator("[data-part=own] input").fill("2 * bvdone")
    page.locator("[data-part=own] input").press("Enter")
    expect(page.locator("[data-part=rows]")).to_contain_text("2 * bvdone")
    page.locator("[data-part=rate]").fill("16")
    page.locator("[data-part=rate]").press("Enter")
    page.locator("[data-do=toggle]").click()
    expect(page.locator("[data-film][data-state=ended]")).to_have_count(1)
    page.get_by_text("Logic", exact=True).click()
    expect(page.locator("[data-part=position][data-event]")).to_have_count(1)


@pytest.mark.long(beside="tests/config/http/test_compression.py::test_pages_with_secrets_are_not_compressed")
def test_controls_that_cannot_be_loaded_are_tried_again(
    asgi_site: Site, visit: Visit, game: Replay, tolerated: list[str]
) -> None:
    """Under another address, behind the hashed name."""
    tolerated.append("Failed to load resource")
    page = visit("about:blank")
    address = re.compile(r"/film/use\.\w+\.js$")
    page.route(address, lambda route: route.abort())
    page.goto(game.get_absolute_url())
    expect(page.locator("[data-film][data-state=ready]")).to_have_count(1)
    page.mouse.move(50, 50)
    expect(page.locator("[data-part=note]")).to_contain_text("couldn't load")
    page.unroute(address)
    with page.expect_response(re.compile(r"/film/use\.\w+\.js\?again=1$")) as answer:
        page.mouse.move(60, 60)
    assert answer.value.headers["cache-control"].endswith("immutable")
    used(page)


@pytest.mark.long(beside="tests/config/http/test_compression.py::test_pages_with_secrets_are_not_compressed")
def test_an_embedded_film_plays(asgi_site: Site, visit: Visit, game: Replay) -> None:
    page = visit("about:blank")
    answers = first_view(page, reverse("replay-embed", args=[game.pk])).answers
    assert sum(answer.travelled for path, answer in answers.items() if not path.endswith("/film")) <= 60_000, answers
    page.keyboard.press("End")
    expect(page.locator("[data-film][data-state=ended]")).to_have_count(1)
