"""Lists of what is new say by which date they are sorted, and show that date."""

from __future__ import annotations

import datetime
import re

import pytest
from django.test import Client

from analysis.recording import Level
from players.models import Player
from replays.models import Replay
from tests.factories import EPOCH, stored_replay
from tests.pages.conftest import board_of, rank
from tests.pages.html import Document

UPLOADED = EPOCH + datetime.timedelta(days=700)


@pytest.fixture
def replays(db: None) -> list[Replay]:
    """Two records: the game that was played later was uploaded first."""
    player = Player.objects.create(name="Late")
    made = []
    for number, (played, uploaded, time_ms) in enumerate(((500, 0, 60_000), (20, 1, 50_000))):
        made.append(
            stored_replay(
                player, time_ms=time_ms, board=board_of(Level.EXPERT), bv=150 + number,
                achieved_at=EPOCH + datetime.timedelta(days=played),
                uploaded_at=UPLOADED + datetime.timedelta(days=uploaded),
            )
        )  # fmt: skip
        rank(made[-1])
    return made


def day(date: datetime.datetime) -> str:
    return f"{date:%Y-%m-%d}"


def test_news_sort_by_upload_and_show_it(replays: list[Replay], client: Client) -> None:
    text = Document(_section(client.get("/news/").content.decode(), "news")).text
    assert re.findall(r"\d{4}-\d\d-\d\d", text) == [day(replay.uploaded_at) for replay in reversed(replays)]


def test_new_replays_sort_by_upload(replays: list[Replay], client: Client) -> None:
    links = Document(_section(client.get("/news/").content.decode(), "newest")).links()
    games = [replay.get_absolute_url() for replay in reversed(replays)]
    assert [link for link in links if link in games] == games


def test_the_records_of_a_player_sort_by_upload_and_show_it(replays: list[Replay], client: Client) -> None:
    assert replays[0].player is not None
    page = client.get(f"/players/{replays[0].player.pk}/records/").content.decode()
    _assert_by_upload(page, "Recent personal bests", replays)


def test_the_games_of_a_player_sort_by_upload_and_show_it(replays: list[Replay], client: Client) -> None:
    assert replays[0].player is not None
    page = client.get(f"/players/{replays[0].player.pk}/games/").content.decode()
    text = Document(page[page.index('<ul class="gl"') :]).text
    assert re.findall(r"\d{4}-\d\d-\d\d", text) == [day(replay.uploaded_at) for replay in reversed(replays)]


def _section(source: str, name: str) -> str:
    return source[source.index(f'<h2 id="{name}">') :].partition("</section>")[0]


def _assert_by_upload(source: str, title: str, replays: list[Replay]) -> None:
    section = source[source.index(f"<h2>{title}</h2>") :]
    shown = Document(section[: section.index("</section>")]).text
    assert "newest uploads first" in shown.lower()
    dates = re.findall(r"uploaded (\d{4}-\d\d-\d\d)", shown)
    assert dates == [day(replay.uploaded_at) for replay in reversed(replays)]
    assert not any(day(replay.achieved_at) in shown for replay in replays if replay.achieved_at)


def test_the_records_show_both_dates(replays: list[Replay], client: Client) -> None:
    page = client.get("/records/?level=expert&statistic=time").content.decode()
    body = Document(page[page.index("<tbody>") : page.index("</tbody>")]).text
    found = re.findall(r"\d{4}-\d\d-\d\d", body)
    assert found == [
        day(date) for replay in reversed(replays) for date in (replay.achieved_at, replay.uploaded_at) if date
    ]
    heads = [
        text
        for text in ("Played", "Uploaded")
        if text in Document(page[page.index("<thead>") : page.index("</thead>")]).text
    ]
    assert heads == ["Played", "Uploaded"]
    rows = client.get("/api/v1/records/?level=expert&statistic=time").json()["rows"]
    assert [row["uploaded_at"][:10] for row in rows] == [day(replay.uploaded_at) for replay in reversed(replays)]
