"""Films and odds as JSON: the same as the bytes that pages load, under the same limits."""

from __future__ import annotations

import gzip
import json
from typing import Any

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse
from rest_framework import serializers

from analysis import formats
from analysis.analyse import analyse
from analysis.film import film_of, odds_of
from analysis.luck import luck_of
from analysis.recording import Kind, Level
from analysis.zini import KINDS
from players.models import User
from players.tokens.scopes import Scope
from players.tokens.services import token_create
from replays.models import Replay, file_store
from replays.watch.film import api, selectors
from replays.watch.film.serializers import FilmSerializer, OddsSerializer
from tests.replays.conftest import Ingest
from tests.replays.games import game_file, largest_game

NAMES = ("film", "odds")


@pytest.fixture
def game(ingest: Ingest) -> Replay:
    return ingest(game_file(1, Level.EXPERT))


def path(name: str, game: Replay) -> str:
    return f"/api/v1/replays/{game.pk}/{name}/"


def checked(body: Any, serializer: serializers.BaseSerializer[Any]) -> None:
    """Every field of the schema is there and nothing else, with values that its fields take."""
    assert isinstance(serializer, serializers.Serializer)
    assert set(body) == set(serializer.fields)
    for name, field in serializer.fields.items():
        if isinstance(field, serializers.BaseSerializer):
            checked(body[name], field)
        else:
            assert field.run_validation(body[name]) == body[name], name


@pytest.mark.parametrize(
    "data", [game_file(2, Level.EXPERT), game_file(1), largest_game()], ids=["expert", "beginner", "largest"]
)
def test_it_is_the_film(client: Client, ingest: Ingest, data: bytes) -> None:
    film = film_of(analyse(formats.read(data)))
    game = ingest(data)
    links = client.get(f"/api/v1/replays/{game.pk}/").json()["links"]
    assert [links[name].split("//")[-1].partition("/")[2] for name in NAMES] == [path(name, game)[1:] for name in NAMES]
    body = client.get(path("film", game)).json()
    checked(body, FilmSerializer())
    events, acts, faces = body["events"], body["acts"], body["faces"]
    start = film.events["time_ms"][film.places[film.start_act]]
    assert events["time_ms"] == (film.events["time_ms"].astype(np.int64) - start).tolist()
    assert events["time_ms"][acts["event"][body["opening_act"]]] == 0
    assert (events["x_px"], events["y_px"]) == (film.events["x_px"].tolist(), film.events["y_px"].tolist())
    assert [Kind[name.upper()].value for name in acts["kind"]] == film.events["kind"][film.places].tolist()
    assert acts["path_px"] == film.path.tolist()
    counters = ("lcl", "rcl", "dcl", "lce", "rce", "dce", "rce_strict", "flags", "bvdone", "opdone", "isdone")
    assert [acts[name] for name in counters] == film.counters.T.tolist()
    columns = body["board"]["columns"]
    assert [
        row * columns + column for row, column in zip(faces["row"], faces["column"], strict=True)
    ] == film.cells.tolist()
    assert np.bincount(faces["act"], minlength=len(film.places)).tolist() == film.changed.tolist()
    for group in (events, acts, faces):
        assert len({len(column) for column in group.values()}) == 1


def test_it_is_the_odds(client: Client, game: Replay) -> None:
    pack = odds_of(film_of(analyse(formats.read(file_store.get(game.sha256)))))
    body = client.get(path("odds", game)).json()
    checked(body, OddsSerializer())
    chances, columns = body["chances"], game.columns or 1
    assert body["complete"] is True
    assert body["positions"]["act"] == pack.acts.tolist()
    assert [
        row * columns + column for row, column in zip(chances["row"], chances["column"], strict=True)
    ] == pack.cells.tolist()
    assert [2 * percent for percent in chances["mine_percent"]] == pack.values.tolist()
    luck = luck_of(formats.read(file_store.get(game.sha256)))
    assert body["positions"]["ended_by"] == [*(click.sort.value for click in luck.clicks), "none"]
    assert "guess" in body["positions"]["ended_by"]
    assert 0 in chances["mine_percent"]
    assert 100 in chances["mine_percent"]


@pytest.mark.parametrize("name", NAMES)
def test_headers(client: Client, game: Replay, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = client.get(path(name, game), headers={"Accept-Encoding": "gzip"})
    assert first["Content-Encoding"] == "gzip"
    assert first["Content-Type"] == "application/json"
    assert json.loads(gzip.decompress(first.content))["game_hash"] == game.game_hash
    monkeypatch.setattr(selectors, "film_of_replay", lambda *_: pytest.fail("nothing is computed for a 304"))
    again = client.get(path(name, game), headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("name", NAMES)
def test_who_may_have_it(client: Client, game: Replay, name: str, owner: User) -> None:
    assert client.get(f"{path(name, game)}?v=1").status_code == 400
    assert client.post(path(name, game)).status_code == 405
    for scope, status in ((Scope.READ, 200), (Scope.UPLOAD, 403)):
        _token, key = token_create(owner, "script", [scope])
        assert client.get(path(name, game), headers={"Authorization": f"Bearer {key}"}).status_code == status
    Replay.objects.filter(pk=game.pk).update(judgement=Replay.Judgement.FROZEN, ranked=False)
    assert client.get(path(name, game)).status_code == 200, "a judged replay stays visible, as its page does"
    Replay.objects.filter(pk=game.pk).update(status=Replay.Status.REJECTED)
    assert client.get(path(name, game)).status_code == 404
    Replay.objects.filter(pk=game.pk).update(status=Replay.Status.DONE)
    file_store.delete(game.sha256)
    assert client.get(path(name, game)).status_code == 404


def test_it_counts_with_the_films_of_pages(client: Client, game: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.watch.film.services.FILM_LIMIT._rate", "2/minute")
    assert client.get(path("film", game)).status_code == 200
    assert client.get(f"/replays/{game.pk}/film").status_code == 302
    refused = client.get(path("odds", game))
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_requests")


@pytest.mark.parametrize("name", NAMES)
def test_huge_films_are_refused_as_json(
    client: Client, game: Replay, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody may upload a game of a million events: its bytes are given, a hundred megabytes of JSON are not."""
    monkeypatch.setattr(api, "MAX_ROWS", 100)
    refused = client.get(path(name, game))
    assert (refused.status_code, refused.json()["code"]) == (422, "film_too_large")
    assert client.get(f"/replays/{game.pk}/{name}", follow=True).status_code == 200


def test_odds_that_took_too_long_are_asked_again(client: Client, game: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "ODDS_SECONDS", -1.0)
    unfinished = client.get(path("odds", game))
    assert unfinished.json()["complete"] is False
    monkeypatch.undo()
    complete = client.get(path("odds", game), headers={"If-None-Match": unfinished["ETag"]})
    assert (complete.status_code, complete.json()["complete"]) == (200, True)


def test_a_route_has_the_clicks_of_its_page(client: Client, game: Replay) -> None:
    for kind in KINDS:
        given = client.get(path("route", game), {"kind": kind}).json()
        shown = client.get(reverse("replay-route", args=[game.pk]), {"kind": kind}).json()
        assert given["kind"] == kind
        columns = game.columns
        assert columns is not None
        cells = [row * columns + column for row, column in (step["cell"] for step in given["steps"])]
        assert cells == [step["cell"] for step in shown["steps"]]
        assert given["steps"][-1]["clicks"] == game.statistic(kind)
    assert client.get(path("route", game), {"kind": "best"}).status_code == 400
