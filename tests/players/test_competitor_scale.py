"""Faults of another site that do not scale to ten million replays (§2 of its study), each with a test.

Those with the name of a file are tested there; the others here.

=============================== =======================================================================================
fault there                     test that it is not ours
=============================== =======================================================================================
replay list loads every match   a_page_loads_what_it_shows; tests/replays/browse/lists/test_lists: a_page_is_one_query
unbounded size, deep OFFSET     no_page_is_longer_than_the_limit; test_keyset: pages_cover_every_row_once…
no composite index, filesort    every_ranked_statistic_has_its_index; tests/replays/browse/lists/test_lists:
                                pages_are_served_by_an_index; test_plans: every_page_is_served_by_an_index
player page holds all replays   pages_do_not_grow_with_the_replays
start page sends all newest     pages_do_not_grow_with_the_replays
review queue is public, unpaged tests/pages/test_judgements: the_queue_is_for_staff_alone, the_queue_pages_by_keyset…,
                                the_queue_is_read_from_its_partial_indexes
60 queries a player to rebuild  a_rebuild_takes_as_many_statements_for_many_players
duplicates by scan and by disk  a_duplicate_is_found_by_an_index
staff scan all names            the_replays_of_a_name_are_found_by_an_index
sums of the site in requests    visitors_do_not_wait_for_counts; tests/replays/upload/processing/test_tasks:
                                the_counts_of_the_start_page_are_refreshed_by_beat
files keep workers busy         tests/replays/test_api: the_original_bytes_come_back_safely (304 once a browser has them)
parsing inside of requests      an_upload_is_answered_before_anybody_reads_it;
                                tests/replays/upload/processing/test_analyse_again: all
counters lose updates           test_parallel: sixteen_workers_lose_nothing; test_concurrency
Redis is written before SQL     a_rolled_back_change_is_nowhere; tests/stack/test_flush
wide rows of 120 columns        a_game_writes_rows_of_its_own_boards_alone
schema is made at deployment    tests/config/test_project: every_change_of_a_model_has_its_migration
=============================== =======================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from analysis.recording import Level
from players.leaderboards.services import rebuild_boards
from players.models import CombinedBest, PersonalBest, Player, RankChange, RecordEvent, SecondCount
from replays.browse.lists.filters import OF_ONE_RESULT, SORT_ROWS, ReplayFilters, replay_list
from replays.models import Replay
from replays.tasks import count_site
from tests.caches import clear_caches
from tests.factories import rank_replays, receive_one, replay_of, stored_replay
from tests.pages.conftest import board_of
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.games import game_file

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tables_swept")]

MANY = 260


def more_games(player: Player, count: int) -> None:
    """Games that are not on any board."""
    board = board_of(Level.EXPERT)
    Replay.objects.bulk_create(replay_of(player, time_ms=60_000 + number, board=board) for number in range(count))


@contextmanager
def loaded(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The ids of the replays that are loaded as model instances."""
    made: list[int] = []
    real: Callable[..., Replay] = Replay.from_db

    def counted(*arguments: Any) -> Replay:
        made.append(1)
        return real(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(Replay, "from_db", counted)
        yield made


def plan_of(sql: str) -> str:
    """The plan with sequential scans disabled."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN {sql}")
        return "\n".join(line for (line,) in cursor.fetchall())


def test_a_page_loads_what_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    more_games(Player.objects.create(name="Ada"), MANY)
    with loaded(monkeypatch) as made, CaptureQueriesContext(connection) as queries:
        assert len(replay_list(ReplayFilters({"level": "expert"}, "time"), size=20).rows) == 20
    assert len(made) == 21  # one more than shown, to know whether there is another page
    assert len(queries) == 1


@pytest.mark.long(beside="tests/players/test_competitor_scale.py::test_a_page_loads_what_it_shows")
@pytest.mark.parametrize("path", ["/api/v1/replays/", "/api/v1/leaderboards/expert/time/", "/api/v1/players/"])
def test_no_page_is_longer_than_the_limit(path: str, client: Client) -> None:
    crowd = Player.objects.bulk_create(Player(name=f"p{number}") for number in range(MANY))
    rank_replays(Replay.objects.bulk_create(replay_of(player, board=board_of(Level.EXPERT)) for player in crowd))
    assert client.get(path, {"size": "1000000"}).status_code == 400
    assert len(client.get(path, {"size": "200"}).json()["rows"]) == 200 < MANY


def test_every_sortable_statistic_has_its_index() -> None:
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, Replay._meta.db_table)
    columns = [entry["columns"][:3] for entry in found.values() if entry["index"]]
    wanted = {
        row.name: ["level", "result", row.name] if row in OF_ONE_RESULT else ["level", row.name, "id"]
        for row in SORT_ROWS
    }
    assert [name for name, first in wanted.items() if first not in columns] == []


@pytest.mark.long(beside="tests/pages/test_queries.py::test_lists_take_a_fixed_number_of_statements")
@pytest.mark.parametrize("page", ["/", "/players/{}/", "/api/v1/players/{}/"])
def test_pages_do_not_grow_with_the_replays(page: str, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    player = Player.objects.create(name="Ada")
    rank_replays([stored_replay(player, board=board_of(Level.EXPERT))])
    more_games(player, 30)
    sizes = []
    for _ in range(2):
        clear_caches()
        with loaded(monkeypatch) as made:
            response = client.get(page.format(player.pk))
        assert response.status_code == 200
        sizes.append((len(made), len(response.content)))
        more_games(player, MANY)
    (few_made, few_bytes), (many_made, many_bytes) = sizes
    assert few_made == many_made
    assert abs(few_bytes - many_bytes) < 500  # numbers have more digits


def test_a_rebuild_takes_as_many_statements_for_many_players() -> None:
    players = Player.objects.bulk_create(Player(name=f"p{number}") for number in range(30))
    rank_replays(
        Replay.objects.bulk_create(
            replay_of(player, level) for player in players for level in (Level.BEGINNER, Level.EXPERT)
        )
    )
    counts = []
    for some in (players[:2], players):
        PersonalBest.objects.all().delete()
        with CaptureQueriesContext(connection) as queries:
            rebuild_boards([player.pk for player in some])
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 20


def test_a_duplicate_is_found_by_an_index() -> None:
    """There by a scan for files of the same size, each of which is then read from the disk."""
    stored_replay(None)
    receive_one(b"a file", name="a", uploader=None, enqueue=False)
    with CaptureQueriesContext(connection) as queries:
        receive_one(b"a file", name="b", uploader=None, enqueue=False)
    reads = [query["sql"] for query in queries if query["sql"].startswith("SELECT")]
    assert reads
    for sql in reads:
        assert "Seq Scan" not in plan_of(sql)
    assert "Seq Scan" not in plan_of("SELECT id FROM replays_replay WHERE game_hash = 'a'")


def test_the_replays_of_a_name_are_found_by_an_index() -> None:
    more_games(Player.objects.create(name="Ada"), 5)
    for condition in ("player_id = 1 AND identifier = 'Ada'", "uploader_id = 1 AND identifier = 'Ada'"):
        assert "Seq Scan" not in plan_of(f"SELECT id FROM replays_replay WHERE {condition}")  # noqa: S608 - our own


def test_visitors_do_not_wait_for_counts(client: Client) -> None:
    """There the first visitor, and all who come meanwhile, wait for five GROUP BYs of whole tables."""
    count_site()  # Celery beat calls it every minute
    with CaptureQueriesContext(connection) as queries:
        assert client.get("/").status_code == 200
    whole_tables = [query["sql"] for query in queries if "COUNT(" in query["sql"] and "WHERE" not in query["sql"]]
    assert whole_tables == []


def test_an_upload_is_answered_before_anybody_reads_it(owner_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analysis.formats.read", lambda _data: pytest.fail("a request reads a replay"))
    file = SimpleUploadedFile("game.rawvf", game_file())
    assert owner_client.post("/api/v1/replays/", {"file": file}, format="multipart").status_code == 202
    assert Replay.objects.get().status == Replay.Status.QUEUED


def test_a_rolled_back_change_is_nowhere(django_capture_on_commit_callbacks: Any) -> None:
    player = Player.objects.create(name="Ada")

    def change_and_fail() -> None:
        with transaction.atomic():
            receive_one(game_file(), name="game.rawvf", uploader=None)
            rank_replays([stored_replay(player, level) for level in (Level.BEGINNER, Level.INTERMEDIATE, Level.EXPERT)])
            raise ZeroDivisionError

    with django_capture_on_commit_callbacks() as messages, pytest.raises(ZeroDivisionError):
        change_and_fail()
    assert messages == []
    for table in (Replay, PersonalBest, CombinedBest, SecondCount, RecordEvent, RankChange):
        assert not table._default_manager.exists()


def test_a_game_writes_rows_of_its_own_boards_alone() -> None:
    """There each record is some columns of a row of 120, which is written and read as a whole."""
    player = Player.objects.create(name="Ada")
    rank_replays([stored_replay(player, Level.BEGINNER)])
    before = dict(PersonalBest.objects.values_list("pk", "replay"))
    rank_replays([stored_replay(player, Level.EXPERT)])
    assert dict(PersonalBest.objects.filter(pk__in=before).values_list("pk", "replay")) == before
    assert set(PersonalBest.objects.exclude(pk__in=before).values_list("level", flat=True)) == {"expert"}
