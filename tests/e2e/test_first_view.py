"""The first view of a replay with scripts and styles as they are served: collected, minified, hashed and compressed."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings as settings_of_site
from django.core.management import call_command
from django.test import override_settings
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django import Settings

from analysis.recording import Level
from replays.models import Replay
from tests.e2e.conftest import Visit
from tests.e2e.site import Site, running_site
from tests.e2e.test_browser import put
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.games import game_file

STORAGES = settings_of_site.STORAGES | {"staticfiles": {"BACKEND": "config.static_files.StaticFilesStorage"}}


@dataclass
class Answer:
    """What came from one address."""

    body: int  #: bytes as they travel, by their header; 0 if it does not say
    travelled: int = 0  #: with headers


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


def loaded(page: Page, address: str) -> dict[str, Answer]:
    """What comes from which path until the film stands there and nothing more is asked for."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    answers: dict[str, tuple[str, Answer]] = {}

    def begin(event: dict[str, Any]) -> None:
        response = event["response"]
        headers = {name.lower(): value for name, value in response["headers"].items()}
        path = urlsplit(response["url"]).path
        answers[event["requestId"]] = (path, Answer(int(headers.get("content-length", 0))))

    def end(event: dict[str, Any]) -> None:
        answers[event["requestId"]][1].travelled = int(event["encodedDataLength"])

    session.on("Network.responseReceived", begin)
    session.on("Network.loadingFinished", end)
    page.goto(address)
    expect(page.locator("[data-film][data-state=ready][data-review]")).to_have_count(1)
    page.wait_for_load_state("networkidle")
    return dict(answers.values())


def film_scripts(answers: dict[str, Answer]) -> dict[str, int]:
    """Bytes of the scripts of the viewer as they travel, without headers."""
    ours = re.compile(r"^/static/(film/.*|play/skin)\.js$")
    return {path: answer.body for path, answer in answers.items() if ours.match(path)}


def test_bytes(asgi_site: Site, visit: Visit, game: Replay) -> None:
    """A first view with everything that it asks for, the film among it; 12 KB of that are scripts of the viewer."""
    answers = loaded(visit("about:blank"), game.get_absolute_url())
    assert sum(answer.travelled for answer in answers.values()) <= 150_000, answers
    scripts = film_scripts(answers)
    assert len(scripts) == 8
    assert all(scripts.values())
    assert sum(scripts.values()) <= 12_000, scripts
    assert not any(path.endswith("/odds") for path in answers), "they come when somebody uses the film"


def test_it_plays(asgi_site: Site, visit: Visit, game: Replay) -> None:
    """What is minified works: the film is played, with all layers, and a menu is used."""
    page = visit(f"{game.get_absolute_url()}?layers=odds,zini,heat,bv,openings")
    expect(page.locator("[data-film][data-odds=ready][data-review=ready]")).to_have_count(1)
    assert page.locator("script[src*='film/viewer.']").get_attribute("src") != "/static/film/viewer.js"
    page.get_by_text("Numbers", exact=True).click()
    page.locator("[data-part=own] input").fill("2 * bvdone")
    page.locator("[data-part=own] input").press("Enter")
    expect(page.locator("[data-part=rows]")).to_contain_text("2 * bvdone")
    page.locator("[data-part=rate]").fill("16")
    page.locator("[data-part=rate]").press("Enter")
    page.locator("[data-do=toggle]").click()
    expect(page.locator("[data-film][data-state=ended]")).to_have_count(1)
    page.locator("[data-part=position] > summary").click()
    expect(page.locator("[data-part=position][data-event]")).to_have_count(1)


def test_an_embedded_film_plays(asgi_site: Site, visit: Visit, game: Replay) -> None:
    page = visit("about:blank")
    answers = loaded(page, reverse("replay-embed", args=[game.pk]))
    assert sum(answer.travelled for path, answer in answers.items() if not path.endswith("/film")) <= 60_000, answers
    page.keyboard.press("End")
    expect(page.locator("[data-film][data-state=ended]")).to_have_count(1)
