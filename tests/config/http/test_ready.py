"""/readyz names what does not work, to whoever asks the process, and costs one look a second."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.staticfiles.finders import find
from django.db import OperationalError, ProgrammingError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from config import signs_of_life
from config.asgi import application as asgi
from config.http import vitals
from players.web import counters
from replays.models import Replay, file_store, store_mark
from replays.play.referee.lease import LIFE_MS, Lease
from tests.config.http.test_application import Exchange
from tests.factories import receive_one
from tests.replays.conftest import store as store
from tests.replays.games import game_file
from tests.services import Broker, wait_until

pytestmark = pytest.mark.django_db(transaction=True)

ADDRESSES = ("/healthz", "/readyz")


@pytest.fixture
def server(broker: Broker, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The broker, with fresh signs of everybody; that of the referee outlives the test, too."""
    client = signs_of_life.client()
    monkeypatch.setitem(signs_of_life._LIVES_MS, signs_of_life.REFEREE, signs_of_life._SIGN_MS)
    for name in (signs_of_life.BEAT, signs_of_life.WORKERS, signs_of_life.REFEREE):
        signs_of_life._give(name)
    yield client
    client.close()


def ask(path: str = "/readyz", **headers: str) -> tuple[int, dict[str, Any]]:
    vitals.forget()
    answer = Client().get(path, headers=headers)
    return answer.status_code, json.loads(answer.content)


def test_all_is_well(server: Any) -> None:
    status, said = ask()
    assert status == 200
    assert said.pop("ages").keys() == {"beat", "workers", "referee", "oldest_queued"}
    assert said == {
        "status": "ready", "failing": [], "faulty_files": 0, **dict.fromkeys(vitals._PARTS, True),
    }  # fmt: skip


@pytest.mark.parametrize("name", [signs_of_life.BEAT, signs_of_life.WORKERS])
def test_who_gives_no_sign_is_named(server: Any, name: str, settings: Settings) -> None:
    settings.READY_AGE_SECONDS = 40
    server.pexpire(signs_of_life._KEYS[name], signs_of_life._SIGN_MS - 20_000)
    status, said = ask()
    assert (status, said["failing"]) == (200, [])
    assert 20 <= said["ages"][name] < 40
    server.pexpire(signs_of_life._KEYS[name], signs_of_life._SIGN_MS - 41_000)
    assert ask()[1]["failing"] == [name]
    server.delete(signs_of_life._KEYS[name])
    status, said = ask()
    assert (status, said["failing"], said["ages"][name]) == (503, [name], None)


