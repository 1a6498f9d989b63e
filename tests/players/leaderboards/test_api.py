"""The REST interface of boards, players and records."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.test import Client
from django.utils.html import escape

from analysis.recording import Level
from analysis.sources import SOURCES
from analysis.statistics import CLASSIC_LEVELS, RANKED, STATISTICS, VERSION
from players.leaderboards.boards import COMBINED, STYLES, all_boards
from players.models import Player, User
from players.people.services import players_for_names
from tests.api_schema import api_schema
from tests.cases import check_each_on_site
from tests.factories import EPOCH, rank_replays, stored_replay

pytestmark = pytest.mark.django_db


@pytest.fixture
def trio() -> list[Player]:
    """Three players on the classic levels; Ada and Bob tie on Expert, Bob was first."""
    players = list(players_for_names(["Ada", "Bob", "Eve"]).values())
    for player, expert_ms, day in zip(players, (38_990, 38_990, 39_000), (2, 1, 0), strict=True):
        when = EPOCH + datetime.timedelta(days=day)
        for level, time_ms in zip(CLASSIC_LEVELS, (5_000, 20_160, expert_ms), strict=True):
            rank_replays([stored_replay(player, level, time_ms=time_ms, bv=112, achieved_at=when)])
    return players


def get(path: str, status: int = 200, client: Client | None = None, **query: Any) -> Any:
    response = (client or Client()).get(f"/api/v1/{path}", query)
    assert response.status_code == status, response.content
    assert response["Content-Type"] == ("application/json" if status < 400 else "application/problem+json")
    return response.json()


# --- boards ---


@pytest.mark.long(beside="tests/players/leaderboards/test_api.py::test_lists_take_a_constant_number_of_statements")
def test_the_index_lists_every_board() -> None:
    rows = get("leaderboards/")["rows"]
    won = [row for row in rows if row["result"] == "won"]
    assert {(row["level"], row["statistic"], style) for row in won for style in row["styles"]} == {
        (key.level, key.row.public, key.style) for key in all_boards()
    }
    for row in rows:
        assert Client().get(row["url"]).status_code == 200


def test_a_board_with_shared_ranks(trio: list[Player]) -> None:
    board = get("leaderboards/expert/time/")
    assert [(row["rank"], row["player"]["name"], row["value"], row["text"]) for row in board["rows"]] == [
        (1, "Bob", 38.99, "38.99"), (1, "Ada", 38.99, "38.99"), (3, "Eve", 39.0, "39.00"),
    ]  # fmt: skip
    assert (board["level"], board["statistic"], board["style"]) == ("expert", "time", "all")
    assert board["own_row"] is None
    assert "parts" not in board["rows"][0]


def test_values_are_raw_and_texts_rounded_half_up(trio: list[Player]) -> None:
    row = get("leaderboards/intermediate/bvs/")["rows"][0]
    assert row["value"] == 112 / 20.16
    assert row["text"] == "5.556"


def test_pages_of_a_board(trio: list[Player]) -> None:
    first = get("leaderboards/expert/time/", size=2)
    second = get("leaderboards/expert/time/", size=2, cursor=first["next_cursor"])
    assert [row["rank"] for row in first["rows"] + second["rows"]] == [1, 1, 3]
    assert second["next_cursor"] is None
    assert get("leaderboards/expert/time/", size=2, cursor=second["previous_cursor"])["rows"] == first["rows"]


def test_the_combined_board_has_parts(trio: list[Player]) -> None:
    row = get("leaderboards/combined/time/")["rows"][0]
    assert (row["player"]["name"], row["text"], row["replay"]) == ("Bob", "64.15", None)
    assert {level: part["text"] for level, part in row["parts"].items()} == {
        "beginner": "5.00", "intermediate": "20.16", "expert": "38.99",
    }  # fmt: skip


def test_sub40_counts_38_99_and_not_39_00(trio: list[Player]) -> None:
    board = get("leaderboards/sub/expert/40/")
    assert [(row["rank"], row["player"]["name"], row["text"]) for row in board["rows"]] == [
        (1, "Bob", "1"),
        (1, "Ada", "1"),
    ]
    assert len(get("leaderboards/sub/expert/41/")["rows"]) == 3
    assert get("leaderboards/sub/expert/40/", style="NF")["rows"] == []


def test_the_own_row(trio: list[Player], owner: User, owner_client: Client) -> None:
    rank_replays([stored_replay(owner.player, level, time_ms=99_000) for level in CLASSIC_LEVELS])
    for path in ("leaderboards/expert/time/", "leaderboards/combined/time/", "leaderboards/sub/expert/200/"):
        board = get(path, client=owner_client, size=1)
        assert board["own_row"]["player"]["name"] == "owner"
        assert board["own_row"]["rank"] == (4 if path.endswith("time/") else 1)


def test_what_does_not_exist_is_404() -> None:
    def is_refused(path: str) -> None:
        response = get(path, status=404)
        assert set(response) == {"type", "title", "status", "detail", "code"}
        assert response["detail"]

    cases = [
        "leaderboards/custom/time/", "leaderboards/expert/nope/",
        "leaderboards/beginner-9x9/stnb/", "leaderboards/combined/cl/", "leaderboards/sub/expert/1/",
        "leaderboards/sub/expert/99999999999999999999/", "leaderboards/sub/nope/40/", "players/0/",
        "players/99999999999999999999/", "records/?player=12345",
    ]  # fmt: skip
    check_each_on_site(is_refused, cases)


def test_a_bad_parameter_is_400() -> None:
    def is_refused(path: str, name: str, value: str) -> None:
        query: dict[str, Any] = {name: value}
        response = get(path, status=400, **query)
        assert response["code"] in {"bad_cursor", "bad_parameter"}
        assert response["detail"]

    paths = ["leaderboards/expert/time/", "leaderboards/combined/time/", "leaderboards/sub/expert/9/",
                                  "players/", "records/"]  # fmt: skip
    name_cases = [("cursor", "x"), ("cursor", "\x00"), ("size", "x"), ("size", "-1"),
                                             ("size", "9" * 30), ("size", "²")]  # fmt: skip
    check_each_on_site(is_refused, [(path, *name_case) for path in paths for name_case in name_cases])


def test_a_value_or_a_name_that_no_parameter_has_is_400() -> None:
    def is_refused(path: str) -> None:
        assert get(path, status=400)["code"] == "bad_parameter"

    cases = [
        "records/?kind=x", "records/?player=x", "records/?statistic=cl", "records/?style=x", "records/?size=0",
        "leaderboards/expert/time/?style=none", "leaderboards/expert/time/?stile=NF", "players/?unheard=of",
    ]  # fmt: skip
    check_each_on_site(is_refused, cases)


def test_pages_are_never_larger_than_the_limit(trio: list[Player]) -> None:
    assert len(get("leaderboards/expert/time/", size=200)["rows"]) == 3
    errors = get("leaderboards/expert/time/", 400, size=201)["errors"]
    assert list(errors) == ["size"]
    assert "200" in errors["size"]


# --- players ---


def test_players_are_found_by_how_they_begin(trio: list[Player]) -> None:
    rows = get("players/", q="b")["rows"]
    assert [row["player"]["name"] for row in rows] == ["Bob"]
    assert rows[0]["times"]["expert"]["text"] == "38.99"
    assert len(get("players/")["rows"]) == 3
    page = get("players/", size=2)
    assert [row["player"]["name"] for row in get("players/", size=2, cursor=page["next_cursor"])["rows"]] == ["Eve"]


def test_a_player(trio: list[Player]) -> None:
    body = get(f"players/{trio[0].pk}/")
    assert (body["name"], body["claimed"]) == ("Ada", False)
    assert body["identities"] == [{"name": "Ada", "shown_name": "Ada", "state": "unclaimed"}]
    best = {(row["level"], row["statistic"], row["style"]): row for row in body["bests"]}
    assert best["expert", "time", "all"]["rank"] == 1
    assert best["combined", "time", "FL"]["text"] == "64.15"
    assert body["sub_ladders"]["expert"][0]["n"] == 40
    assert body["sub_ladders"]["expert"][0]["games_in_second"] == 1


def test_the_sub_ladder_of_a_style(trio: list[Player]) -> None:
    path = f"players/{trio[0].pk}/"
    assert get(path, style="FL")["sub_ladders"] == get(path)["sub_ladders"]
    assert get(path, style="NF")["sub_ladders"] == {}
    assert get(path, 400, style="best")["code"] == "bad_parameter"


def test_records(trio: list[Player]) -> None:
    rows = get("records/", statistic="time")["rows"]
    assert {row["kind"] for row in rows} == {"site"}
    assert [row["player"]["name"] for row in rows] == ["Ada"] * 4
    assert [row["level"] for row in rows] == [COMBINED, "expert", "intermediate", "beginner"]
    personal = get("records/", kind="personal", player=trio[1].pk, statistic="time", size=2)
    assert [(row["text"], row["old_value"], row["rank_before"], row["rank_after"]) for row in personal["rows"]] == [
        ("64.15", None, None, 1), ("38.99", None, None, 1),
    ]  # fmt: skip
    assert personal["next_cursor"] is not None


# --- statements ---


def test_lists_take_a_constant_number_of_statements(trio: list[Player], django_assert_num_queries: Any) -> None:
    for path, count in [
        ("leaderboards/", 0), ("leaderboards/expert/time/", 2), ("leaderboards/combined/time/", 4),
        ("leaderboards/sub/expert/100/", 4), ("records/holders/", 4), ("players/", 2), (f"players/{trio[0].pk}/", 14),
        ("records/?kind=personal", 1), ("statistics/", 0),
    ]:  # fmt: skip
        with django_assert_num_queries(count):
            get(path)


# --- the registry and the schema ---


def test_the_registry_is_returned_in_full() -> None:
    body = get("statistics/")
    assert body["version"] == VERSION
    assert [row["name"] for row in body["rows"]] == [row.public for row in STATISTICS]
    for row, statistic in zip(body["rows"], STATISTICS, strict=True):
        for name in ("formula", "unit", "decimals", "ranked", "stored", "integer"):
            assert row[name] == (None if getattr(statistic, name) == "" else getattr(statistic, name))
        assert row["source"] == statistic.source.name
        assert row["better"] == statistic.better.value
        assert row["levels"] == [level.value for level in statistic.levels]
    assert {row["name"] for row in body["rows"] if row["ranked"]} == {row.public for row in RANKED}
    assert [row["name"] for row in body["sources"]] == [source.name for source in SOURCES]
    page = Client().get("/statistics/").content.decode()
    for source in body["sources"]:
        assert escape(source["title"]) in page
        assert escape(source["address"] or "") in page


def test_the_schema_has_boards_players_and_records() -> None:
    paths = {"/api/v1/leaderboards/sub/{level}/{n}/", "/api/v1/players/{id}/", "/api/v1/records/"}
    assert paths <= set(api_schema()["paths"])


def test_every_style_is_served(trio: list[Player]) -> None:
    for style in STYLES:
        assert get("leaderboards/expert/time/", style=style)["style"] == style
    assert Level.CUSTOM not in {row["level"] for row in get("leaderboards/")["rows"]}
