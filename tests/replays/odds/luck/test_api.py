"""The API of luck and snapshots."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from analysis import formats
from analysis.formats import rawvf
from analysis.luck import luck_of
from analysis.probability import Position, exact_fractions
from analysis.recording import Level
from analysis.statistics import LUCK, LUCK_VERSION
from players.models import User
from replays.models import Replay, file_store, kept
from replays.odds.luck import selectors
from replays.odds.positions.refusal import Refusal
from replays.upload.processing.luck import luck_measure
from tests.analysis.luck.test_luck import board
from tests.analysis.luck.test_luck import game as played
from tests.cases import check_each_on_site
from tests.factories import receive_one
from tests.replays.conftest import Ingest
from tests.replays.games import game_file

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("luck_compiled")]


@pytest.fixture
def game(ingest: Ingest) -> Replay:
    return ingest(game_file(1, Level.EXPERT))


def get(client: Client, game: Replay, what: str, **parameters: int | str) -> Any:
    """``parameters`` are those of the position; luck has none."""
    return client.get(f"/api/v1/replays/{game.pk}/{what}/", parameters if what == "position" else {})


# --- luck


def test_luck_lists_every_opening_click(game: Replay, client: Client) -> None:
    expected = luck_of(formats.read(file_store.get(game.sha256)))
    body = get(client, game, "luck").json()
    assert (body["version"], body["stored"], body["code"]) == (LUCK_VERSION, False, None)
    assert body["values"] == expected.values
    assert len(body["clicks"]) == len(expected.clicks) > 20
    for click, twin in zip(body["clicks"], expected.clicks, strict=True):
        assert click == {
            "event": twin.event, "time_ms": twin.time_ms, "cell": list(twin.cell), "chord": twin.chord,
            "cells": [list(cell) for cell in twin.cells], "survived": twin.survived, "sort": twin.sort.value,
            "risk": twin.risk, "least_risk": twin.least_risk, "rule": twin.rule,
        }  # fmt: skip


def test_luck_says_whether_it_is_stored(game: Replay, client: Client) -> None:
    luck_measure([game.pk])
    body = get(client, game, "luck").json()
    game.refresh_from_db()
    assert body["stored"]
    assert body["values"] == {row.name: game.statistic(row.name) for row in LUCK}


def test_a_game_that_the_workers_gave_up_is_not_counted_again(
    game: Replay, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    Replay.objects.update(luck_version=LUCK_VERSION, luck_code="limit_exceeded")
    monkeypatch.delattr(selectors, "calculate_for")
    body = get(client, game, "luck").json()
    assert (body["code"], body["clicks"]) == ("limit_exceeded", [])


# --- snapshots


def test_a_snapshot_has_the_exact_probabilities_before_a_click(game: Replay, client: Client) -> None:
    clicks = get(client, game, "luck").json()["clicks"]
    click = max(clicks[1:], key=lambda one: one["risk"])
    body = get(client, game, "position", event=click["event"], flags="ignored").json()
    position = Position.of_rows([row.replace("F", ".").replace("?", ".") for row in body["rows"]], body["mines"])
    exact = exact_fractions(position)
    for row, line in enumerate(body["mine"]):
        for column, chance in enumerate(line):
            assert (chance is None) == (body["rows"][row][column].isdigit())
            assert chance is None or chance == pytest.approx(float(exact[row][column]), abs=1e-12)
    assert {tuple(cell) for cell in body["certain_safe"]} == {
        (row, column)
        for row in range(16)
        for column in range(30)
        if position.closed[row, column] and exact[row][column] == 0
    }
    assert body["lost"] is body["too_wide"] is False
    if len(click["cells"]) == 1:
        ((row, column),) = click["cells"]
        assert body["mine"][row][column] == pytest.approx(click["risk"], abs=1e-12)


def flagged(ingest: Ingest, row: int, column: int) -> Replay:
    """A 1 beside two closed cells that can be its mine, one of them flagged; the third click opens the other one."""
    acts = (("left", 0, 0), ("flag", row, column), ("left", 2, 2))
    return ingest(rawvf.write(played(board(".*.", "...", "..."), *acts)))


def test_a_flag_is_a_known_mine_in_a_snapshot_and_none_for_luck(ingest: Ingest, client: Client) -> None:
    game = flagged(ingest, 0, 1)
    click = get(client, game, "luck").json()["clicks"][-1]
    trusted, ignored = (
        get(client, game, "position", event=click["event"], flags=flags).json() for flags in ("trusted", "ignored")
    )
    assert trusted == get(client, game, "position", event=click["event"]).json()
    assert trusted["rows"] == ignored["rows"] == ["1F.", "...", "..."]
    assert (trusted["flag_use"], trusted["mine"][1]) == ("trusted", [0.0, 0.0, 0.0])
    assert (ignored["flag_use"], ignored["mine"][1][:2]) == ("ignored", [1 / 3, 1 / 3])
    assert click["least_risk"] == 0
    assert get(client, game, "luck").json()["clicks"][-1]["sort"] == "certain"


def test_a_flag_that_contradicts_is_ignored_in_a_snapshot(ingest: Ingest, client: Client) -> None:
    game = flagged(ingest, 2, 0)
    event = get(client, game, "luck").json()["clicks"][-1]["event"]
    body = get(client, game, "position", event=event).json()
    assert (body["flag_use"], body["mine"][0][1]) == ("contradictory", 1 / 3)


def test_a_snapshot_by_time_is_that_by_events(game: Replay, client: Client) -> None:
    clicks = get(client, game, "luck").json()["clicks"]
    at = clicks[len(clicks) // 2]
    by_time = get(client, game, "position", time_ms=at["time_ms"]).json()
    assert by_time["event"] > at["event"]
    assert by_time == get(client, game, "position", event=by_time["event"]).json()
    assert by_time["time_ms"] == at["time_ms"]
    assert get(client, game, "position", time_ms=-(10**8)).json()["event"] == 0


def test_the_ends_of_a_game(game: Replay, client: Client) -> None:
    begin, end = (get(client, game, "position", event=event).json() for event in (0, 10**8))
    assert set("".join(begin["rows"])) <= {".", "F", "?"}
    assert begin["steps"][-1]["rule"] == "guess"
    assert "".join(end["rows"]).count("F") + "".join(end["rows"]).count(".") == end["mines"]
    assert len(end["certain_mine"]) == end["mines"]
    assert end["steps"][-1]["rule"] != "guess"


def test_steps_are_in_the_language_of_the_reader(game: Replay, client: Client) -> None:
    event = get(client, game, "luck").json()["clicks"][5]["event"]
    texts = {}
    for language in ("en", "zh-hans"):
        with translation.override(None):
            address = f"/api/v1/replays/{game.pk}/position/?event={event}"
            texts[language] = client.get(address, headers={"Accept-Language": language}).json()["steps"][0]["text"]
    assert texts["en"] != texts["zh-hans"]


def test_neither_an_event_nor_a_time_is_refused(game: Replay, client: Client) -> None:
    def is_refused(query: str, code: str) -> None:
        response = client.get(f"/api/v1/replays/{game.pk}/position/?{query}")
        assert (response.status_code, response.json()["code"]) == (400, code)

    cases = [
        ("", "bad_parameter"), ("event=1&time_ms=2", "bad_parameter"), ("time_ms=", "bad_parameter"),
        ("event=x", "bad_parameter"), ("event=1.5", "bad_parameter"), ("event=--1", "bad_parameter"),
        ("event=1234567890", "bad_parameter"), ("event=٣", "bad_parameter"),
    ]  # fmt: skip
    check_each_on_site(is_refused, cases)


def test_a_lost_game_shows_its_mine_and_no_probabilities(ingest: Ingest, client: Client) -> None:
    lost = ingest(rawvf.write(played(board("....", ".*..", "....", "...*"), ("left", 0, 0), ("left", 1, 1))))
    body = get(client, lost, "position", event=10**6).json()
    assert (body["lost"], body["mine"], body["steps"]) == (True, None, None)
    assert body["rows"][1][1] == "*"
    luck = get(client, lost, "luck").json()
    assert [click["survived"] for click in luck["clicks"]] == [True, False]


@pytest.mark.parametrize("outcome", ["depend on each other", "too hard"])
def test_a_position_that_takes_too_long_is_reported(
    game: Replay, client: Client, monkeypatch: pytest.MonkeyPatch, outcome: str
) -> None:
    event = get(client, game, "luck").json()["clicks"][5]["event"]

    def calculated(*_arguments: object, **_options: object) -> None:
        if outcome == "too hard":
            raise Refusal("too_hard")

    monkeypatch.setattr(selectors, "calculate_for", calculated)
    kept.forget(game.sha256)  # the luck that was asked for above
    body = get(client, game, "position", event=event).json()
    assert (body["too_wide"], body["mine"], body["steps"]) == (True, None, None)
    if outcome == "too hard":
        luck = get(client, game, "luck").json()
        assert (luck["code"], luck["clicks"]) == ("limit_exceeded", [])


# --- permissions, caching and limits


@pytest.mark.parametrize("what", ["luck", "position"])
def test_unknown_and_hidden_replays(game: Replay, client: Client, owner: User, owner_client: Client, what: str) -> None:
    query = {"event": 0} if what == "position" else {}
    assert client.get(f"/api/v1/replays/{game.pk + 1}/{what}/", query).status_code == 404
    waiting = receive_one(game_file(9), name="a", uploader=owner, enqueue=False).replay_id
    for visitor in (client, owner_client):
        assert visitor.get(f"/api/v1/replays/{waiting}/{what}/", query).status_code == 404
    selectors._recording.cache_clear()
    file_store.delete(game.sha256)
    assert get(client, game, what, event=0).status_code == 404


@pytest.mark.parametrize("what", ["luck", "position"])
def test_a_client_that_has_the_response_gets_304(game: Replay, client: Client, what: str) -> None:
    first = get(client, game, what, event=40)
    assert first.headers["Cache-Control"] == "public, no-cache"
    assert "Accept-Language" in {name.strip() for name in first.headers["Vary"].split(",")}
    address = f"/api/v1/replays/{game.pk}/{what}/{'?event=40' if what == 'position' else ''}"
    again = client.get(address, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = {"If-None-Match": first.headers["ETag"], "Accept-Language": "zh-hans"}
    assert client.get(address, headers=other).status_code == 200


@pytest.mark.parametrize("version", ["VERSION", "LUCK_VERSION"])
@pytest.mark.parametrize("what", ["luck", "position"])
def test_a_version_that_rises_ends_what_clients_have(
    game: Replay, client: Client, what: str, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Times of clicks come from the reader and not from luck: they change with the version of the statistics."""
    tag = get(client, game, what, event=40).headers["ETag"]
    monkeypatch.setattr(f"replays.odds.positions.budget.{version}", 1_000)
    assert get(client, game, what, event=40).headers["ETag"] != tag


def test_too_many_requests_are_refused(game: Replay, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.odds.positions.budget.POSITION_LIMIT._rate", "2/minute")
    codes = [get(client, game, what, event=0).status_code for what in ("luck", "position", "position")]
    assert codes == [200, 200, 429]


@pytest.mark.parametrize("what", ["luck", "position"])
def test_a_response_takes_one_query(game: Replay, client: Client, what: str, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(1):
        get(client, game, what, event=10)
