"""Times are shown on the reader's clock, from 0 or from 1, on every page."""

from __future__ import annotations

import datetime
import re
from collections import Counter, deque
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import Resolver404, resolve

from analysis.recording import Level
from players.models import Player, User
from replays.models import Replay
from replays.trust.judging.findings import finding_sentence
from tests.clocks import times_from_one
from tests.factories import EPOCH, stored_replay
from tests.pages.conftest import board_of, rank
from tests.pages.html import Document

#: The time of the game as recorded, from 0, in every way of writing it: 59.64, 59.640, 59640 (ms).
RECORDED = re.compile(r"(?<![\d.])(59\.64|59640)0?(?!\d)")
#: The same time on a clock from 1.
FROM_ONE = re.compile(r"(?<![\d.])(60\.64|60640)0?(?!\d)")
#: The best time for the script of a game, which computes the next sub-N; that is the same on both clocks.
BEST_MS = re.compile(r'"best_ms": \d+')
#: The target of a link: parsing pages as documents takes as long as getting them.
_LINK = re.compile(r'<a\s[^>]*?\bhref="([^"]*)"')
#: Pages of one kind that are visited; boards alone are some 500.
PAGES_OF_A_KIND = 6
#: Addresses that are not pages of the site.
NO_PAGES = {"api", "admin", "replay-file", "replay-rawvf", "set-language"}
#: Kinds of pages that show the time of the game.
SHOWING = {
    "home", "records-feed", "leaderboards", "board", "board-history", "player", "player-progress", "player-by-3bv", "players", "records",
    "record-holders", "replays", "replay", "replay-appeal", "judgements",
}  # fmt: skip


@pytest.fixture
def reader(staff: User) -> User:
    """A member of the staff whose clock starts at 1, and who owns a player."""
    staff.clock = User.Clock.ONE
    staff.save()
    return staff


@pytest.fixture
def games(reader: User) -> list[Replay]:
    """A ranked game of 59.64 s, a lost one, and one that is held to be too fast, all of the reader."""
    player = Player.objects.create(name="Reader", user=reader)
    common: dict[str, Any] = {"time_ms": 59_640, "board": board_of(Level.EXPERT), "uploader": reader}
    claim = {"claimed_ms": 59_640, "actual_ms": 59_640}
    ranked = stored_replay(player, findings=[{"code": "time_differs", "params": claim}], **common)
    slower = stored_replay(player, **(common | {"time_ms": 70_000}), achieved_at=EPOCH - datetime.timedelta(days=9))
    rank(ranked, slower)
    lost = stored_replay(player, ranked=False, win=False, result=Replay.Result.LOST, **common)
    limit = {"statistic": "time", "sign": "<", "bound": 59.64, "value": 59.64}
    suspicious = stored_replay(
        player, ranked=False, judgement=Replay.Judgement.SUSPICIOUS, judgement_code="limit", judgement_params=limit,
        **common,
    )  # fmt: skip
    return [ranked, slower, lost, suspicious]


def kind_of(address: str) -> str | None:
    """The name of the view behind an address of this site; None if it is no page."""
    path = address.partition("?")[0]
    try:
        match = resolve(path)
    except Resolver404:
        return None
    name = match.url_name or ""
    return None if {name, path.split("/")[1]} & NO_PAGES or name.startswith("api") else name


def pages(client: Client) -> Iterator[tuple[str, str, str]]:
    """Kind, address and source of the pages that links lead to, from the start page on."""
    waiting, seen, visited = deque(["/"]), {"/"}, Counter[str]()
    while waiting:
        address = waiting.popleft()
        kind = kind_of(address)
        if kind is None or visited[kind] >= PAGES_OF_A_KIND:
            continue
        visited[kind] += 1
        response = client.get(address)
        if response.status_code != 200:
            continue
        source = response.content.decode()
        yield kind, address, source
        for link in _LINK.findall(source):
            target = unescape(link).partition("#")[0]
            target = address.partition("?")[0] + target if target.startswith("?") else target
            if target.startswith("/") and target not in seen:
                seen.add(target)
                waiting.append(target)


