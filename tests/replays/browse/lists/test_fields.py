"""``fields=``: only what is asked for is in the response, and little else is read."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from analysis.recording import Level
from players.models import Player
from replays.browse.lists.serializers import STATISTIC_COLUMNS, ReplayDetailSerializer, ReplaySerializer
from replays.models import Replay
from tests.cases import check_each_on_site
from tests.factories import stored_replay
from tests.pages.conftest import board_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def replay() -> Replay:
    return stored_replay(Player.objects.create(name="Ada"), board=board_of(Level.EXPERT))


def asked(client: Client, address: str, fields: str) -> Any:
    response = client.get(address, {"fields": fields})
    assert response.status_code == 200, response.content
    return response.json()


def test_the_chosen_fields_alone(client: Client, replay: Replay) -> None:
    whole = client.get("/api/v1/replays/").json()["rows"][0]
    for fields, names in (("id", {"id"}), (" id , player,links", {"id", "player", "links"}), ("id,id", {"id"})):
        body = asked(client, "/api/v1/replays/", fields)
        assert set(body) == {"rows", "next_cursor", "previous_cursor"}
        assert body["rows"] == [{name: whole[name] for name in names}]
    for address in ("/api/v1/replays/", f"/api/v1/replays/{replay.pk}/"):
        body = asked(client, address, "statistics.time,statistics.zinis,id")
        row = body["rows"][0] if "rows" in body else body
        assert row == {"id": replay.pk, "statistics": {name: whole["statistics"][name] for name in ("time", "zinis")}}
        body = asked(client, address, "statistics,statistics.time")
        assert (body["rows"][0] if "rows" in body else body) == {"statistics": whole["statistics"]}


def test_every_field_can_be_asked_for_alone(client: Client, replay: Replay) -> None:
    for address, serializer in (
        ("/api/v1/replays/", ReplaySerializer), (f"/api/v1/replays/{replay.pk}/", ReplayDetailSerializer),
    ):  # fmt: skip
        whole = client.get(address).json()
        whole = whole["rows"][0] if "rows" in whole else whole
        assert set(whole) == set(serializer().fields)
        for name in whole:
            body = asked(client, address, name)
            assert (body["rows"][0] if "rows" in body else body) == {name: whole[name]}, name


def test_unknown_fields_are_refused(client: Client, replay: Replay) -> None:
    def is_refused(fields: str) -> None:
        for address in ("/api/v1/replays/", f"/api/v1/replays/{replay.pk}/"):
            response = client.get(address, {"fields": fields})
            assert response.status_code == 400
            assert response.json()["code"] == "bad_parameter"
            assert set(response.json()["errors"]) == {"fields"}
        assert client.get(f"/api/v1/replays/{replay.pk}/", {"nonsense": "1"}).status_code == 400

    cases = ["nonsense", "id,", ",", "player.name", "player__user", "statistics.", "statistics.rzini", "statistics.player", "_state"]  # fmt: skip
    check_each_on_site(is_refused, cases)


@pytest.mark.parametrize("fields", ["id", "statistics.time,player", "statistics.zinis", "likes", "statistics"])
def test_a_list_reads_only_what_is_chosen(
    client: Client, replay: Replay, monkeypatch: pytest.MonkeyPatch, fields: str
) -> None:
    read, rows = set[str](), list[Replay]()
    real = Replay.from_db

    def from_db(db: Any, names: Any, values: Any) -> Replay:
        read.update(names)
        rows.append(real(db, names, values))
        return rows[-1]

    monkeypatch.setattr(Replay, "from_db", from_db)
    query = {"fields": fields, "level": "expert", "sort": "-bvs"}
    with CaptureQueriesContext(connection) as queries:
        assert client.get("/api/v1/replays/", query).status_code == 200
    assert len(queries) == 1
    chosen = fields.split(",")
    columns = {
        column
        for name, column in STATISTIC_COLUMNS.items()
        if not {"statistics", f"statistics.{name}"}.isdisjoint(chosen)
    }
    assert read & set(STATISTIC_COLUMNS.values()) == {*columns, "bvs"}, "the last one to sort by"
    assert [hasattr(row, "likes_count") for row in rows] == ["likes" in chosen]


def test_what_is_not_chosen_of_a_replay_is_not_computed(client: Client, replay: Replay) -> None:
    def statements(fields: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            asked(client, f"/api/v1/replays/{replay.pk}/", fields)
        return len(queries)

    assert statements("id,statistics") == 1
    assert statements("likes") == 2
    assert statements("") > statements("id,equals") == 1, "of a play in one file"


def test_pages_of_a_sorted_list_with_chosen_fields(client: Client, replay: Replay) -> None:
    """The cursor needs the column by which it sorts, whatever is chosen."""
    more = [stored_replay(replay.player, time_ms=1_000 * seconds) for seconds in (10, 20, 30)]
    seen: list[int] = []
    cursor = ""
    while True:
        query = {"level": "expert", "sort": "time", "fields": "id,statistics.bv", "size": "2", "cursor": cursor}
        with CaptureQueriesContext(connection) as queries:
            body = client.get("/api/v1/replays/", query).json()
        assert len(queries) == 1
        seen += [row["id"] for row in body["rows"]]
        cursor = body["next_cursor"]
        if cursor is None:
            break
    assert seen == [*(row.pk for row in more), replay.pk]
