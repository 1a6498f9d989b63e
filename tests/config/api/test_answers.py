"""The rules of answers: whole numbers for counts, a size for every list, and nothing unknown that is taken silently."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from analysis.recording import Level
from players.models import Player
from replays.models import Replay
from tests.api_schema import api_schema
from tests.factories import rank_replays, replay_of, replay_ref
from tests.pages.conftest import board_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def games() -> list[Replay]:
    player = Player.objects.create(name="player", country="DE")
    made = [replay_of(player, Level.EXPERT, time_ms=ms, board=board_of(Level.EXPERT)) for ms in (35_000, 36_000)]
    games = Replay.objects.bulk_create(made)
    rank_replays(games)
    return games


def test_counts_are_whole_numbers(games: list[Replay]) -> None:
    row = Client().get("/api/v1/leaderboards/sub/expert/40/").json()["rows"][0]
    assert [repr(row[name]) for name in ("value", "gap")] == ["2", "0"]
    jump = Client().get("/api/v1/leaderboards/sub/expert/40/?value=1").json()["jump"]
    assert repr(jump["value"]) == "1"
    line = b"".join(Client().get("/api/v1/leaderboards/sub/expert/40/rows.ndjson"))
    assert json.loads(line)["value"] == 2
    assert b'"value": 2,' in line
    time = Client().get("/api/v1/leaderboards/expert/time/").json()["rows"][0]
    assert repr(time["value"]) == "35.0"


def test_every_list_has_a_size() -> None:
    schema = api_schema()
    without = []
    for address, methods in schema["paths"].items():
        names = {one["name"] for one in methods.get("get", {}).get("parameters", ())}
        if "cursor" in names and "size" not in names:
            without.append(address)
    assert not without


@pytest.mark.parametrize("address", ["leaderboards/expert/time/", "leaderboards/sub/expert/40/"])
def test_an_unknown_country_is_refused(address: str, games: list[Replay]) -> None:
    refused = Client().get(f"/api/v1/{address}?country=XX")
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["country"])
    assert len(Client().get(f"/api/v1/{address}?country=de").json()["rows"]) == 1


def test_a_new_batch_is_not_settled(owner_client: Client) -> None:
    made: dict[str, Any] = owner_client.post("/api/v1/me/batches/").json()
    batch = owner_client.get(f"/api/v1/me/batches/{made['id']}/").json()
    assert (batch["settled"], set(batch["counts"].values())) == (False, {0})


def test_nothing_is_null_and_a_reference_is_an_object(games: list[Replay]) -> None:
    row = Client().get(f"/api/v1/replays/{games[0].pk}/").json()
    for name in ("ownership", "judgement_reason", "judgement_code", "judgement_text", "reject_code", "reject_detail"):
        assert row[name] is None, name
    board = Client().get("/api/v1/leaderboards/expert/time/").json()
    assert board["rows"][0]["replay"] == replay_ref(games[0].pk)
    assert (board["frame"]["period"], board["frame"]["country"]) == (None, None)
    assert Client().get(board["rows"][0]["replay"]["url"]).json()["id"] == games[0].pk
    events = Client().get("/api/v1/records/?kind=personal").json()["rows"]
    assert {event["replay"]["id"] for event in events} <= {game.pk for game in games}
    combined = Client().get("/api/v1/leaderboards/combined/time/").json()
    assert all(one["replay"] is None and one["game_style"] is None for one in combined["rows"])
    nobody = Client().get(f"/api/v1/players/{Player.objects.create(name='nobody').pk}/").json()
    assert nobody["country"] is None
    rows = Client().get("/api/v1/statistics/").json()["rows"]
    assert not [row["name"] for row in rows if "" in row.values()]