@pytest.mark.long(beside="tests/pages/test_clocks.py::test_the_clock_of_a_guest_is_not_that_of_the_next_visitor")
def test_no_page_shows_a_time_from_0_to_a_reader_whose_clock_starts_at_1(games: list[Replay], reader: User) -> None:
    client = Client()
    client.force_login(reader)
    showing = set()
    for kind, address, source in pages(client):
        source = BEST_MS.sub("", source)
        found = RECORDED.search(source)
        assert found is None, (address, source[max(0, found.start() - 200) : found.end() + 50])
        assert "counted from 0" not in source, address
        if FROM_ONE.search(source):
            showing.add(kind)
    assert SHOWING - showing == set()


@pytest.mark.long(beside="tests/pages/test_clocks.py::test_the_clock_of_a_guest_is_not_that_of_the_next_visitor")
def test_the_same_pages_show_times_from_0_to_everybody_else(games: list[Replay]) -> None:
    showing = set()
    for kind, address, source in pages(Client()):
        assert not FROM_ONE.search(source), address
        if RECORDED.search(source):
            showing.add(kind)
    assert SHOWING - {"replay-appeal", "judgements"} - showing == set()


def test_addresses_mean_the_same_to_every_reader(games: list[Replay], reader: User) -> None:
    """A link with times in it is sent to others, whose clock may be another."""
    own = Client()
    own.force_login(reader)
    for client, hint in ((Client(), False), (own, True)):
        for query, found in (("time__lte=59.64", True), ("time_ms__lte=59640", True), ("time__lte=59.63", False)):
            page = client.get(f"/replays/?{query}").content.decode()
            assert (games[0].get_absolute_url() in page) is found
            assert ("Times count from 0 here." in page) is hint
        jump = client.get("/leaderboards/expert/time/?value=59.63").content.decode()
        assert "59.63 would rank 1 of 1" in Document(jump).text
        assert ("Find a player or a time (from 0)" in jump) is hint
    found = own.get("/api/v1/replays/?time__lte=59.64").json()["rows"]
    assert games[0].pk in [row["id"] for row in found]
    assert {row["statistics"]["time_ms"] for row in found} == {59_640}


def test_the_api_counts_from_0_whoever_asks(games: list[Replay], reader: User) -> None:
    client = Client()
    client.force_login(reader)
    for address in (f"/api/v1/replays/{games[0].pk}/", f"/api/v1/replays/{games[3].pk}/", "/api/v1/me/"):
        source = client.get(address).content.decode()
        assert RECORDED.search(source), address
        assert not FROM_ONE.search(source), address


def test_sub_n_is_explained_on_the_readers_clock(games: list[Replay], reader: User) -> None:
    client = Client()
    address = "/leaderboards/sub/expert/61/"
    page = Document(client.get(address).content.decode()).text
    assert "Sub-61 means a time of at most 59.99 s" in page
    assert "60.00 s is not sub-61" in page
    # The ladder beside a best of 59.64 s says why that is sub-61.
    records = Document(client.get(f"/players/{games[0].player_id}/records/").content.decode()).text
    assert "Sub-61 means a time of at most 59.99 s" in records
    client.force_login(reader)
    page = Document(client.get(address).content.decode()).text
    assert "Sub-61 means a time of at most 60.99 s on your clock" in page
    assert "61.00 s is not sub-61" in page


@pytest.mark.long(beside="tests/pages/test_clocks.py::test_the_clock_of_a_guest_is_not_that_of_the_next_visitor")
def test_a_unit_stands_only_where_the_label_does_not_say_it(games: list[Replay], reader: User) -> None:
    client = Client()
    client.force_login(reader)
    told = {address for kind, address, source in pages(client) if re.search(r"\b1/s\b", Document(source).text)}
    assert told == {"/statistics/"}  # where the unit is defined


def test_times_in_findings_follow_the_clock() -> None:
    stored = {"claimed_ms": 59_640, "actual_ms": 59_650}
    assert "its time is 59640 ms; replaying the game gives 59650 ms" in finding_sentence("time_differs", stored)
    with times_from_one():
        shown = finding_sentence("time_differs", stored)
    assert "its time is 60640 ms; replaying the game gives 60650 ms" in shown


