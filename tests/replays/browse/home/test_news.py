"""News of the home page: games that were a best of their player among the first ranks, on the page and in the API."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from analysis.recording import Level
from players.models import Player
from replays.browse.home.news import latest_news
from replays.models import Replay
from tests.factories import rank_replays, stored_replay
from tests.pages.html import Document

pytestmark = pytest.mark.django_db


def won(player: Player, seconds: float, level: Level = Level.EXPERT, **columns: Any) -> Replay:
    replay = stored_replay(player, level, time_ms=round(seconds * 1000), **columns)
    rank_replays([replay])
    return replay


@pytest.fixture
def ada() -> Player:
    return Player.objects.create(name="Ada")


def test_a_game_is_told_once_with_what_it_was(ada: Player) -> None:
    won(ada, 62.5, bvs=2.0)
    better = won(ada, 59.25, bvs=2.5)
    news = latest_news(5)
    assert news[0].replay_id == better.pk
    first = news[0]
    assert (first.time and first.time.new_value, first.bvs and first.bvs.new_value) == (59.25, 2.5)
    assert first.text == "set the Expert record"
    assert first.first_sub == 61
    assert len({one.replay_id for one in news}) == len(news) == 2


def test_other_statistics_are_no_news(ada: Player) -> None:
    """A game that is a best of luck or of efficiency alone."""
    won(ada, 50, bvs=3.0, ioe=0.5)
    won(ada, 55, bvs=2.0, ioe=0.9)
    assert len(latest_news(5)) == 1


def test_the_headline_is_the_place_or_the_best(ada: Player) -> None:
    for number in range(11):
        won(Player.objects.create(name=f"p{number}"), 40 + number, bvs=5 - number / 10)
    won(ada, 60, bvs=1.0)
    assert latest_news(1)[0].text == "set a new Expert PB"
    won(ada, 42.5, bvs=1.0)
    assert latest_news(1)[0].text == "took #4 on Expert"
    won(ada, 99, Level.BEGINNER, bvs=0.5)
    won(ada, 98, Level.BEGINNER, bvs=0.4)
    won(ada, 98.5, Level.BEGINNER, bvs=0.6)
    news = latest_news(1)[0]
    assert (news.text, news.time, news.first_sub) == ("set the Beginner 3BV/s record", None, None)


def test_a_first_time_is_no_step_of_a_ladder(ada: Player) -> None:
    won(ada, 62.5)
    assert latest_news(1)[0].first_sub is None
    won(ada, 62.25)  # still sub-64
    assert latest_news(1)[0].first_sub is None


def test_far_ranks_are_no_news(ada: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    won(Player.objects.create(name="Fast"), 40, bvs=4.0)
    monkeypatch.setattr("replays.browse.home.news.MOST_RANK", 1)
    won(ada, 50, bvs=3.0)
    assert [one.player and one.player.name for one in latest_news(5)] == ["Fast"]


def test_page_and_part(ada: Player, client: Client) -> None:
    won(ada, 62.5, bvs=2.0)
    replay = won(ada, 59.25, bvs=2.5)
    page = Document(client.get("/news/").content.decode())
    part = client.get("/news/", headers={"HX-Request": "true"})
    assert "HX-Request" in part.headers["Vary"]
    assert not Document(part.content.decode()).all("header")
    first = latest_news(5)[0]
    for document in (page, Document(part.content.decode())):
        for shown in (first.text, "59.25 s", "sub-61 (under 60 s)", "2.500 3BV/s"):
            assert shown in document.text
    assert (first.replay_id, first.player and first.player.name, first.level) == (replay.pk, "Ada", "expert")
    assert (first.bvs and first.bvs.new_value, first.first_sub) == (2.5, 61)
    assert first.text == "set the Expert record"


def test_statements_do_not_grow(ada: Player, django_assert_num_queries: Any) -> None:
    for number in range(3):
        won(ada, 50 - number, bvs=2 + number)
        won(Player.objects.create(name=f"p{number}"), 60 - number)
    with django_assert_num_queries(6):
        assert len(latest_news(6)) == 6
