"""The questions of `docs/data.md`, asked of a dump, have the answers of the site."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import duckdb
import pytest
from django.db.models import Count, Min
from django.test import Client

from players.leaderboards.history.selectors import history_key, player_progression
from players.models import ALL_STYLES, Player, User
from replays.browse.data.services import make_dump
from replays.models import Replay
from tests.replays.browse.data.site import fill, walk
from tests.replays.conftest import store as store

pytestmark = pytest.mark.django_db(transaction=True)

DOCUMENT = Path(__file__).resolve().parents[4] / "docs" / "data.md"
QUESTIONS = re.findall(r"^```sql\n(.*?)^```", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)


@pytest.fixture
def answers(staff: User, monkeypatch: pytest.MonkeyPatch) -> list[list[tuple[Any, ...]]]:
    """The answers of DuckDB to each question of the document, in the folder of a dump."""
    fill(1, staff)
    monkeypatch.chdir(make_dump())
    return [duckdb.execute(question).fetchall() for question in QUESTIONS]


def test_the_questions_have_the_answers_of_the_site(answers: list[list[tuple[Any, ...]]], client: Client) -> None:
    levels, sub_60, record, personal = answers
    by_level = Replay.objects.filter(status="done", ranked=True).order_by("level").values_list("level")
    assert [row[:3] for row in levels] == list(by_level.annotate(Count("pk"), Min("time")))
    assert all(best <= median for _level, _games, best, median in levels)

    board = walk(client, "leaderboards/sub/expert/60/?size=200")
    expected = {(row["player"]["name"], row["player"]["country"]): row["value"] for row in board}
    assert len(sub_60) > 2
    assert [games for *_, games in sub_60] == sorted(expected.values(), reverse=True)[:10]
    assert all(expected[name, country] == games for name, country, games in sub_60)

    history = walk(client, "records/?level=expert&statistic=time")[::-1]
    assert len(record) > 1
    assert [row[1:] for row in record] == [
        (row["player"]["name"], row["old_value"], row["new_value"]) for row in history
    ]

    key = history_key("expert", "time", ALL_STYLES)
    steps = [
        (player.pk, step.old_value, step.value)
        for player in Player.objects.filter(merged_into=None).order_by("pk")
        for step in player_progression(player, key)
    ]
    assert any(old is not None for _player, old, _new in steps)
    assert [(player, old, new) for player, _date, old, new in personal] == steps


@pytest.mark.long(beside="tests/replays/browse/data/test_docs.py::test_the_questions_have_the_answers_of_the_site")
def test_the_counts_are_the_totals_of_the_api(staff: User, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(2, staff)
    dump = make_dump()
    monkeypatch.chdir(dump)
    levels = duckdb.execute("SELECT level, ranked, count(*) FROM 'replays.ndjson.gz' GROUP BY ALL").fetchall()
    assert len(levels) > 2
    for level, ranked, games in levels:
        rows = walk(client, f"replays/?level={level}&ranked={str(ranked).lower()}&size=50")
        assert len({row["id"] for row in rows}) == games, (level, ranked)
    totals = {name: _count(name) for name in ("replays", "players", "records")}
    assert totals == {
        "replays": len(walk(client, "replays/?size=50")),
        "players": len(walk(client, "players/?size=50")),
        "records": sum(len(walk(client, f"records/?style={style}&size=50")) for style in ("all", "NF", "FL")),
    }
    (told,) = client.get("/api/v1/data/").json()["dumps"]
    rows_told = {one["name"]: one["rows"] for one in told["files"]}
    assert {name: rows_told[f"{name}.ndjson.gz"] for name in totals} == totals


def _count(name: str) -> int:
    return duckdb.read_json(f"{name}.ndjson.gz").shape[0]


def test_the_example_of_the_page_runs(staff: User, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(1, staff)
    monkeypatch.chdir(make_dump())
    (example,) = re.findall(r"<pre[^>]*><code>(SELECT .*?)</code>", client.get("/data/").content.decode())
    rows = duckdb.execute(html.unescape(example)).fetchall()
    assert sum(games for _level, games, _best in rows) == Replay.objects.filter(status="done", ranked=True).count()


def test_the_document_names_every_file_of_a_dump(store: Path) -> None:
    named = set(re.findall(r"^\| `([\w.]+)`", DOCUMENT.read_text(), re.MULTILINE))
    assert named == {path.name for path in make_dump().iterdir()}
