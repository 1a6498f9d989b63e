"""Watching a file without uploading it, in a browser: the film plays, the numbers are those of an upload."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from analysis.limits import WATCHED_BYTES
from analysis.statistics import ANALYSED
from analysis.time_convention import value_text
from players.models import User
from replays.models import Replay
from tests.e2e.conftest import Visit, sign_in
from tests.replays.conftest import Ingest
from tests.replays.conftest import ingest as ingest
from tests.replays.conftest import store as store
from tests.replays.games import game_file

DROP = """([bytes, name]) => {
    const holder = new DataTransfer();
    holder.items.add(new File([Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))], name));
    const event = (kind) => new DragEvent(kind, { dataTransfer: holder, bubbles: true, cancelable: true });
    document.body.dispatchEvent(event("dragover"));
    document.body.dispatchEvent(event("drop"));
}"""


def drop(page: Page, data: bytes, name: str = "game.rawvf") -> None:
    page.evaluate(DROP, [base64.b64encode(data).decode(), name])


def shown_numbers(page: Page) -> dict[str, str]:
    cells = page.locator("[data-number]").evaluate_all(
        "(rows) => rows.map((row) => [row.dataset.number, row.querySelector('td').firstChild.textContent.trim()])"
    )
    return dict(cells)


def test_a_dropped_file_plays_with_the_numbers_of_an_upload(visit: Visit, owner: User, ingest: Ingest) -> None:
    data = game_file(5)
    page = visit("/watch/")
    sign_in(page, owner)
    page.goto("/watch/")
    drop(page, data)
    film = page.locator("[data-film]")
    expect(film).to_have_attribute("data-state", "ready")
    numbers = shown_numbers(page)
    page.keyboard.press("Space")
    expect(film).to_have_attribute("data-state", "playing")
    page.locator("[data-part=rate]").fill("16")
    page.locator("[data-part=rate]").press("Enter")
    expect(film).to_have_attribute("data-state", "ended")
    expect(page.locator("[data-part=trouble]")).to_be_hidden()
    assert "t=" not in page.url, "there is no link to a moment of it"
    for key in ("p", "z", "c", "n"):  # what comes with an upload does nothing here
        page.keyboard.press(key)
    expect(page.locator("[data-part=note]")).to_have_text("")
    assert Replay.objects.count() == 0

    page.get_by_role("button", name="Upload the file").click()
    expect(page.locator("main")).to_contain_text("1 stored")
    assert Replay.objects.get().size_bytes == len(data)
    Replay.objects.all().delete()
    replay = ingest(data)
    expected = {
        row.name: "–" if (value := replay.statistic(row.name)) is None else value_text(row, value, precision_ms=replay.time_precision_ms)
        for row in ANALYSED if row.stored
    }  # fmt: skip
    assert numbers == expected


@pytest.mark.long(beside="tests/e2e/test_any_file.py::test_a_dropped_file_plays_with_the_numbers_of_an_upload")
def test_another_file_takes_its_place_and_a_large_one_is_not_sent(visit: Visit, tmp_path: Path) -> None:
    page = visit("/watch/")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    large = tmp_path / "large.avf"
    large.write_bytes(b"x" * (WATCHED_BYTES + 1))
    page.set_input_files("#file", large)
    expect(page.locator("[data-too-large]")).to_be_visible()
    assert sent == []
    for seed in (5, 6):
        drop(page, game_file(seed), f"game-{seed}.rawvf")
        expect(page.locator(".film-head")).to_contain_text(f"game-{seed}.rawvf")
        expect(page.locator("[data-film]")).to_have_attribute("data-state", "ready")


@pytest.mark.long(beside="tests/e2e/test_any_file.py::test_a_dropped_file_plays_with_the_numbers_of_an_upload")
def test_without_scripts_it_is_a_form(visit: Visit, tmp_path: Path, tolerated: list[str]) -> None:
    tolerated += ["status of 422"]
    page = visit("/watch/", width=390, java_script_enabled=False)
    path = tmp_path / "game.rawvf"
    path.write_bytes(b"no replay")
    page.set_input_files("#file", path)
    page.get_by_role("button", name="Watch", exact=True).click()
    expect(page.get_by_role("alert").first).to_contain_text("isn't a replay")
    path.write_bytes(game_file(5))
    page.set_input_files("#file", path)
    page.get_by_role("button", name="Watch", exact=True).click()
    expect(page.locator("svg.board")).to_be_visible()
    expect(page.get_by_role("link", name="Sign in to upload")).to_be_visible()


@pytest.mark.long(beside="tests/e2e/test_any_file.py::test_a_dropped_file_plays_with_the_numbers_of_an_upload")
def test_it_fits_and_can_be_used_by_keys_alone(visit: Visit) -> None:
    page = visit("/watch/", width=390)
    page.locator("#file").focus()
    assert page.evaluate("document.activeElement.id") == "file"
    drop(page, game_file(5), "a-name-that-is-very-long-" * 8 + ".rawvf")
    expect(page.locator("[data-film]")).to_have_attribute("data-state", "ready")
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
