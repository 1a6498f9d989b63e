"""A database that is away is 503 with the time to wait, wherever a request meets it; any other error is 500."""

from __future__ import annotations

import json
import logging
from typing import Any

import psycopg
import psycopg_pool
import pytest
from django.db import InterfaceError, OperationalError, ProgrammingError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import DatabaseErrorWrapper
from django.test import Client

from config.asgi import application as asgi
from players.db.outage import RETRY_SECONDS, is_outage
from tests.config.http.test_application import Exchange

AWAY = (
    psycopg.OperationalError("connection refused"), psycopg.errors.AdminShutdown("57P01"),
    psycopg.errors.CrashShutdown("57P02"), psycopg.errors.CannotConnectNow("57P03"),
    psycopg.errors.TooManyConnections("53300"), psycopg.errors.ConnectionFailure("08006"),
    psycopg.InterfaceError("the connection is closed"), psycopg_pool.PoolTimeout("couldn't get a connection"),
)  # fmt: skip
NOT_AWAY = (
    psycopg.errors.DeadlockDetected("40P01"), psycopg.errors.QueryCanceled("57014"), psycopg.errors.DiskFull("53100"),
    psycopg.errors.UndefinedTable("42P01"), psycopg.errors.LockNotAvailable("55P03"),
)  # fmt: skip


def as_django_has_it(error: Exception) -> Exception:
    """Wrap an error of the driver as Django does."""
    try:
        with DatabaseErrorWrapper(connection):
            raise error
    except Exception as wrapped:
        return wrapped


@pytest.mark.parametrize("error", AWAY, ids=lambda error: type(error).__name__)
def test_a_database_that_is_away_is_recognised(error: Exception) -> None:
    found = as_django_has_it(error)
    assert isinstance(found, OperationalError | InterfaceError)
    assert is_outage(found)
    later = ValueError("while it was handled")
    later.__context__ = found
    assert is_outage(later)


@pytest.mark.parametrize("error", NOT_AWAY, ids=lambda error: type(error).__name__)
def test_a_refused_statement_is_no_outage(error: Exception) -> None:
    assert not is_outage(as_django_has_it(error))


@pytest.mark.parametrize("error", [None, ValueError(), OperationalError("no such table: x"), ProgrammingError()])
def test_other_errors_are_none(error: Exception | None) -> None:
    assert not is_outage(error)


@pytest.fixture
def no_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """No statement can be sent, as while PostgreSQL restarts."""

    def fail(*_given: Any, **_more: Any) -> Any:
        raise OperationalError("connection refused") from psycopg.OperationalError("connection refused")

    monkeypatch.setattr(BaseDatabaseWrapper, "cursor", fail)


@pytest.fixture
def visitor() -> Client:
    client = Client(raise_request_exception=False)
    client.cookies["sessionid"] = "a" * 32  # reading it is the first question to the database, in a middleware
    return client


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path", ["/", "/replays/", "/leaderboards/expert/time/", "/account/", "/replays/1/", "/admin/"]
)
def test_pages_say_come_back(no_database: None, visitor: Client, path: str, caplog: pytest.LogCaptureFixture) -> None:
    answer = visitor.get(path)
    assert answer.status_code == 503
    assert answer["Retry-After"] == str(RETRY_SECONDS)
    assert "no-store" in answer["Cache-Control"]
    assert b"connection refused" not in answer.content
    assert f'http-equiv="refresh" content="{RETRY_SECONDS}"'.encode() in answer.content
    records = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert [record.levelname for record in records] == ["WARNING"], "one line, without a traceback"
    assert records[0].exc_info is None


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api/v1/replays/", "/api/v1/replays/1/", "/api/v1/leaderboards/expert/time/"])
def test_the_api_says_so_as_a_problem(no_database: None, visitor: Client, path: str) -> None:
    answer = visitor.get(path, headers={"Authorization": f"Bearer swb_{'0' * 64}"})
    assert (answer.status_code, answer["Content-Type"]) == (503, "application/problem+json")
    assert answer["Retry-After"] == str(RETRY_SECONDS)
    assert json.loads(answer.content)["code"] == "database_away"


@pytest.mark.django_db(transaction=True)
def test_a_large_upload_is_told_before_it_is_read(no_database: None) -> None:
    asked = Exchange(
        "POST", "/api/v1/replays/", (b"content-length", b"9999999"), (b"authorization", b"Bearer swb_" + b"0" * 64)
    )
    asked.run(asgi, b"x")
    assert asked.status == 503
    assert (b"retry-after", str(RETRY_SECONDS).encode()) in asked.headers
    assert json.loads(asked.body)["code"] == "database_away"


@pytest.mark.django_db
def test_another_error_is_500(monkeypatch: pytest.MonkeyPatch, visitor: Client) -> None:
    def fail(*_given: Any, **_more: Any) -> Any:
        raise OperationalError("no such table") from None

    monkeypatch.setattr(BaseDatabaseWrapper, "cursor", fail)
    assert visitor.get("/replays/").status_code == 500
