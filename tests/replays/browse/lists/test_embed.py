"""The page for frames of other sites."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from analysis.recording import Level
from players.models import User
from replays.models import Replay
from replays.watch.pictures.selectors import picture_line
from tests.replays.conftest import Ingest
from tests.replays.games import game_file, largest_game


@pytest.fixture
def game(ingest: Ingest) -> Replay:
    return ingest(game_file())


def test_headers(client: Client, game: Replay, staff: User) -> None:
    client.force_login(staff)
    client.cookies["django_language"] = "zh-hans"
    response = client.get(reverse("replay-embed", args=[game.pk]))
    assert response.status_code == 200
    assert "frame-ancestors *" in response["Content-Security-Policy"]
    assert "default-src 'none'; script-src 'self'; style-src 'self'" in response["Content-Security-Policy"]
    assert "X-Frame-Options" not in response
    assert response["Cache-Control"] == "public, max-age=300"
    assert response["X-Robots-Tag"] == "noindex"
    assert "Cookie" not in response.get("Vary", "")
    assert not response.cookies
    page = response.content.decode()
    assert 'lang="en"' in page, "a cookie does not choose the language of what others may get from a cache"
    assert "csrf" not in page
    assert staff.username not in page
    assert "style=" not in page


def test_the_language_of_the_browser(client: Client, game: Replay) -> None:
    response = client.get(reverse("replay-embed", args=[game.pk]), headers={"Accept-Language": "zh-CN"})
    assert 'lang="zh-Hans"' in response.content.decode()
    assert "Accept-Language" in response["Vary"]


def test_without_the_name_of_the_player(client: Client, game: Replay) -> None:
    assert game.player is not None
    address = reverse("replay-embed", args=[game.pk])
    assert game.player.name in client.get(address).content.decode()
    assert game.player.name not in client.get(f"{address}?anonymous=1").content.decode()


@pytest.mark.parametrize("page", ["replay", "replay-embed"])
def test_the_line_of_a_picture(client: Client, game: Replay, page: str) -> None:
    """The picture that the viewer makes has the same line as those of the server."""
    line = json.dumps(picture_line(game))
    assert f'"line": {line}' in client.get(reverse(page, args=[game.pk])).content.decode()


def test_all_other_pages_stay_out_of_frames(client: Client, game: Replay) -> None:
    response = client.get(game.get_absolute_url())
    assert "frame-ancestors 'none'" in response["Content-Security-Policy"]
    assert response["X-Frame-Options"] == "DENY"


def test_missing_games(client: Client, game: Replay) -> None:
    Replay.objects.filter(pk=game.pk).update(status=Replay.Status.REJECTED)
    for pk in (game.pk, game.pk + 1):
        response = client.get(reverse("replay-embed", args=[pk]))
        assert response.status_code == 404
        assert "frame-ancestors *" in response["Content-Security-Policy"]
        assert not response.cookies


def test_queries_and_size(client: Client, ingest: Ingest, game: Replay, django_assert_num_queries: Any) -> None:
    address = reverse("replay-embed", args=[game.pk])
    with django_assert_num_queries(1):
        client.get(address)
    expert, large = ingest(game_file(1, Level.EXPERT)), ingest(largest_game())
    for one, limit in ((expert, 15_000), (large, 100_000)):  # the still board of 255 x 255 cells has 80 KB alone
        assert len(gzip.compress(client.get(reverse("replay-embed", args=[one.pk])).content)) < limit
