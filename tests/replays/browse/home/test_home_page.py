"""The home page of guests: the record's film, a board to play on, the leaders."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from analysis.film.moments import FLAGGED, faces_after
from analysis.recording import Level
from players.models import Player, User
from players.templatetags.led import led
from replays.browse.home.selectors import drawn
from replays.models import Replay, file_store
from replays.watch.film.film_texts import led_texts
from replays.watch.film.selectors import film_of_replay
from tests.factories import rank_replays, stored_replay
from tests.pages.html import Document
from tests.replays.conftest import Ingest
from tests.replays.games import game_file

pytestmark = pytest.mark.django_db


def page(client: Client) -> Document:
    response = client.get("/")
    assert response.status_code == 200
    return Document(response.content.decode())


def headings(client: Client) -> list[str]:
    return re.findall(r"<h1[^>]*>(.*?)</h1>", client.get("/").content.decode(), re.DOTALL)


def trial_of(client: Client) -> dict[str, Any]:
    source = client.get("/").content.decode().split('<script id="trial-config" type="application/json">')[1]
    found: dict[str, Any] = json.loads(source.split("</script>")[0])
    return found


def test_an_empty_site_offers_to_play(client: Client) -> None:
    document = page(client)
    assert not document.all("figure")
    assert "/play/beginner/" in document.links()


def test_the_record_is_a_poster_and_a_film(client: Client, ingest: Ingest) -> None:
    replay = ingest(game_file(1, Level.EXPERT))
    (film,) = page(client).all("figure")
    assert film["data-source"].startswith(f"/replays/{replay.pk}/film?v=")
    assert film["data-hash"] == (replay.game_hash or "")[:8]
    assert client.get(film["data-source"]).status_code == 200
    assert any(link.get("href") == replay.get_absolute_url() for link in page(client).all("a"))


def test_the_poster_is_the_end_of_the_film(client: Client, ingest: Ingest) -> None:
    """With the player's flags and the mines that they left, as on the page of the replay."""
    replay = ingest(game_file(1, Level.EXPERT))
    poster = drawn(replay.pk)
    assert poster is not None
    film = film_of_replay(replay)
    flags = int((faces_after(film, len(film.events)) == FLAGGED).sum())
    cloth = re.search(r'class="cloth" d="([^"]*)"', poster.picture)
    assert (cloth[1].count("M") if cloth else 0) == flags == int(replay.statistic("flags") or 0)
    assert poster.mines_left == 99 - flags
    source = client.get("/").content.decode()
    assert led(f"{poster.mines_left:03}", "Mines left") in source
    assert led(led_texts(replay)["led_mines"], "Mines left") in source


def test_a_record_whose_file_is_lost_has_no_film(client: Client, ingest: Ingest) -> None:
    replay = ingest(game_file(1, Level.EXPERT))
    file_store.delete(replay.sha256)
    document = page(client)
    assert not document.all("figure")
    assert f"{replay.statistic('time'):.3f}" in document.text


def test_an_account_without_a_player_is_welcomed_in_place_of_the_pitch(client: Client) -> None:
    (pitch,) = headings(client)
    client.force_login(User.objects.create_user("newcomer"))
    document = page(client)
    (welcome,) = headings(client)
    assert ("newcomer" in pitch, "newcomer" in welcome) == (False, True)
    assert document.text.count("Upload replays") == 1


def test_the_beginner_record_is_the_board_to_play_on(client: Client, ingest: Ingest) -> None:
    replay = ingest(game_file(2, Level.BEGINNER))
    config = trial_of(client)
    bits = np.unpackbits(
        np.frombuffer(bytes.fromhex(config["mines"]), np.uint8), count=config["rows"] * config["columns"]
    )
    assert (bits.reshape(config["rows"], config["columns"]) == replay.board_object().mines).all()
    assert config["count"] == bits.sum() == 10
    assert config["best"] == replay.statistic("time")
    assert config["first"] is None or not bits[config["first"]]


def test_a_record_without_its_board_has_no_film(client: Client) -> None:
    rank_replays([stored_replay(Player.objects.create(name="Ada"), Level.EXPERT, time_ms=40_000)])
    Replay.objects.update(board=None)
    document = page(client)
    assert not document.all("figure")
    assert "40.00" in document.text


def test_what_is_not_in_the_first_view_is_not_read_for_it(client: Client) -> None:
    ada = Player.objects.create(name="Ada")
    for number in range(4):
        rank_replays([stored_replay(ada, Level.EXPERT, time_ms=50_000 - number)])
    with CaptureQueriesContext(connection) as queries:
        document = page(client)
    assert not any("recordevent" in query["sql"] for query in queries)
    assert "set the Expert record" not in document.text
    assert [slot["data-near"] for slot in document.all("div") if "data-near" in slot] == ["/news/"]
