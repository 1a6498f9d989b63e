"""The columns of a board that its reader chooses, and the board as a file."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

import pytest
from django.test import Client

from analysis.recording import Level
from players.leaderboards.board import Board
from players.leaderboards.boards import STYLES, board_key
from players.leaderboards.filters import BoardFilter
from players.leaderboards.pages.cells import age_days, age_text, gap_share, trends
from players.leaderboards.pages.columns import COLUMNS, NAMES, columns_on, columns_text, parse_columns
from players.leaderboards.pages.export import csv_cell
from players.leaderboards.ranks import page_at
from players.models import ALL_STYLES, Player, RecordEvent, User
from replays.models import Replay
from tests.cases import check_each_on_site
from tests.factories import EPOCH, stored_replay
from tests.pages.conftest import MakePlayers, rank
from tests.pages.html import Document
from tests.pages.test_boards import rows

BOARD = "/leaderboards/expert/time/"
ALL = ",".join(NAMES)
Settings = Any


def heads(client: Client, address: str) -> list[str]:
    """The heads of the columns after the value."""
    source = client.get(address).content.decode()
    found = re.findall(r"<th.*?</th>", source[source.index("<thead>") : source.index("</thead>")], re.DOTALL)
    texts = [Document(re.sub("<svg.*?</svg>", "", one)).text for one in found]
    assert texts[:2] == ["#", "Player"]
    return texts[3:]


def test_a_board_shows_the_columns_of_its_address(make_players: MakePlayers, client: Client) -> None:
    first, second = make_players(2)
    Player.objects.filter(pk=first.pk).update(country="DE")
    assert heads(client, BOARD) == ["Gap", "3BV", "3BV/s", "Style", "Date", "Watch"]
    assert heads(client, f"{BOARD}?columns=none") == []
    assert rows(client, f"{BOARD}?columns=style,bv,gap") == [
        f"1 Germany {first.name} 40.00 100 FL",
        f"2 {second.name} 41.11 +1.11 101 FL",
    ]
    page = Document(client.get(BOARD).content.decode())
    assert "Germany" in page.text
    assert [use["href"] for use in page.all("use") if "flags" in use["href"]] == ["/static/web/flags.svg#DE"]
    films = [link for link in page.all("a") if "data-embed" in link]
    assert [link["data-embed"] for link in films] == [f"/embed{link['href']}" for link in films]
    assert len(films) == 2


@pytest.mark.long(beside="tests/pages/test_board_columns.py::test_a_board_shows_the_columns_of_its_address")
def test_the_columns_stay_while_the_reader_walks_on(make_players: MakePlayers, client: Client) -> None:
    make_players(60)
    page = Document(client.get(f"{BOARD}?style=FL&columns=gap,age").content.decode())
    assert "/leaderboards/intermediate/time/?style=FL&columns=gap%2Cage" in page.links()
    assert any("cursor=" in link and "columns=gap%2Cage" in link for link in page.links())
    toggles = {link["href"] for link in page.all("a") if "toggle" in link.get("class", "")}
    assert "?style=FL&columns=gap" in toggles
    assert "?style=FL&columns=gap%2Cbv%2Cage" in toggles
    hidden = [field for field in page.all("input") if field.get("name") == "columns"]
    assert {field["value"] for field in hidden} == {"gap,age"}
    assert len(hidden) == 2  # filters, find
    found = client.get("/leaderboards/?level=expert&statistic=bvs&columns=gap")
    assert found.headers["Location"] == "/leaderboards/expert/bvs/?columns=gap"


def test_a_column_that_does_not_exist_is_told(client: Client, db: None) -> None:
    page = client.get(f"{BOARD}?columns=gap,nope")
    assert page.status_code == 400
    assert "Choose columns from:" in page.content.decode()
    problem = client.get(f"/api/v1{BOARD}?columns=nope")
    assert (problem.status_code, problem.json()["code"]) == (400, "bad_parameter")


def test_boards_have_the_columns_that_mean_something(make_players: MakePlayers, client: Client) -> None:
    make_players(2)
    for address, missing in (
        ("expert/time/?", set()),
        ("expert/bvs/?", {"bvs"}),
        ("expert/time/?style=NF&", {"style"}),
        ("expert/time/?best_of=5&", {"bv", "bvs", "style", "trend"}),
        ("expert/time/?period=2024&", {"trend"}),
        ("combined/time/?", {"bv", "bvs", "style", "film"}),
        ("sub/expert/60/?", {"bv", "bvs", "style", "film", "trend", "age"}),
    ):
        response = client.get(f"/leaderboards/{address}columns={ALL}")
        assert response.status_code == 200
        shown = {column.name for column in response.context["columns"]}
        assert shown == set(NAMES) - missing - {"completion"}, address


def test_an_account_remembers_its_columns(make_players: MakePlayers, owner: User, owner_client: Client) -> None:
    make_players(2)
    answer = owner_client.post("/leaderboards/columns/", {"columns": "date,gap", "next": f"{BOARD}?style=FL"})
    assert answer.headers["Location"] == f"{BOARD}?style=FL"
    owner.refresh_from_db()
    assert owner.board_columns == "gap,date"
    assert heads(owner_client, BOARD) == ["Gap", "Date"]
    assert heads(owner_client, f"{BOARD}?columns=bv") == ["3BV"]  # an address means the same to everybody
    assert heads(Client(), BOARD) == ["Gap", "3BV", "3BV/s", "Style", "Date", "Watch"]
    assert owner_client.post("/leaderboards/columns/", {"columns": "x"}).status_code == 400
    away = owner_client.post("/leaderboards/columns/", {"columns": "none", "next": "https://example.com/"})
    assert away.headers["Location"] == "/leaderboards/"
    assert heads(owner_client, BOARD) == []


def test_a_column_of_another_version_is_forgotten(make_players: MakePlayers, owner: User, owner_client: Client) -> None:
    make_players(1)
    User.objects.filter(pk=owner.pk).update(board_columns="gap,weather,bv")
    assert heads(owner_client, BOARD) == ["Gap", "3BV"]


def test_a_guest_gets_nothing_that_is_personal(make_players: MakePlayers, client: Client) -> None:
    """So that a cache may keep what guests get."""
    make_players(2)
    source = client.get(BOARD).content.decode()
    assert "/leaderboards/columns/" not in source
    assert "own-place" not in source


def test_names_of_columns_are_read_as_they_are_written() -> None:
    source = random.Random(4)
    for _ in range(50):
        names = source.sample(NAMES, source.randrange(len(NAMES) + 1))
        assert set(parse_columns(columns_text(names))) == set(names)
    longest = columns_text(NAMES)
    assert len(longest) <= (User._meta.get_field("board_columns").max_length or 0)


# --- what the cells say ---


@pytest.mark.long(beside="tests/pages/test_board_columns.py::test_the_share_of_a_distance")
def test_the_distance_to_the_leader(make_players: MakePlayers, client: Client) -> None:
    make_players(60)
    for statistic in ("time", "bvs"):
        address = f"/leaderboards/expert/{statistic}/"
        leader = client.get(f"/api/v1{address}").json()["rows"][0]["value"]
        cursor = client.get(f"/api/v1{address}?size=50").json()["next_cursor"]
        for query in ({}, {"cursor": cursor}, {"period": "2024"}, {"value": "50"}, {"best_of": "1", "country": "DE"}):
            for row in client.get(f"/api/v1{address}", query).json()["rows"]:
                assert row["gap"] == pytest.approx(abs(row["value"] - leader))
                assert row["gap_share"] == pytest.approx(1 - min(row["value"], leader) / max(row["value"], leader))
    combined = client.get("/api/v1/leaderboards/combined/time/").json()["rows"]
    assert combined[2]["gap"] == pytest.approx(3 * 2.22)
    last = Player.objects.get(name="Player 059")
    page = client.get(f"/api/v1{BOARD}?player={last.pk}").json()
    assert page["rows"][-1]["gap"] == pytest.approx(59 * 1.11)


@pytest.mark.parametrize(("value", "leader", "share"), [(60.0, 45.0, 0.25), (3.0, 4.0, 0.25), (0.0, 0.0, 0.0),
                                                        (0.0, 2.0, 1.0), (-1.0, 1.0, 1.0)])  # fmt: skip
def test_the_share_of_a_distance(value: float, leader: float, share: float) -> None:
    assert gap_share(value, leader) == share


@pytest.mark.parametrize(
    ("days", "text"),
    [(0, "today"), (1, "1 day"), (59, "59 days"), (60, "2 months"), (729, "24 months"), (1500, "4.1 years")],
)
def test_the_age_of_a_result(days: int, text: str) -> None:
    now = datetime(2026, 5, 1, 12, tzinfo=UTC)
    assert age_days(now - timedelta(days=days, hours=3), now) == days
    assert age_days(now + timedelta(days=9), now) == 0  # by a wrong clock
    assert age_text(days) == text


def test_a_trend_is_the_players_personal_bests(db: None, client: Client, django_assert_num_queries: Any) -> None:
    player, other = (Player.objects.create(name=name) for name in ("Ada", "Bob"))
    for number, time_ms in enumerate((60_000, 70_000, 55_000, 50_000)):
        rank(stored_replay(player, time_ms=time_ms, achieved_at=EPOCH + timedelta(days=number)))
        rank(stored_replay(player, Level.BEGINNER, time_ms=time_ms))
    rank(stored_replay(other, time_ms=45_000))
    with django_assert_num_queries(1):
        found = trends(board_key("expert", "time"), [player.pk, other.pk])
    assert found == {player.pk: [60.0, 55.0, 50.0], other.pk: [45.0]}
    steps = RecordEvent.objects.filter(kind="personal", player=player, statistic="time", level="expert", style="all")
    assert found[player.pk] == list(steps.order_by("id").values_list("new_value", flat=True))
    (line,) = Document(client.get(f"{BOARD}?columns=trend").content.decode()).all("svg")[-1:]
    assert any("3 personal bests, from 60.00 to 50.00" in svg.get("aria-label", "") for svg in
               Document(client.get(f"{BOARD}?columns=trend").content.decode()).all("svg"))  # fmt: skip
    assert line
    answer = client.get(f"/api/v1{BOARD}?columns=trend").json()["rows"]
    assert [row["trend"] for row in answer] == [[45.0], [60.0, 55.0, 50.0]]
    assert all("trend" not in row for row in client.get(f"/api/v1{BOARD}").json()["rows"])


def test_the_api_has_what_the_columns_show(make_players: MakePlayers, client: Client) -> None:
    make_players(2)
    row = client.get(f"/api/v1{BOARD}").json()["rows"][1]
    assert (row["bv"], row["bvs"], row["game_style"]) == (101, 101 / 41.11, "FL")
    assert row["age_days"] > 300
    average = client.get(f"/api/v1{BOARD}?best_of=1&period=2024").json()["rows"][0]
    assert average["bv"] == 100
    assert client.get("/api/v1/leaderboards/combined/time/").json()["rows"][0]["bv"] is None


# --- files ---


def file_rows(client: Client, address: str, **query: str) -> list[dict[str, str]]:
    response = client.get(f"/api/v1{address}rows.csv", query)
    assert response.status_code == 200
    assert response.streaming
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(io.StringIO(b"".join(response.streaming_content).decode("utf-8-sig"))))  # type: ignore[attr-defined]


def lines(client: Client, address: str, **query: str) -> list[dict[str, Any]]:
    response = client.get(f"/api/v1{address}rows.ndjson", query)
    assert response.headers["Content-Type"] == "application/x-ndjson"
    text = b"".join(response.streaming_content).decode()  # type: ignore[attr-defined]
    return [json.loads(line) for line in text.splitlines()]


def test_files_hold_the_rows_of_the_board(
    make_players: MakePlayers, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_players(7)
    monkeypatch.setattr("players.leaderboards.pages.export.MAX_PAGE_SIZE", 3)  # so that a file has several pages

    def holds_the_rows(address: str, query: dict[str, str]) -> None:
        board = client.get(f"/api/v1{address}", query).json()["rows"]
        as_lines, as_csv = lines(client, address, **query), file_rows(client, address, **query)
        assert [(one["rank"], one["player_id"], one["value"], one["replay"]) for one in as_lines] == [
            (row["rank"], row["player"]["id"], row["value"], row["replay"] and row["replay"]["id"]) for row in board
        ]
        assert [list(one) for one in as_csv] == [list(one) for one in as_lines]
        assert [float(one["value"]) for one in as_csv] == [one["value"] for one in as_lines]
        if "gap" in query.get("columns", "gap"):
            assert [one["gap"] for one in as_lines] == [row["gap"] for row in board]
        assert len(as_csv) == 7

    boards = (BOARD, "/leaderboards/combined/bvs/", "/leaderboards/sub/expert/99/")
    queries: tuple[dict[str, str], ...] = ({}, {"style": "FL", "columns": ALL}, {"period": "2024", "columns": "gap"})
    check_each_on_site(holds_the_rows, product(boards, queries))


ALWAYS = ["rank", "player_id", "player", "country", "value", "replay", "provisional"]
OF_LEVELS = ["beginner", "beginner_replay", "intermediate", "intermediate_replay", "expert", "expert_replay"]


def test_files_have_the_columns_that_were_asked_for(make_players: MakePlayers, client: Client) -> None:
    """Written out here, since both kinds of files are made from one list of names."""
    make_players(2)

    def has_the_columns(address: str, columns: str, fields: list[str]) -> None:
        query = {"columns": columns} if columns else {}
        assert [sorted(one) for one in lines(client, address, **query)] == [sorted(fields)] * 2
        assert [sorted(one) for one in file_rows(client, address, **query)] == [sorted(fields)] * 2

    cases = [
        (BOARD, "", [*ALWAYS, "gap", "bv", "bvs", "style", "achieved_at"]),
        (BOARD, "none", ALWAYS),
        (BOARD, ALL, [*ALWAYS, "gap", "bv", "bvs", "style", "trend", "achieved_at", "age_days"]),
        *((BOARD, name, [*ALWAYS, name]) for name in ("gap", "bv", "bvs", "style", "trend")),
        (BOARD, "date", [*ALWAYS, "achieved_at"]),
        (BOARD, "age", [*ALWAYS, "age_days"]),
        (BOARD, "film", ALWAYS),
        ("/leaderboards/combined/time/", ALL, [*ALWAYS, *OF_LEVELS, "gap", "trend", "achieved_at", "age_days"]),
        ("/leaderboards/sub/expert/99/", ALL, [*ALWAYS, "gap", "achieved_at"]),
    ]
    check_each_on_site(has_the_columns, cases)


def test_a_row_of_a_file_value_by_value(make_players: MakePlayers, client: Client) -> None:
    _first, second = make_players(2)
    Player.objects.filter(pk=second.pk).update(country="DE")
    row = lines(client, BOARD, columns=ALL)[1]
    replay, age = row.pop("replay"), row.pop("age_days")
    assert Replay.objects.get(pk=replay).player_id == second.pk
    assert age == (datetime.now(UTC) - (EPOCH + timedelta(days=1))).days
    assert row == {
        "rank": 2, "player_id": second.pk, "player": second.name, "country": "DE", "value": 41.11, "provisional": False,
        "gap": pytest.approx(1.11), "bv": 101, "bvs": pytest.approx(101 / 41.11), "style": "FL", "trend": [41.11],
        "achieved_at": (EPOCH + timedelta(days=1)).isoformat(),
    }  # fmt: skip


def test_a_file_has_a_limit(make_players: MakePlayers, client: Client) -> None:
    make_players(5)
    assert len(lines(client, BOARD, limit="3")) == 3
    for query in ({"limit": "0"}, {"limit": "10001"}, {"columns": "x"}, {"cursor": "x"}):
        assert client.get(f"/api/v1{BOARD}rows.csv", query).status_code == 400
    for address in (f"{BOARD}rows.xls", "/leaderboards/hard/time/rows.csv", "/leaderboards/sub/expert/1/rows.csv"):
        assert client.get(f"/api/v1{address}").status_code == 404


def test_files_are_limited_by_visitor(
    make_players: MakePlayers, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_players(1)
    monkeypatch.setattr("players.leaderboards.pages.export.EXPORT_LIMIT._rate", "2/hour")
    codes = [client.get(f"/api/v1{BOARD}rows.csv").status_code for _ in range(3)]
    assert codes == [200, 200, 429]


def test_a_file_is_there_for_those_who_ask_for_its_type(make_players: MakePlayers, client: Client) -> None:
    make_players(1)
    for kind, accept in (("csv", "text/csv"), ("ndjson", "application/x-ndjson"), ("csv", "text/html")):
        response = client.get(f"/api/v1{BOARD}rows.{kind}", headers={"accept": accept})
        assert response.status_code == 200
        assert "attachment" in response.headers["Content-Disposition"]


def test_names_are_no_formulas(db: None, client: Client) -> None:
    """The attack: a name that a spreadsheet would run, also one that reads the file with other separators."""

    def is_no_formula(name: str) -> None:
        cell = csv_cell(name)
        for separator in (",", ";", "\t"):
            for part in str(cell).split(separator):
                assert not part.lstrip(' \t\r\n"|').startswith(tuple("=+-@＝＋－＠"))
        player = Player.objects.create(name=name)
        rank(stored_replay(player))
        (row,) = file_rows(client, BOARD)
        assert row["player"] == csv_cell(player.shown_name)
        (line,) = lines(client, BOARD)
        assert line["player"] == player.shown_name  # JSON needs no care

    names = (
        "=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1+1", "  =1+1", "＝1+1", 'x";=1+1', "a;=1+1", "a,=1+1",
        "\r\n=1+1", "a\t@b",
    )  # fmt: skip
    check_each_on_site(is_no_formula, names)


def test_plain_names_and_numbers_stay_as_they_are() -> None:
    for value in ("Ada", "扫雷机器人", "Anna-Maria", "a.b", "O'Neil", -1.5, 3, "2024-01-01T00:00:00+00:00"):
        assert csv_cell(value) == value


def test_a_slow_reader_costs_nothing_until_they_read(
    make_players: MakePlayers, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages are read from the database as the file is read."""
    make_players(7)
    monkeypatch.setattr("players.leaderboards.pages.export.MAX_PAGE_SIZE", 2)
    asked = 0

    def counted(board: Board, **options: Any) -> Any:
        nonlocal asked
        asked += 1
        return page_at(board, **options)

    monkeypatch.setattr("players.leaderboards.pages.export.page_at", counted)
    parts = iter(client.get(f"/api/v1{BOARD}rows.ndjson").streaming_content)  # type: ignore[attr-defined]
    assert asked == 1
    next(parts)
    assert asked == 1
    assert len(list(parts)) == 3
    assert asked == 4


def test_every_column_has_a_label() -> None:
    assert all(str(column.label) and str(column.title) for column in COLUMNS)
    every = {column.name for style in STYLES for column in columns_on(Board(*board_key("expert", "time", style)))}
    assert every == set(NAMES) - {"completion"}
    lost = {
        column.name for column in columns_on(Board(*board_key("expert", "stnb", lost=True), BoardFilter(lost=True)))
    }
    assert lost == set(NAMES) - {"trend"}
    assert "style" not in {column.name for column in columns_on(Board(*board_key("expert", "time", "NF")))}
    assert ALL_STYLES in STYLES


def test_the_way_back_is_an_address_of_ours_and_never_a_name(owner_client: Client) -> None:
    for target in ("0", "home", "a b", "//evil.example/", "https://evil.example/", "javascript:alert(1)", "\r\nX: 1"):
        response = owner_client.post("/leaderboards/columns/", {"columns": "gap", "next": target})
        assert response.status_code == 302, target
        assert "evil" not in response["Location"]
        assert not response["Location"].startswith("javascript")
