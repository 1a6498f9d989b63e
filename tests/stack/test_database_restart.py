"""PostgreSQL is stopped, and started again, under a web process: 503 meanwhile, never 500, and then all as before."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection

from tests.conftest import SERVICES
from tests.services import wait_until
from tests.stack.web import Visitor, Web
from tests.worker import Worker

pytestmark = [
    pytest.mark.stack,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not SERVICES.restarts_database, reason="PostgreSQL is not ours to stop"),
]

PATHS = ("/replays/", "/api/v1/replays/", "/leaderboards/expert/time/", "/api/v1/leaderboards/expert/time/")


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    made = Web(tmp_path / "web.log", Worker(tmp_path / "unused").environment() | {"LOG_FORMAT": "json"})
    made.start()
    yield made
    made.stop()


def statuses(visitor: Visitor) -> Counter[int]:
    return Counter(visitor.get(path).status for path in PATHS)


@pytest.mark.long(beside="tests/players/web/test_server_errors.py::test_pages_say_come_back")
def test_a_restart_is_503_and_never_500(web: Web) -> None:
    visitor = Visitor(web.port)
    assert statuses(visitor) == {200: len(PATHS)}
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]  # this process has idle connections too
    for _ in range(3):
        SERVICES.restart_database("fast")
        assert statuses(visitor) == {200: len(PATHS)}, "idle connections that were ended are replaced"
    with SERVICES.database_is_stopped():
        assert statuses(visitor) == {503: len(PATHS)}
        assert visitor.get("/healthz").status == 503
    wait_until(lambda: statuses(visitor) == {200: len(PATHS)}, seconds=60, what="the site with its database")
    visitor.close()
    lines = [json.loads(line) for line in web.text().splitlines() if line.startswith("{")]
    asked = [line for line in lines if line["logger"] == "sweepbook.requests" and line["route"] != "/healthz"]
    assert {line["status"] for line in asked} == {200, 503}
    assert {line.get("problem") for line in asked if line["status"] == 503} == {"database_away"}
    assert "uvicorn.access" not in {line["logger"] for line in lines}
    assert all(line["request_id"] and line["address"] == "127.0.0.1" for line in asked)
