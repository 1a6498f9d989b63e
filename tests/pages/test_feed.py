"""The Atom feed of records for programs that ask again and again: ids, dates, and 304."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils.http import parse_http_date
from pytest_django import Settings

from players.leaderboards.ranked_games import game_of
from players.leaderboards.services import add_games, remove_games
from players.models import Player, RecordEvent
from replays.models import Replay
from tests.factories import rank_replays, stored_replay

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"
FEED = "/records.atom"
_TAG_URI = re.compile(r"tag:[a-z0-9.-]+,\d{4}:\S+", re.ASCII)


@pytest.fixture
def ada() -> Player:
    return Player.objects.create(name="Ada")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time of the feed, which tests set."""
    now = [1_800_000_000.25]
    monkeypatch.setattr("players.leaderboards.records.feed.time.time", lambda: now[0])
    return now


def added(player: Player, time_ms: int, day: int = 0) -> Replay:
    game = stored_replay(player, time_ms=time_ms)
    rank_replays([game])
    return game


def ids(client: Client, **query: str) -> list[str]:
    root = ElementTree.fromstring(client.get(FEED, query).content)  # noqa: S314 - our own response
    return [one.text or "" for one in root.findall(f"{ATOM}entry/{ATOM}id")]


def fresh(**headers: str) -> Any:
    return Client().get(FEED, headers={name.replace("_", "-"): text for name, text in headers.items()})


def test_ids_are_tags_that_stay_when_a_record_is_stored_again(ada: Player, client: Client) -> None:
    """A game that becomes final, or is recomputed, is taken from the boards and added again, with new rows."""
    game = added(ada, 60_000)
    before, rows = ids(client, style="all"), set(RecordEvent.objects.values_list("pk", flat=True))
    remove_games([game_of(game)])
    assert ids(client, style="all") == []
    add_games([game_of(game)])
    assert rows.isdisjoint(RecordEvent.objects.values_list("pk", flat=True))
    assert sorted(ids(client, style="all")) == sorted(before)
    assert len(set(before)) == len(before) > 5
    assert all(_TAG_URI.fullmatch(one) for one in before)


def test_ids_name_the_site_and_not_the_host_that_was_asked(ada: Player, client: Client, settings: Settings) -> None:
    added(ada, 60_000)
    settings.SITE_URL, settings.ALLOWED_HOSTS = "https://sweepbook.example:8443", ["*"]
    found = ElementTree.fromstring(client.get(FEED, headers={"host": "evil.example"}).content)  # noqa: S314
    everything = [one.text or "" for one in found.iter(f"{ATOM}id")]
    assert all(one.startswith(("tag:sweepbook.example,2026:", "https://sweepbook.example:8443/")) for one in everything)


def test_feeds_of_different_filters_have_different_ids(client: Client) -> None:
    found = set()
    same = ("?x=1", "?level=", "?kind=site", "?statistic=time&level=expert", "?level=EXPERT")
    for query in ("", "?level=expert", "?level=expert&statistic=time", *same):
        root = ElementTree.fromstring(client.get(FEED + query).content)  # noqa: S314 - our own response
        own = root.find(f"{ATOM}id")
        (link,) = [one.get("href") for one in root.findall(f"{ATOM}link") if one.get("rel") == "self"]
        assert own is not None
        assert own.text == link
        assert parse_qs(urlsplit(link or "").query).keys() <= {"level", "statistic"}
        found.add(link)
    assert len(found) == 3


def test_whoever_has_the_feed_gets_304(ada: Player, clock: list[float]) -> None:
    added(ada, 60_000)
    fresh()
    clock[0] += 5
    first = fresh()
    assert first.headers["Cache-Control"] == "public, no-cache"
    assert "Cookie" not in first.headers["Vary"]
    for condition in ("If_None_Match", "If_Modified_Since"):
        value = first.headers["ETag" if condition == "If_None_Match" else "Last-Modified"]
        again = fresh(**{condition: value})
        assert (again.status_code, again.content) == (304, b""), condition
        assert again.headers["ETag"] == first.headers["ETag"]


def test_a_feed_without_records_does_not_change_by_itself(clock: list[float]) -> None:
    first = fresh()
    clock[0] += 100
    assert fresh(If_None_Match=first.headers["ETag"]).status_code == 304


def test_a_record_that_is_older_than_the_last_one_is_not_missed(ada: Player, clock: list[float]) -> None:
    """A provisional game becomes final weeks later, and its record keeps the date of its analysis."""
    late, newest = added(ada, 60_000), added(Player.objects.create(name="Bob"), 70_000)
    remove_games([game_of(late)])
    Replay.objects.filter(pk=late.pk).update(analysed_at=newest.uploaded_at - timedelta(days=20))
    fresh()
    clock[0] += 5
    seen = fresh().headers["Last-Modified"]
    assert fresh(If_Modified_Since=seen).status_code == 304
    add_games([game_of(late)])
    clock[0] += 5
    assert fresh(If_Modified_Since=seen).status_code == 200


def test_a_change_in_the_same_second_is_not_missed(ada: Player, clock: list[float]) -> None:
    """Whoever takes the time of their own clock for that of the feed gets what came later in that second."""
    added(ada, 60_000)
    first = fresh()
    assert "Last-Modified" not in first.headers
    added(ada, 50_000)
    clock[0] += 0.5
    assert "Last-Modified" not in fresh().headers
    clock[0] += 10
    found = fresh()
    assert parse_http_date(found.headers["Last-Modified"]) > 1_800_000_000.75
    assert fresh(If_Modified_Since="Fri, 15 Jan 2027 08:00:00 GMT").status_code == 200


def test_a_feed_that_is_again_as_it_was_has_changed(ada: Player, clock: list[float]) -> None:
    added(ada, 60_000)
    fresh()
    clock[0] += 5
    better = added(ada, 50_000)
    fresh()
    clock[0] += 5
    seen = fresh().headers["Last-Modified"]
    remove_games([game_of(better)])
    clock[0] += 5
    assert fresh(If_Modified_Since=seen).status_code == 200


def test_readers_of_other_clocks_and_languages_have_feeds_of_their_own(ada: Player, clock: list[float]) -> None:
    added(ada, 60_000)
    for headers in ({}, {"Accept_Language": "zh-hans"}, {"Cookie": "clock=one"}):
        fresh(**headers)
    clock[0] += 5
    tags = {
        fresh(**headers).headers["ETag"] for headers in ({}, {"Accept_Language": "zh-hans"}, {"Cookie": "clock=one"})
    }
    assert len(tags) == 3
    assert fresh(Cookie="clock=one").headers["Cache-Control"] == "private, no-cache"
    assert fresh(Accept_Language="zh-hans").headers["Last-Modified"] == fresh().headers["Last-Modified"]