# --- guests -----------------------------------------------------------------------------------------------------------


def guest(clock: str = "one") -> Client:
    client = Client()
    client.cookies["clock"] = clock
    return client


@pytest.mark.parametrize(
    ("language", "to_one", "to_zero"),
    [("en", "Count times from 1", "Count times from 0"), ("zh-hans", "改为从 1 计时", "改为从 0 计时")],
)
def test_a_guest_chooses_the_clock_on_any_page(games: list[Replay], language: str, to_one: str, to_zero: str) -> None:
    client, address = Client(enforce_csrf_checks=True), games[0].get_absolute_url()
    client.cookies["django_language"] = language
    for shown, clock, offered in ((RECORDED, "one", to_one), (FROM_ONE, "zero", to_zero), (RECORDED, "one", to_one)):
        source = client.get(address).content.decode()
        assert shown.search(source)
        form = source.partition('<form action="/clock/"')[2].partition("</form>")[0]
        assert offered in form
        token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', form)
        assert token is not None
        assert f'name="next" value="{address}"' in form
        assert f'name="clock" value="{clock}"' in form
        sent = client.post("/clock/", {"clock": clock, "next": address, "csrfmiddlewaretoken": token[1]})
        assert (sent.status_code, sent["Location"]) == (302, address)
        assert sent.cookies["clock"]["samesite"] == "Lax"


@pytest.mark.long(beside="tests/pages/test_clocks.py::test_a_guest_chooses_the_clock_on_any_page")
def test_no_page_shows_a_time_from_0_to_a_guest_whose_clock_starts_at_1(games: list[Replay]) -> None:
    showing = set()
    for kind, address, source in pages(guest()):
        assert not RECORDED.search(source), address
        assert "counted from 0" not in source, address
        if FROM_ONE.search(source):
            showing.add(kind)
    assert SHOWING - {"replay-appeal", "judgements"} - showing == set()


def test_a_guest_plays_on_the_chosen_clock(db: None) -> None:
    for client, from_one in ((guest(), "true"), (Client(), "false")):
        assert f'"from_one": {from_one}' in client.get("/play/beginner/").content.decode()


def test_the_clock_of_a_guest_is_not_that_of_the_next_visitor(games: list[Replay]) -> None:
    player = games[0].player_id
    for address in (
        "/",
        games[0].get_absolute_url(),
        f"/players/{player}/",
        "/leaderboards/expert/time/",
    ):
        answers = [client.get(address) for client in (guest(), Client(), guest(), guest("zero"))]
        found = [bool(FROM_ONE.search(answer.content.decode())) for answer in answers]
        assert found == [True, False, True, False], address
        assert all("cookie" in answer["Vary"].lower() for answer in answers), address
    # The feed is asked for again at each use (``no-cache``), and each clock has an ETag of its own.
    feeds = [client.get("/records.atom") for client in (guest(), Client(), guest())]
    assert [bool(FROM_ONE.search(answer.content.decode())) for answer in feeds] == [True, False, True]
    assert all("no-cache" in answer["Cache-Control"] for answer in feeds)
    for address in (
        f"/embed/replays/{games[0].pk}/",
        f"/api/v1/replays/{games[0].pk}/",
    ):  # which are the same for everybody
        assert guest().get(address).content == Client().get(address).content, address


def test_the_setting_of_an_account_holds_in_spite_of_a_cookie(games: list[Replay], reader: User, owner: User) -> None:
    for user, clock, shown in ((reader, "zero", FROM_ONE), (owner, "one", RECORDED)):
        client = guest(clock)
        client.force_login(user)
        source = client.get(games[0].get_absolute_url()).content.decode()
        assert shown.search(source)
        assert "/clock/" not in source


def test_what_is_no_clock_is_refused() -> None:
    client = Client()
    for clock in ("", "two", "ONE"):
        refused = client.post("/clock/", {"clock": clock})
        assert (refused.status_code, "clock" in refused.cookies) == (400, False)
    assert client.post("/clock/", {"clock": "one", "next": "https://example.org/"})["Location"] == "/"
    assert client.get("/clock/").status_code == 405
