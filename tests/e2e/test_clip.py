"""A clip from asking to the picture, in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from analysis.recording import Level
from replays.watch.clips import services
from replays.watch.clips.services import Clip
from tests.e2e.conftest import Visit
from tests.e2e.test_browser import put
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.games import game_file

pytestmark = pytest.mark.usefixtures("store")
_WIDTH = "image => image.decode().then(() => image.naturalWidth)"


@pytest.mark.long(beside="tests/replays/watch/clips/test_clips.py::test_from_asking_to_the_file")
def test_from_asking_to_the_picture(
    visit: Visit, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.KEPT_DIR = tmp_path / "kept"
    sent: list[Clip] = []
    monkeypatch.setattr(services, "_send", sent.append)
    game = put(game_file(1, Level.EXPERT))
    page = visit(f"/replays/{game.pk}/clip/?t=10")
    frames = page.locator(".clip-ends img")
    assert [frame.evaluate(_WIDTH) for frame in frames.all()] == [1200, 1200]
    page.get_by_label("From (seconds)").fill("8")
    with page.expect_response(lambda answer: answer.url.endswith("/frame.png?t=8")):
        page.keyboard.press("Tab")
    page.get_by_label("From (seconds)").fill("7")
    page.get_by_role("button", name="Make GIF").click()
    expect(page.locator("#clip progress")).to_be_visible()
    assert [(clip.from_ms, clip.to_ms) for clip in sent] == [(7_000, 13_000)]
    services.make(sent[0].replay.pk, sent[0].from_ms, sent[0].to_ms)
    picture = page.locator("img.clip")
    expect(picture).to_be_visible()
    assert picture.evaluate(_WIDTH) == 480
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    expect(page.locator("#clip progress")).to_have_count(0)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the GIF").click()
    assert Path(download.value.path()).read_bytes().startswith(b"GIF89a")
