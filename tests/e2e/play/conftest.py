"""Pages of live play whose socket is the test itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.e2e.conftest import Visit
from tests.e2e.play.table import SOCKET_DOUBLE, GamePage

OpenGame = Callable[..., GamePage]


@pytest.fixture
def open_game(browser: Browser, visit: Visit) -> OpenGame:
    """``open_game("/play/beginner/", stored={"zoom": "32"}, width=390)``: a game whose server is the test."""

    def go(path: str = "/play/beginner/", *, stored: dict[str, Any] | None = None, **options: Any) -> GamePage:
        page = visit("/robots.txt", **options)
        page.route(
            "**/play/socket*.js", lambda route: route.fulfill(body=SOCKET_DOUBLE, content_type="text/javascript")
        )
        if stored is not None:
            page.evaluate("(values) => localStorage.setItem('play-settings', values)", json.dumps(stored))
        page.goto(path)
        game = GamePage(page)
        game.until("socketDouble.sent.some((message) => message.type === 'start')")
        return game

    return go
