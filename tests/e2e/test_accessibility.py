"""Every page in a browser, loaded once: nothing moves by itself, no text is cut, and axe-core finds nothing serious.

On a phone and on a desktop, light and dark; the size of targets (WCAG 2.5.8) is a rule of axe.
"""

from __future__ import annotations

import csv
import re
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from django.urls import resolve
from django.utils import timezone
from playwright.sync_api import Page, expect

from analysis import fair
from analysis.recording import Level
from players.accounts.claims.services import claim_make
from players.models import Player, User
from replays.models import BatchFile, Replay
from replays.play.models import LiveGame
from replays.upload.batches.services import batch_add, batch_start
from replays.watch.comments.services import comment_create
from tests.config.test_permissions import TABLE
from tests.e2e.addresses import ELSEWHERE, MOVING, PRIVATE, PUBLIC
from tests.e2e.conftest import Visit, sign_in
from tests.e2e.looks import CUT, PHONE, seen_troubles
from tests.e2e.page_measures import observe, see_everything, shifts_of, wait_until_drawn
from tests.e2e.site import Site
from tests.e2e.test_browser import put
from tests.e2e.test_first_view import MOST_SHIFT
from tests.factories import comment_report, stored_replay
from tests.pages.conftest import MakePlayers, board_of, make_players, rank  # noqa: F401 - a fixture
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.games import game_file
from tests.services import wait_until

pytestmark = pytest.mark.usefixtures("luck_compiled")

#: Answers that are no pages.
_NO_PAGES = {
    "data-file", "favicon", "film-formula", "health", "metrics", "ready", "records-feed", "replay-card", "replay-file", "replay-film",
    "replay-frame", "replay-odds", "replay-rawvf", "replay-route", "robots", "set-language", "upload-status",
}  # fmt: skip


@pytest.fixture
def tolerated() -> list[str]:
    return ["status of 4", "Status Error Code 4"]  # a browser tells every refusal on its console


@pytest.fixture
def places(make_players: MakePlayers, staff: User, store: Path) -> dict[str, object]:  # noqa: F811 - the fixtures
    """A small site in which every part of a page shows something: numbers for the addresses above."""
    first, *_others = make_players(12)
    owned = Player.objects.create(name="Owner of the page", user=staff)
    common: dict[str, Any] = {"board": board_of(Level.EXPERT), "uploader": staff}
    rank(*(stored_replay(owned, time_ms=time_ms, bv=bv, **common) for time_ms, bv in ((61_000, 150), (60_000, 160))))
    stored_replay(owned, ranked=False, win=False, result=Replay.Result.LOST, **common)
    limit = {"statistic": "time", "sign": "<", "bound": 40, "value": 35}
    suspicious = stored_replay(
        owned, ranked=False, judgement=Replay.Judgement.SUSPICIOUS, judgement_code="limit", judgement_params=limit,
        findings=[{"code": "unfinished", "params": {}}], **common,
    )  # fmt: skip
    game, other = put(game_file(1, Level.EXPERT)), put(game_file(2))
    ranked = Replay.objects.filter(player=first, ranked=True).first()
    assert ranked is not None
    ended_game(staff)
    live = ended_game(None)
    batch, outcome = batch_start(staff), BatchFile.Outcome
    batch_add(
        batch,
        [
            BatchFile(name="expert.rawvf", outcome=outcome.STORED, replay=game),
            BatchFile(name="a-name-that-is-very-long-" * 4, outcome=outcome.DUPLICATE, replay=other),
            BatchFile(name="photo.jpg", outcome=outcome.REFUSED, message="This is isn't a replay in any format."),
        ],
    )
    comment = comment_create(game, User.objects.create_user("writer"), "Well played!\n" + "long" * 60)
    comment_report(comment, staff, "Rude.", "203.0.113.1")
    return {
        "live": live.pk,
        "ranked": ranked.pk,
        "player": first.pk,
        "replay": game.pk,
        "other": other.pk,
        "suspicious": suspicious.pk,
        "ranked_player": owned.pk,
        "own": suspicious.pk,
        "batch": batch.pk,
        "claim": claim_make(staff, "Somebody").pk,
        "comment": comment.pk,
    }


def ended_game(user: User | None) -> LiveGame:
    """A lost game of Expert that was played here, by a guest or by an account."""
    name, secret, now = uuid.uuid4(), bytes(range(32)), timezone.now()
    return LiveGame.objects.create(
        id=name, user=user, level="expert", rows=16, columns=30, mines=99, rules="xp", secret=secret, nonce=bytes(16),
        commit=fair.commitment(str(name), secret), first_cell=0, state=LiveGame.State.OVER, result="lost", created_at=now,
        started_at=now, ended_at=now, cell_px=24, time_ms=12_345, bv=150, counts={"bvdone": 20},
    )  # fmt: skip


