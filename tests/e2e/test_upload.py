"""Uploading in a browser, until the game is on a board."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Page, Request, expect

from players.models import Claim, Identity, User
from replays.models import Replay, UploadBatch
from tests.e2e.conftest import Visit, hold, sign_in
from tests.replays.games import game_file
from tests.replays.upload.intake.test_archives import large_set
from tests.worker import Worker

pytestmark = pytest.mark.stack
SECONDS = 1_000


def files_in(folder: Path, count: int) -> list[Path]:
    folder.mkdir()
    paths = []
    for number in range(count):
        path = folder / f"{number:03}.rawvf"
        path.write_bytes(game_file(number + 1))
        paths.append(path)
    return paths


def sends_files(request: Request) -> bool:
    return request.method == "POST" and request.url.endswith("/upload/")


def count(page: Page, name: str) -> int:
    return int(page.locator(f"[data-count={name}]").inner_text())


@pytest.mark.slow(why="a real worker starts: the one walk from a browser to a worker and back to the browser")
def test_upload_to_rank(visit: Visit, worker: Worker, owner: User, tmp_path: Path) -> None:
    good, twin = files_in(tmp_path / "games", 2)[0], tmp_path / "twin.rawvf"
    twin.write_bytes(good.read_bytes())
    bad = tmp_path / "bad.avf"
    bad.write_bytes(b"this is no replay")
    page = visit("/upload/")
    sign_in(page, owner)
    page.goto("/upload/")
    page.evaluate("window.sameDocument = true")
    page.set_input_files("#files", [good, bad])
    rows = page.locator("[data-list] tr")
    expect(rows.nth(0)).to_contain_text("queued")  # no worker yet
    worker.start()
    expect(rows.nth(0)).to_have_attribute("data-state", "done", timeout=60 * SECONDS)
    expect(rows.nth(0)).to_contain_text("Beginner")
    expect(rows.nth(1)).to_have_attribute("data-state", "rejected", timeout=60 * SECONDS)
    expect(rows.nth(1)).to_contain_text("isn't a replay in any format")
    page.set_input_files("#files", [twin])
    expect(rows.nth(2)).to_have_attribute("data-state", "duplicate")
    expect(rows.nth(2)).to_contain_text("Your game is here already")
    assert page.evaluate("window.sameDocument") is True  # nothing was reloaded
    replay = Replay.objects.get(status=Replay.Status.DONE)
    rows.nth(0).get_by_role("link").click()
    page.wait_for_url(f"**/replays/{replay.pk}/")
    page.goto("/leaderboards/beginner/time/")
    place = page.locator("tbody tr").first
    expect(place.locator(".rank")).to_have_text("1")
    expect(place).to_contain_text("Ada Bot")
    place.locator("a[data-main]").click()
    page.wait_for_url(f"**/replays/{replay.pk}/")


@pytest.mark.long(beside="tests/e2e/test_upload.py::test_upload_to_rank")
def test_files_that_were_chosen_before_the_script_had_come(visit: Visit, owner: User, tmp_path: Path) -> None:
    page = visit("/upload/")
    sign_in(page, owner)
    come = hold(page, "**/upload/upload*.js")
    page.goto("/upload/", wait_until="commit")
    page.set_input_files("#files", files_in(tmp_path / "games", 2))
    expect(page.locator("#progress")).to_be_hidden()
    come()
    rows = page.locator("[data-list] tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(1)).to_contain_text("queued")


@pytest.mark.long(beside="tests/e2e/test_upload.py::test_upload_to_rank")
def test_many_files_are_sent_in_batches_and_all_settle(
    visit: Visit, worker: Worker, owner: User, tmp_path: Path
) -> None:
    paths = files_in(tmp_path / "games", 45)
    worker.start()
    page = visit("/upload/")
    sign_in(page, owner)
    page.goto("/upload/")
    posts = []
    page.on("request", lambda request: posts.append(request) if sends_files(request) else None)
    page.set_input_files("#files", paths)
    expect(page.locator("#progress")).to_have_attribute("data-settled", "true", timeout=90 * SECONDS)
    assert len(posts) == 3
    assert (count(page, "total"), count(page, "done"), count(page, "open")) == (45, 45, 0)
    assert Replay.objects.filter(status=Replay.Status.DONE).count() == 45


@pytest.mark.long(beside="tests/e2e/test_upload.py::test_upload_to_rank")
def test_no_request_is_larger_than_its_limit(
    visit: Visit, owner: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = files_in(tmp_path / "games", 5)
    sizes = [path.stat().st_size for path in paths]
    limit = sizes[0] + sizes[1] + min(sizes[2:]) - 1  # no third file is small enough
    monkeypatch.setattr("replays.upload.intake.views.SCRIPT_BYTES", limit)
    page = visit("/upload/")
    sign_in(page, owner)
    page.goto("/upload/")
    posts: list[int] = []
    page.on("request", lambda request: posts.append(1) if sends_files(request) else None)
    page.set_input_files("#files", paths)
    expect(page.locator("[data-list] tr[data-state=queued]")).to_have_count(5, timeout=20 * SECONDS)
    requests, bytes_now = 1, 0
    for size in sizes:
        if bytes_now + size > limit:
            requests, bytes_now = requests + 1, 0
        bytes_now += size
    assert len(posts) == requests > 1


@pytest.mark.long(beside="tests/e2e/test_upload.py::test_upload_to_rank")
def test_lost_connection_is_tried_again(visit: Visit, owner: User, tmp_path: Path) -> None:
    (path,) = files_in(tmp_path / "games", 1)
    page = visit("/upload/")
    sign_in(page, owner)
    page.goto("/upload/")
    page.evaluate(
        """() => {
            const send = window.fetch;
            let failures = 1;
            window.fetch = (address, ...request) => String(address).endsWith("/upload/") && failures-- > 0
                ? Promise.reject(new TypeError("offline")) : send(address, ...request);
        }"""
    )
    page.set_input_files("#files", [path])
    expect(page.locator("[data-list] tr").first).to_have_attribute("data-state", "queued", timeout=20 * SECONDS)
    assert Replay.objects.count() == 1


@pytest.mark.long(beside="tests/e2e/test_upload.py::test_upload_to_rank")
def test_session_that_ended_is_told(visit: Visit, owner: User, tmp_path: Path, tolerated: list[str]) -> None:
    tolerated += ["status of 403", "status of 401"]  # of the upload, and of its batch and the known files
    (path,) = files_in(tmp_path / "games", 1)
    page = visit("/upload/")
    sign_in(page, owner)
    page.goto("/upload/")
    page.context.clear_cookies(name="sessionid")
    page.set_input_files("#files", [path])
    row = page.locator("[data-list] tr").first
    expect(row).to_have_attribute("data-state", "failed")
    expect(row).to_contain_text("Sign in to upload replays.")
    expect(page.locator("[data-retry]")).to_be_visible()
    assert not Replay.objects.exists()


@pytest.mark.long(beside="tests/e2e/test_upload.py::test_upload_to_rank")
def test_deleted_upload_is_no_longer_followed(visit: Visit, owner: User, tmp_path: Path) -> None:
    (path,) = files_in(tmp_path / "games", 1)
    page = visit("/upload/")
    sign_in(page, owner)
    page.goto("/upload/")
    page.set_input_files("#files", [path])
    row = page.locator("[data-list] tr").first
    expect(row).to_have_attribute("data-state", "queued")
    Replay.objects.all().delete()
    expect(row).to_have_attribute("data-state", "failed", timeout=20 * SECONDS)
    expect(row).to_contain_text("can no longer show this upload's progress")
    expect(page.locator("#progress")).to_have_attribute("data-settled", "true")


@pytest.mark.long(beside="tests/e2e/test_upload.py::test_upload_to_rank")
def test_an_archive_under_another_name_settles_with_its_neighbours(visit: Visit, owner: User, tmp_path: Path) -> None:
    before, inner, after = files_in(tmp_path / "games", 3)
    disguised = tmp_path / "games" / "001a.rawvf"
    with zipfile.ZipFile(disguised, "w") as packed:
        packed.write(inner, "one.rawvf")
        packed.writestr("two.rawvf", b"")
    inner.unlink()
    page = visit("/upload/")
    sign_in(page, owner)
    page.goto("/upload/")
    page.set_input_files("#files", [before, disguised, after])
    rows = page.locator("[data-list] tr")
    expect(rows).to_have_count(4)
    expect(page.locator("[data-list] tr:not([data-state=duplicate]):not([data-state=rejected])")).to_have_count(0)
    expect(rows.locator("bdi")).to_have_text(["000.rawvf", "one.rawvf", "two.rawvf", "002.rawvf"])
    expect(page.locator("#progress")).to_have_attribute("data-settled", "true")
    assert Replay.objects.count() == 3


@pytest.mark.long(beside="tests/e2e/test_upload.py::test_upload_to_rank")
def test_outcome_reload_and_the_same_folder_again(visit: Visit, worker: Worker, owner: User, tmp_path: Path) -> None:
    """A batch's outcome is shown when it settles and after a reload; known files are not sent; a name is claimed."""
    paths = files_in(tmp_path / "games", 4)
    (tmp_path / "games" / "photo.jpg").write_bytes(b"no game")
    page = visit("/upload/")
    sign_in(page, owner)
    page.goto("/upload/")
    page.set_input_files("[data-folder-input]", tmp_path / "games")
    expect(page.locator("[data-list] tr")).to_have_count(5)
    page.wait_for_url("**/upload/batches/*/")
    expect(page.locator("[data-list] [data-state=queued]")).to_have_count(5)
    batch = UploadBatch.objects.get(user=owner)
    page.reload()  # no worker yet: the batch waits, and its page asks again
    expect(page.locator(".counters")).to_contain_text("5 in progress", timeout=20 * SECONDS)
    worker.start()
    expect(page.locator("#outcome")).to_have_attribute("data-settled", "true", timeout=90 * SECONDS)
    expect(page.locator("#outcome")).to_contain_text("New personal bests")
    expect(page.locator("#outcome")).to_contain_text("isn't a replay in any format")
    page.goto("/upload/")
    posts: list[Request] = []
    page.on("request", lambda request: posts.append(request) if sends_files(request) else None)
    page.set_input_files("#files", paths)
    expect(page.locator("#progress")).to_have_attribute("data-settled", "true", timeout=30 * SECONDS)
    assert (count(page, "duplicate"), len(posts)) == (4, 0)
    expect(page.locator("[data-list] tr").first).to_contain_text("Your game is here already, as replay #")
    page.goto(batch.get_absolute_url())
    page.get_by_label("Ada Bot").check()
    page.get_by_role("button", name="Claim these names").click()
    page.wait_for_url("**/account/claims/*/")
    claim = Claim.objects.get(user=owner)
    expect(page.locator("main")).to_contain_text(claim.code)
    assert Identity.objects.get(name="Ada Bot").claimant is None


@pytest.mark.long(beside="tests/e2e/test_upload.py::test_upload_to_rank")
def test_a_folder_of_a_mac_and_a_large_set(visit: Visit, owner: User, tmp_path: Path) -> None:
    files_in(tmp_path / "games", 2)
    for name in (".DS_Store", "._000.rawvf", "Thumbs.db"):
        (tmp_path / "games" / name).write_bytes(b"x")
    (tmp_path / "games" / "all.evfs").write_bytes(large_set())
    page = visit("/upload/")
    sign_in(page, owner)
    page.goto("/upload/")
    page.set_input_files("[data-folder-input]", tmp_path / "games")
    rows = page.locator("[data-list] tr")
    expect(rows).to_have_count(10)
    expect(page.locator("[data-passed-over]")).to_contain_text("made by your operating system")
    assert not Replay.objects.filter(original_name__in=(".DS_Store", "._000.rawvf", "Thumbs.db")).exists()
