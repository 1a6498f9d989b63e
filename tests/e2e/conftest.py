"""A browser on the live site."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Route, expect
from pytest_django import Settings

from analysis import warmup
from players.models import User
from tests.conftest import PASSWORD, REAL_IS_READY
from tests.e2e.chromium import EXECUTABLE, REQUIRED, chromium
from tests.e2e.film_modules import modules as modules  # a fixture
from tests.e2e.site import Site, running_site

Visit = Callable[..., Page]

#: Several workers and their sites share the processors, and an answer 503 names 5 s to wait: the default of 5 s fails
#: where nothing is wrong.  What is there already costs no wait.
_WAIT_MS = 30_000
expect.set_options(timeout=_WAIT_MS)


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Generator[None]:
    """Mark the tests of this folder, and let them follow one another: any other test between two of them ends Chromium."""
    for item in items:
        if Path(item.path).is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.browser)
    yield
    items.sort(key=lambda item: item.get_closest_marker("browser") is None)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of this folder."""
    if not EXECUTABLE.exists():
        if REQUIRED:
            pytest.fail(f"{EXECUTABLE} is missing and SWEEPBOOK_REQUIRE_BROWSER=1")
        pytest.skip(f"{EXECUTABLE} is missing")
    with pytest.MonkeyPatch.context() as patch, chromium() as running:
        # The browser's driver keeps an event loop in this thread, where Django then refuses to use the database.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        yield running


@pytest.fixture(scope="session")
def luck_compiled() -> None:
    """The kernels of luck on this machine's disk.  The process that computes for the site loads them, and this one need not."""
    if not REAL_IS_READY("luck"):
        warmup.compile_group("luck")


@pytest.fixture(scope="session")
def kept_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kept")


@pytest.fixture(autouse=True)
def _kept_from_test_to_test(settings: Settings, kept_folder: Path) -> None:
    """Let films, odds and reviews of a file be computed once in a process: they depend on its bytes and the code alone."""
    settings.KEPT_DIR = kept_folder


@pytest.fixture
def tolerated() -> list[str]:
    """Parts of complaints that a test expects to see in the browser's console."""
    return []


@pytest.fixture
def asgi_site(transactional_db: None) -> Iterator[Site]:
    """The real ASGI application under uvicorn, in a thread: pages, API *and sockets*, on the test database.

    ``visit`` goes there instead of to ``live_server`` in tests that also ask for ``asgi_site``::

        def test_something(asgi_site: Site, visit: Visit) -> None:
            page = visit("/play/beginner/")

    Settings that a test changes by ``settings`` hold in the site, if it asks for ``settings`` before ``asgi_site``.
    """
    with running_site() as site:
        yield site


@pytest.fixture
def visit(
    tolerated: list[str], browser: Browser, request: pytest.FixtureRequest, transactional_db: None
) -> Iterator[Visit]:
    """``visit("/path", width=390)``: a page in a fresh profile; it fails at the end if a script complained.

    The site is ``live_server``, which has no sockets, or that of ``asgi_site``, or of ``echo_site``.
    """
    sites = ("asgi_site", "echo_site", "live_server")
    site = request.getfixturevalue(next((name for name in sites if name in request.fixturenames), "live_server"))
    contexts: list[BrowserContext] = []
    troubles: list[str] = []

    def complain(address: str, message: ConsoleMessage) -> None:
        if message.type == "error":
            troubles.append(f"{address}: {message.text} {message.location.get('url', '')}")

    def go(path: str, *, width: int = 1280, height: int = 900, **options: Any) -> Page:
        context = browser.new_context(
            base_url=site.url, viewport={"width": width, "height": height}, locale="en-GB", **options
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: troubles.append(f"{page.url}: {error}"))
        page.on("console", lambda message: complain(page.url, message))
        page.goto(path)
        return page

    yield go
    for context in contexts:
        context.close()
    assert [text for text in troubles if not any(part in text for part in tolerated)] == []


def sign_in(page: Page, user: User) -> None:
    """Fill in the form, as a person does."""
    page.goto("/sign-in/")
    page.fill("[name=login]", user.username)
    page.fill("[name=password]", PASSWORD)
    page.click("main form button")
    page.wait_for_url(lambda url: "/sign-in/" not in url)  # leaving before the answer would leave the person a guest


def hold(page: Page, pattern: str) -> Callable[[], None]:
    """Let a script not come, until what is returned is called; that waits until the page has asked for it."""
    held: list[Route] = []
    page.route(pattern, lambda route: held.append(route))

    def come() -> None:
        while not held:
            page.wait_for_timeout(20)
        held[0].continue_()

    return come