def open_everything(page: Page) -> None:
    """Load and unfold what the page has."""
    film = page.locator("[data-film]")
    if film.count():
        film.evaluate("(root) => { root.viewer.use(); }")
        expect(page.locator("[data-film][data-used], [data-film][data-state=failed]")).to_have_count(1)
        position = page.locator("[data-part=position]")
        if position.is_visible():
            position.evaluate("(details) => { details.open = true; }")
            expect(page.locator("[data-part=position][data-event]")).to_have_count(1)
    page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")


#: Of the pages that most visitors see, one with a table, a form and filters and one with boards.
MAIN: Final = ("/", "/leaderboards/expert/time/?value=45")


def troubles(page: Page, path: str, *, moves: bool) -> Iterator[str]:
    """Yield the faults of the page at ``path``, which is loaded once: on a phone, then on a desktop, light and dark."""
    page.set_viewport_size(PHONE)
    page.goto(path)
    wait_until_drawn(page)
    see_everything(page)
    shifts = shifts_of(page)
    if sum(shift.value for shift in shifts) > MOST_SHIFT and not moves:
        yield f"moves by itself: {shifts}"
    open_everything(page)
    yield from seen_troubles(page)


def test_main_pages_have_no_serious_troubles(asgi_site: Site, visit: Visit, places: dict[str, object]) -> None:
    page = visit("about:blank")
    observe(page)
    paths = [path for path in PUBLIC if path in MAIN]
    assert len(paths) == len(MAIN)
    assert {path: list(troubles(page, path.format(**places), moves=path.startswith(MOVING))) for path in paths} == {
        path: [] for path in paths
    }


@pytest.mark.long(beside="tests/e2e/test_accessibility.py::test_main_pages_have_no_serious_troubles")
@pytest.mark.parametrize("visitor", ["guest", "staff"])
def test_no_page_has_serious_troubles(
    asgi_site: Site, visit: Visit, places: dict[str, object], staff: User, visitor: str
) -> None:
    page = visit("about:blank")
    observe(page)
    if visitor == "staff":
        sign_in(page, staff)
    found = []
    for path in PUBLIC if visitor == "guest" else PRIVATE:
        found += [
            f"{path}: {trouble}" for trouble in troubles(page, path.format(**places), moves=path.startswith(MOVING))
        ]
    if found:
        pytest.fail("\n".join(found))  # all of it, which an assertion would shorten


@pytest.mark.long(beside="tests/e2e/test_accessibility.py::test_main_pages_have_no_serious_troubles")
def test_the_deletion_of_an_account_has_no_serious_troubles(
    asgi_site: Site,
    visit: Visit,
    owner: User,
    store: Path,  # noqa: F811 - the fixture
) -> None:
    stored_replay(Player.objects.get(user=owner), board=board_of(Level.EXPERT), uploader=owner)
    page = visit("about:blank")
    observe(page)
    sign_in(page, owner)
    found = list(troubles(page, "/account/delete/", moves=False))
    expect(page.locator("main form [name=password]")).to_be_visible()
    assert found == []


def test_every_page_is_looked_at() -> None:
    """A new page has to be listed."""
    numbers = dict.fromkeys(re.findall(r"{(\w+)}", "".join(PUBLIC + PRIVATE)), "1") | {"live": str(uuid.UUID(int=1))}
    seen = {
        resolve(urlsplit(path.format(**numbers)).path).url_name
        for path in (PUBLIC + PRIVATE)
        if path != "/nothing-here/"
    }
    with TABLE.open(newline="") as file:
        pages = {line["route"] for line in csv.DictReader(file) if line["method"] == "GET" and "200" in line.values()}
    pages = {name for name in pages if not name.startswith("api-")} - _NO_PAGES
    assert pages - seen - set(ELSEWHERE) == set()
    assert set(ELSEWHERE) & seen == set()


def test_what_is_cut_and_what_moves_is_seen(visit: Visit) -> None:
    """The instruments themselves."""
    page = visit("about:blank", width=390)
    observe(page)
    page.goto("/robots.txt")
    page.set_content(
        """<style>p { white-space: nowrap; width: 100px; margin: 0; }</style>
        <p style="overflow: hidden" class="hidden">A line that is longer than its box</p>
        <p style="overflow: hidden; text-overflow: ellipsis">A line that is longer than its box</p>
        <p style="overflow: auto">A line that is longer than its box</p>
        <p style="overflow: hidden; height: 10px; white-space: normal" class="low">Two lines or three in a box of one</p>
        <p style="position: absolute; left: 380px" class="beside">Outside</p>"""
    )
    found = page.evaluate(CUT)
    assert [re.findall(r"p\.(\w+)|px wide", text)[0] for text in found] == ["", "hidden", "low", "beside"]
    page.evaluate("document.body.prepend(Object.assign(document.createElement('div'), { style: 'height: 500px' }))")
    wait_until(lambda: shifts_of(page), seconds=30, what="the shift")
    assert sum(shift.value for shift in shifts_of(page)) > MOST_SHIFT
