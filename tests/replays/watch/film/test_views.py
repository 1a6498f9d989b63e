"""Tests of what the viewer loads: bytes, headers, limits, and who may have them."""

from __future__ import annotations

import gzip
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from analysis import formats
from analysis.analyse import analyse
from analysis.film import encode, encode_odds, film_of, odds_of
from analysis.recording import Kind, Level
from players.models import User
from players.web import rate_limits
from replays.models import Replay, file_store
from replays.upload.processing.deletion import replay_delete
from replays.watch.film import selectors
from replays.watch.film.selectors import film_version, odds_version
from tests.replays.conftest import Ingest
from tests.replays.games import game_file, largest_game, recording

VERSIONS = {"replay-film": film_version, "replay-odds": odds_version}
ADDRESSES = tuple(VERSIONS)


@pytest.fixture
def game(ingest: Ingest) -> Replay:
    return ingest(game_file())


def address(name: str, game: Replay) -> str:
    return f"{reverse(name, args=[game.pk])}?v={VERSIONS[name](game)}"


def fetched(client: Client, path: str, **headers: str) -> Any:
    return client.get(path, headers={"Accept-Encoding": "br, gzip, deflate", **headers})


@pytest.mark.parametrize("level", [Level.BEGINNER, Level.EXPERT])
def test_the_bytes_are_those_of_the_analysis(client: Client, ingest: Ingest, level: Level) -> None:
    data = game_file(2, level)
    game, film = ingest(data), film_of(analyse(formats.read(data)))
    assert gzip.decompress(fetched(client, address("replay-film", game)).content) == encode(film)
    assert gzip.decompress(fetched(client, address("replay-odds", game)).content) == encode_odds(odds_of(film))


@pytest.mark.parametrize("name", ADDRESSES)
def test_headers(client: Client, game: Replay, name: str, staff: User) -> None:
    client.force_login(staff)
    response = fetched(client, address(name, game))
    assert response.status_code == 200
    assert response["Content-Type"] == "application/octet-stream"
    assert response["Content-Encoding"] == "gzip"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Cache-Control"] == "private, max-age=31536000, immutable"
    assert "Accept-Encoding" in response["Vary"]
    assert "Cookie" not in response["Vary"]
    assert not response.cookies
    assert response.content[4:8] == bytes(4), "the time of compression would change the bytes"
    assert fetched(client, address(name, game)).content == response.content


@pytest.mark.parametrize("name", ADDRESSES)
def test_plain_bytes_for_who_takes_no_gzip(client: Client, game: Replay, name: str) -> None:
    zipped = fetched(client, address(name, game))
    for accepted in ("", "identity", "br"):
        plain = fetched(client, address(name, game), **{"Accept-Encoding": accepted})
        assert "Content-Encoding" not in plain, accepted
        assert plain.content == gzip.decompress(zipped.content), accepted
        assert plain["ETag"] != zipped["ETag"], accepted


