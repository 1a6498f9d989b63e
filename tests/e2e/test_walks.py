"""Two walks through the site, by what a person sees: somebody who has never been here, and a player who comes back."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Locator, Page, expect

from analysis.formats import rawvf
from analysis.recording import Level
from players.models import Identity, Player, User
from replays.models import Replay
from replays.upload.processing.services import analyse_replays
from tests.analysis.evidence import honest
from tests.conftest import PASSWORD
from tests.e2e.conftest import Visit
from tests.e2e.site import Site
from tests.encoders import native
from tests.factories import receive_one
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.games import game_file, recording
from tests.replays.own.me.test_home import leave

#: Beginner games of ``recording`` by seed, the slowest first: 9.3, 6.1, 3.7 and 2.3 s.
SLOW, MIDDLE, QUICK, QUICKEST = 3, 2, 6, 1


@pytest.fixture(autouse=True)
def files(store: Path) -> Path:  # noqa: F811 - the fixture
    """A file store of the test's own."""
    return store


def by(name: str, seed: int, level: Level = Level.BEGINNER) -> bytes:
    """The game ``seed`` as a RawVF file, played by ``name``."""
    return rawvf.write(replace(recording(seed, level), player=name))


def archive(*files: bytes) -> FilePayload:
    """A zip archive with one game a file, and one file that is none."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as target:
        for number, data in enumerate(files):
            target.writestr(f"{number:02}.rawvf", data)
        target.writestr("holiday.avf", b"this is no replay")
    return {"name": "games.zip", "mimeType": "application/zip", "buffer": packed.getvalue()}


def add(data: bytes) -> None:
    """A game that somebody else has uploaded."""
    receive_one(data, name="game.rawvf", uploader=None, enqueue=False)
    work()


def work() -> None:
    """Analyse all queued replays at once, as a worker does."""
    waiting = Replay.objects.filter(status=Replay.Status.QUEUED).order_by("pk")
    analyse_replays(list(waiting.values_list("pk", flat=True)))


def heading(page: Page, name: str | re.Pattern[str]) -> Locator:
    return page.get_by_role("heading", name=name).first


def go(page: Page, name: str) -> None:
    """Click a link of the navigation."""
    page.get_by_role("navigation", name="Site").get_by_role("link", name=name, exact=True).click()


def upload(page: Page, file: FilePayload) -> Locator:
    """Choose ``file`` on the upload page and wait for what comes of it; the table of new personal bests."""
    page.get_by_role("banner").get_by_role("link", name="Upload", exact=True).click()
    page.get_by_label("Choose files").set_input_files(file)
    expect(page.get_by_text("queued").first).to_be_visible()
    work()
    expect(heading(page, "New personal bests")).to_be_visible()
    return page.get_by_role("region", name="New personal bests")


def row(place: Page | Locator, text: str) -> Locator:
    return place.get_by_role("row").filter(has_text=text).first


@pytest.mark.long(beside="tests/e2e/test_upload.py::test_upload_to_rank")
def test_newcomer(asgi_site: Site, visit: Visit) -> None:
    add(game_file(1, Level.EXPERT))
    add(by("Somebody", SLOW))

    page = visit("/")
    expect(heading(page, re.compile("Every click is checked"))).to_be_visible()
    page.get_by_role("contentinfo").get_by_role("link", name="Help").click()
    expect(heading(page, "Getting started")).to_be_visible()
    expect(heading(page, "1. Play and record")).to_be_visible()
    page.get_by_role("link", name="Where clones save their files").click()
    expect(heading(page, "Where to find replay files")).to_be_visible()
    expect(heading(page, "Minesweeper Arbiter")).to_be_visible()

    go(page, "Leaderboards")
    row(page, "Time").get_by_role("link", name="56.216").click()
    expect(heading(page, "Time")).to_be_visible()
    expect(row(page, "Ada Bot")).to_contain_text("56.216")
    page.get_by_role("link", name="56.216").click()
    expect(heading(page, "56.216 s Expert")).to_be_visible()
    film = page.get_by_role("group", name="Controls")
    film.get_by_role("button", name="Play", exact=True).click()
    expect(film.get_by_role("textbox", name="Seconds")).not_to_have_value("0.000")
    expect(film.get_by_role("button", name="Pause")).to_be_visible()

    go(page, "Play")
    page.get_by_role("link", name="Beginner", exact=True).click()
    board = page.get_by_role("application")
    expect(board).to_have_accessible_name("Rows: 8, columns: 8, mines: 10")
    board.click()
    expect(page.locator("[data-counter=clicks]")).to_have_text("1")
    page.get_by_role("main").get_by_role("link", name="Sign up").click()
    page.get_by_label("Username").fill("newcomer")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password (again)").fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("status").first).to_contain_text("Welcome! Your account is ready")
    page.get_by_role("link", name="Sweepbook").click()
    expect(heading(page, "Welcome, newcomer!")).to_be_visible()

    bests = upload(page, archive(by("Nova", QUICK), by("Nova", MIDDLE), by("Nova", 2, Level.EXPERT)))
    expect(row(bests, "Beginner Time")).to_contain_text("3.740")
    expect(row(bests, "Beginner Time").get_by_role("cell").nth(-2)).to_have_text("1")
    expect(page.get_by_text("We can't read this file: it isn't a replay in any format we know.").first).to_be_visible()
    page.get_by_label("Nova").check()
    page.get_by_role("button", name="Claim these names").click()
    code = page.get_by_text(re.compile(r"^SB[2-9A-Z]{6}$")).first.inner_text()
    name = f"Nova {code}"
    fresh = replace(honest.recording("avf", Level.BEGINNER, 1), player=name, player_bytes=name.encode())
    upload(page, {"name": "mine.avf", "mimeType": "application/octet-stream", "buffer": native.write(fresh)})

    page.get_by_role("link", name="Sweepbook").click()
    expect(heading(page, "Nova")).to_be_visible()
    own = page.get_by_role("region", name="Beginner")
    expect(own.get_by_role("link", name="Rank 1")).to_be_visible()
    best = own.locator(".big a").inner_text()
    page.get_by_role("heading", level=1).get_by_role("link", name="Nova").click()
    expect(heading(page, "Personal bests")).to_be_visible()
    expect(page.get_by_role("region", name="Personal bests").get_by_role("link", name=best).first).to_be_visible()
    number = Player.objects.get(user__username="newcomer").pk
    answer = page.request.get(f"/api/v1/players/{number}/").json()
    assert answer["name"] == "Nova"
    times = [
        one for one in answer["bests"] if (one["level"], one["statistic"], one["style"]) == ("beginner", "time", "all")
    ]
    assert [one["text"] for one in times] == [best]


@pytest.mark.long(beside="tests/e2e/test_upload.py::test_upload_to_rank")
def test_returning_player(asgi_site: Site, visit: Visit, owner: User) -> None:
    own = Player.objects.get(user=owner)
    Identity.objects.create(name="Nova", player=own, first_player=own, state=Identity.State.CLAIMED, claimant=owner)
    receive_one(by("Nova", SLOW), name="game.rawvf", uploader=owner, enqueue=False)
    receive_one(by("Nova", 2, Level.EXPERT), name="game.rawvf", uploader=owner, enqueue=False)
    work()

    page = visit("/")
    page.get_by_role("link", name="Sign in").click()
    page.get_by_label("Username").fill(owner.username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("Next time you visit")).to_be_visible()
    leave(owner)
    add(by("Rita", MIDDLE))
    page.get_by_role("link", name="Sweepbook").click()
    expect(page.get_by_text("Rita passed you: Beginner, Time", exact=True)).to_be_visible()
    expect(page.get_by_text("sub-36").first).to_be_visible()

    bests = upload(page, archive(by("Nova", QUICK), by("Nova", QUICKEST)))
    found = row(bests, "Beginner Time")
    for text in ("2.344", "−7.002", "2 → 1"):
        expect(found).to_contain_text(text)

    leave(owner)
    page.get_by_role("link", name="Sweepbook").click()
    expect(page.get_by_text("You passed Rita: Beginner, Time", exact=True)).to_be_visible()
    page.get_by_role("heading", level=1).get_by_role("link").click()
    expect(heading(page, "Personal bests over time")).to_be_visible()
    expect(page.locator("#chart-progress").get_by_role("img")).to_be_visible()
    page.get_by_role("link", name="Records", exact=True).click()
    expect(heading(page, "Sub ladder")).to_be_visible()
    page.get_by_role("link", name="Compare", exact=True).click()
    page.get_by_label("Level").first.select_option(label="Beginner")
    rivals = page.locator("#rivals")
    expect(rivals.get_by_role("heading", name="Beginner · Time")).to_be_visible()
    rivals.get_by_role("link", name="Compare", exact=True).last.click()
    expect(heading(page, re.compile("vs. Rita"))).to_be_visible()
    expect(page.get_by_role("row").filter(has_text="2.344").first).to_contain_text("Time")

    page.keyboard.press("/")
    page.keyboard.type("rit")
    page.get_by_role("option", name="Rita").click()
    expect(heading(page, "Rita")).to_be_visible()
    page.get_by_role("link", name=re.compile("6.129")).first.click()
    page.get_by_role("heading", name="File", exact=True).scroll_into_view_if_needed()
    page.get_by_label("Your comment").fill("What a finish!")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("What a finish!")).to_be_visible()
    page.get_by_role("button", name="Like").click()
    expect(page.get_by_role("button", name="Like 1")).to_have_attribute("aria-pressed", "true")

    page.goto("/leaderboards/beginner/time/")
    page.get_by_text("Columns", exact=True).click()
    page.get_by_role("link", name="Trend").click()
    expect(page.get_by_role("columnheader", name="Trend")).to_be_visible()
    page.get_by_text("Columns", exact=True).click()
    page.get_by_role("button", name="Use on every leaderboard").click()
    page.get_by_role("navigation", name="Level").get_by_role("link", name="Expert").click()
    expect(heading(page, "Time")).to_be_visible()
    expect(page.get_by_role("columnheader", name="Trend")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert "35.132" in download.value.path().read_text()