def test_a_referee_without_a_lease_is_named(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its lease ends seconds after it was killed."""
    monkeypatch.setitem(signs_of_life._LIVES_MS, signs_of_life.REFEREE, LIFE_MS)
    server.delete("play:referee:0")
    assert ask()[1]["failing"] == ["referee"]
    lease = Lease(server, 0, "a referee")
    wait_until(lambda: lease.take() and ask()[0] == 200, seconds=60, what="a referee with a lease")


def test_signs_are_seen_within_a_minute_by_default(settings: Settings) -> None:
    """The longest pause between two signs, the age at which somebody is missed, and the second of the cache."""
    pauses = [entry["schedule"] for entry in settings.CELERY_BEAT_SCHEDULE.values()]
    pause = min(one for one in pauses if isinstance(one, float))
    assert 2 * pause < settings.READY_AGE_SECONDS, "somebody who lives is named"
    assert settings.READY_AGE_SECONDS + vitals._KEEP_SECONDS < 60


def test_without_its_broker_nothing_else_is_guessed(server: Any, broker: Broker) -> None:
    broker.stop()
    status, said = ask()
    assert (status, said["failing"], said["broker"]) == (503, ["broker"], False)


def test_without_its_database_the_rest_is_told(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(seconds: int) -> None:
        raise OperationalError("password of sweepbook at 10.1.2.3")

    monkeypatch.setattr(vitals, "own_connection", refuse)
    status, said = ask()
    assert (status, said["failing"]) == (503, ["database"])
    assert "10.1.2.3" not in json.dumps(said)


def test_files_that_are_not_seen_are_named(server: Any, settings: Settings) -> None:
    store_mark.mark_store()
    options = {**settings.STORAGES["replays"]["OPTIONS"], "location": "/nonexistent"}
    settings.STORAGES = {**settings.STORAGES, "replays": {**settings.STORAGES["replays"], "OPTIONS": options}}
    assert_named("files", healthz=503)


def test_a_store_that_does_not_answer_is_named(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every process misses it: with all of them down, nobody would see the pages that need no file."""
    store_mark.mark_store()
    monkeypatch.setattr(file_store.ReplayFileStorage, "exists", raising(RuntimeError("EndpointConnectionError")))
    assert_named("store", healthz=200)


def test_static_files_that_were_not_prepared_are_named(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vitals, "staticfiles_storage", SimpleNamespace(hashed_files={}))
    vitals._has_static_files.cache_clear()
    assert_named("static_files", healthz=503)
    vitals._has_static_files.cache_clear()


def test_migrations_that_were_not_applied_are_named(server: Any) -> None:
    MigrationRecorder(connection).record_unapplied("replays", "0001_initial")
    try:
        assert_named("migrations", healthz=503)
    finally:
        MigrationRecorder(connection).record_applied("replays", "0001_initial")


def test_tables_that_are_not_there_are_no_outage(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before: “the database does not answer”, of a database that was not migrated."""
    monkeypatch.setattr(MigrationRecorder, "applied_migrations", lambda self: {})
    monkeypatch.setattr(vitals, "waiting_since", raising(ProgrammingError("relation does not exist")))
    assert_named("migrations", healthz=503)


def test_a_full_disk_of_the_database_is_named(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real statement, of which the server says what it says on a full disk: it reads on."""
    full = "DO $$BEGIN RAISE 'could not write to file: No space left on device' USING ERRCODE = 'disk_full'; END$$"
    monkeypatch.setattr(vitals, "_WRITE_A_FILE", full)
    assert_named("database_room", healthz=200)


def test_the_question_about_room_writes_a_file(server: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT temp_bytes FROM pg_stat_database WHERE datname = current_database()")
        (before,) = cursor.fetchone()
        cursor.execute(vitals._WRITE_A_FILE)
        cursor.execute("SELECT pg_stat_force_next_flush()")
        cursor.execute("SELECT temp_bytes FROM pg_stat_database WHERE datname = current_database()")
        assert cursor.fetchone()[0] > before
        cursor.execute("RESET work_mem")


def test_static_files_have_the_names_that_pages_use() -> None:
    """Those of packages too, whose folders have a prefix: a site with all its files was down for every load balancer."""
    names = list(vitals.static_names())
    assert len(names) > 500
    assert [name for name in names if find(name) is None] == []


def test_polls_count_as_no_errors(
    server: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vitals, "has_room", lambda: False)
    vitals.forget()
    counters.forget()
    for path in ADDRESSES:
        Exchange("GET", path).run(asgi, b"")
    assert not [record for record in caplog.records if "readyz" in record.getMessage() and record.levelname == "ERROR"]
    assert not [name for name, *_labels in counters._series if name in ("refusals", "requests")]


def assert_named(name: str, *, healthz: int) -> None:
    status, said = ask()
    assert (status, said["failing"]) == (503, [name])
    status, said = ask("/healthz")
    assert (status, said["failing"]) == (healthz, [name])
    assert said["status"] == ("degraded" if healthz == 200 else "down")


def raising(error: Exception) -> Callable[..., Any]:
    def fail(*_arguments: object, **_options: object) -> Any:
        raise error

    return fail


def test_the_upload_that_waits_longest_is_told(server: Any, settings: Settings) -> None:
    settings.READY_QUEUE_SECONDS = 100
    assert ask()[1]["ages"]["oldest_queued"] is None
    for number, minutes in ((1, 1), (2, 2)):
        receive_one(game_file(number), name="a", uploader=None, enqueue=False)
        row = Replay.objects.latest("pk")
        # The sweep sets `claimed_at` again and again: it does not tell how long an upload waits.
        Replay.objects.filter(pk=row.pk).update(uploaded_at=timezone.now() - timedelta(minutes=minutes))
    status, said = ask()
    assert (status, said["failing"]) == (503, ["queue"])
    assert 119 <= said["ages"]["oldest_queued"] < 600
    Replay.objects.update(status="done")
    assert ask()[0] == 200


# --- who may ask ---


@pytest.mark.parametrize("path", ADDRESSES)
@pytest.mark.parametrize("host", ["10.0.0.7:8000", "a-machine-of-ours", "a b"])
def test_a_direct_question_is_answered_whatever_its_host(server: Any, settings: Settings, path: str, host: str) -> None:
    """Before: 400 because of the host, and 301 to https."""
    settings.SECURE_SSL_REDIRECT = True
    assert ask(path, host=host)[0] == 200
    assert Client().get("/", headers={"host": host}).status_code == 400
    assert Client().get("/").status_code == 301


@pytest.mark.parametrize("path", ADDRESSES)
def test_a_question_changes_and_sets_nothing(server: Any, path: str) -> None:
    assert Client().post(path).status_code == 405
    answer = Client().get(path)
    assert answer.cookies == {}
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "no-cache" in answer["Cache-Control"]


def test_a_thousand_questions_are_one_look(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[vitals.Vitals] = []

    def look() -> vitals.Vitals:
        looks.append(vitals.Vitals())
        return looks[-1]

    monkeypatch.setattr("config.http.vitals.time.monotonic", lambda: 100.0)
    monkeypatch.setattr(vitals, "_measured", look)
    vitals.forget()
    client = Client()
    for path in ADDRESSES * 50:
        client.get(path)
    assert len(looks) == 1


def test_a_look_that_takes_long_holds_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others are told what was found before."""
    now, may_end, began = [100.0], threading.Event(), threading.Event()
    found = iter([vitals.Vitals(database=True), vitals.Vitals()])

    def look() -> vitals.Vitals:
        if now[0] > 100:
            began.set()
            assert may_end.wait(60)
        return next(found)

    monkeypatch.setattr("config.http.vitals.time.monotonic", lambda: now[0])
    monkeypatch.setattr(vitals, "_measured", look)
    vitals.forget()
    assert vitals.vitals().database
    now[0] = 110.0
    slow = threading.Thread(target=vitals.vitals)
    slow.start()
    assert began.wait(60)
    assert vitals.vitals().database, "it waited, or knew nothing"
    may_end.set()
    slow.join(60)
    assert not vitals.vitals().database