@pytest.mark.parametrize("name", ADDRESSES)
def test_head_and_not_modified(client: Client, game: Replay, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = fetched(client, address(name, game))
    head = client.head(address(name, game), headers={"Accept-Encoding": "gzip"})
    assert head.content == b""
    assert head["Content-Length"] == str(len(first.content))
    monkeypatch.setattr(selectors, "film_of_replay", lambda *_: pytest.fail("nothing is computed for a 304"))
    again = fetched(client, address(name, game), **{"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again["Cache-Control"] == first["Cache-Control"]


@pytest.mark.parametrize("name", ADDRESSES)
def test_other_versions_lead_to_this_one(client: Client, game: Replay, name: str) -> None:
    for version in ("", "?v=0.0.00000000", "?v=1"):
        response = client.get(reverse(name, args=[game.pk]) + version)
        assert response.status_code == 302, version
        assert response["Location"] == address(name, game), version
        assert "no-cache" in response["Cache-Control"], version


@pytest.mark.parametrize("name", [*ADDRESSES, "replay-route"])
def test_only_analysed_replays_have_films(client: Client, game: Replay, name: str) -> None:
    for status in (Replay.Status.QUEUED, Replay.Status.RUNNING, Replay.Status.REJECTED):
        Replay.objects.filter(pk=game.pk).update(status=status)
        assert client.get(reverse(name, args=[game.pk])).status_code == 404
    assert client.get(reverse(name, args=[game.pk + 1])).status_code == 404
    assert client.post(reverse(name, args=[game.pk])).status_code == 405


@pytest.mark.parametrize("name", ADDRESSES)
def test_lost_and_deleted(client: Client, game: Replay, name: str, staff: User) -> None:
    path = address(name, game)
    file_store.delete(game.sha256)
    assert fetched(client, path).status_code == 404
    replay_delete(game, staff)
    assert fetched(client, path).status_code == 410


@pytest.mark.parametrize("name", ADDRESSES)
def test_a_judged_replay_stays_visible(client: Client, game: Replay, name: str) -> None:
    Replay.objects.filter(pk=game.pk).update(judgement=Replay.Judgement.FROZEN, ranked=False)
    assert fetched(client, address(name, game)).status_code == 200


def test_a_limit_of_their_own(client: Client, game: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.watch.film.services.FILM_LIMIT._rate", "2/minute")
    monkeypatch.setattr("replays.odds.positions.budget.POSITION_LIMIT._rate", "1/minute")
    assert [fetched(client, address("replay-film", game)).status_code for _ in range(3)] == [200, 200, 429]
    refused = client.get(address("replay-odds", game))
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 60
    assert client.get("/tools/probability/?position=1./..&mines=1").status_code == 200, "positions count apart"
    rate_limits.reset()
    assert fetched(client, address("replay-film", game)).status_code == 200


def test_odds_that_took_too_long_are_asked_again(client: Client, game: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "ODDS_SECONDS", -1.0)
    response = fetched(client, address("replay-odds", game))
    assert response.status_code == 200
    assert response["Cache-Control"] == "private, max-age=60"
    assert "ETag" not in response


@pytest.mark.long(beside="tests/replays/watch/film/test_views.py::test_headers")
def test_largest_boards_and_unfinished_games(client: Client, ingest: Ingest) -> None:
    large = ingest(largest_game())
    assert large.result == Replay.Result.UNFINISHED
    for name in ADDRESSES:
        assert fetched(client, address(name, large)).status_code == 200
    assert client.get(reverse("replay-route", args=[large.pk])).status_code == 200


def test_the_game_in_another_file_has_another_tag(client: Client, ingest: Ingest, staff: User) -> None:
    """The hash of a game does not cover moves, which a film shows."""
    game = recording(3)
    moved = replace(game, events=game.events[game.events["kind"] != Kind.MOVE].copy())
    tags = []
    for one in (game, moved):
        row = ingest(formats.rawvf.write(one))
        tags.append((row.game_hash, fetched(client, address("replay-film", row))["ETag"]))
        replay_delete(row, staff)
    assert tags[0][0] == tags[1][0]
    assert tags[0][1] != tags[1][1]


def test_one_query(client: Client, game: Replay, staff: User, django_assert_num_queries: Any) -> None:
    client.force_login(staff)
    for name in ADDRESSES:
        with django_assert_num_queries(1):
            fetched(client, address(name, game))
    with django_assert_num_queries(1):
        client.get(reverse("replay-route", args=[game.pk]))


@pytest.mark.parametrize("kind", ["gzini", "hzini", "gzini_ref", "hzini_ref"])
def test_the_route_has_as_many_clicks_as_its_zini(client: Client, game: Replay, kind: str) -> None:
    found = client.get(f"{reverse('replay-route', args=[game.pk])}?kind={kind}").json()
    assert found["kind"] == kind
    assert found["steps"][-1]["clicks"] == game.statistic(kind)


def test_an_unknown_route(client: Client, game: Replay) -> None:
    assert client.get(f"{reverse('replay-route', args=[game.pk])}?kind=best").status_code == 400


def test_formulas(client: Client) -> None:
    path = reverse("film-formula")
    assert client.get(path, {"text": " bvdone / (time + 1) "}).json() == {"tree": ["/", "bvdone", ["+", "time", 1.0]]}
    for name in ("is", "isl"):
        assert client.get(path, {"text": f"({name} + zne) / op"}).json() == {"tree": ["/", ["+", "isl", "gzne"], "op"]}
    assert client.get(path, {"text": "bv is op"}).status_code == 400
    assert client.get(path, {"text": "is" + " + op" * 3 + " " * 180 + "+ 1"}).status_code == 200  # 201 with "isl"
    assert "“is(1)”" in client.get(path, {"text": "is(1)"}).json()["reason"]
    for text in (
        "",
        "1 +",
        "__proto__",
        "time.real",
        "K",
        "().__class__",
        "x" * 201,
        "-" * 100 + "1",
        "9e999",
        "'a'",
        "time if 1 else 2",
    ):
        refused = client.get(path, {"text": text})
        assert refused.status_code == 400, text
        assert refused.json()["reason"]
