"""The clock of guests: a button on every page, kept in a cookie."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from analysis.recording import Level
from replays.models import Replay
from tests.e2e.conftest import Visit
from tests.e2e.test_browser import put
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.games import game_file

pytestmark = pytest.mark.usefixtures("store")


@pytest.mark.long(beside="tests/pages/test_clocks.py::test_the_clock_of_a_guest_is_not_that_of_the_next_visitor")
def test_a_guest_with_a_phone_counts_from_1(visit: Visit) -> None:
    game: Replay = put(game_file(1, Level.BEGINNER))
    seconds = game.statistic("time")
    assert seconds is not None
    page = visit(f"/replays/?player={game.player_id}", width=390)
    time = page.locator("tbody td .v").first
    for language, to_one, to_zero in (
        (None, "Count times from 1", "Count times from 0"),
        ("中文", "改为从 1 计时", "改为从 0 计时"),
    ):
        if language:
            page.get_by_role("button", name=language).click()
        expect(time).to_contain_text(f"{seconds:.3f}")
        page.get_by_role("button", name=to_one).click()
        expect(time).to_contain_text(f"{seconds + 1:.3f}")
        assert page.url.endswith(f"/replays/?player={game.player_id}")
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        page.get_by_role("button", name=to_zero).click()
