"""Statements in a pipeline."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import DatabaseError
from django.db.models import QuerySet

from players.db.pipeline import pipeline, send, send_sql, send_sql_for_ids
from players.models import Player

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 5, 1, 12, 30, 59, 250_000, tzinfo=UTC)
NAMES = f"SELECT id, name FROM {Player._meta.db_table} WHERE name <> %s AND id IN ({{ids}}) ORDER BY id"  # noqa: S608 - our own name


def listed(**conditions: Any) -> QuerySet[Player, Any]:
    return Player.objects.filter(**conditions).order_by("id").values_list("id", "name", "is_bot", "created_at")


@pytest.fixture
def players() -> list[Player]:
    """Five of them, one an hour; the last two share a name."""
    names = ["Ada", "100 %s", "Grace", "Zoë", "Zoë"]
    made = [Player.objects.create(name=name, is_bot=name == "Grace") for name in names]
    for hour, player in enumerate(made):
        Player.objects.filter(pk=player.pk).update(created_at=NOON + timedelta(hours=hour))
    return made


def test_a_values_list_is_read_as_the_orm_reads_it(players: list[Player]) -> None:
    conditions: list[dict[str, Any]] = [
        {"name": "Ada"}, {"name": "100 %s"}, {"name": "nobody"}, {"created_at__gte": NOON}, {"id__in": []},
    ]  # fmt: skip
    for condition in conditions:
        assert send(listed(**condition))() == list(listed(**condition))


def test_results_of_a_pipeline_may_be_read_in_any_order(players: list[Player]) -> None:
    with pipeline():
        first, second, third = (send(listed(name=name)) for name in ("Ada", "Zoë", "Grace"))
        others = Player.objects.filter(name="Ada").count()
        assert [len(result()) for result in (third, first, second)] == [1, 1, 2]
    assert others == 1
    assert Player.objects.count() == len(players)


def test_a_datetime_of_plain_sql_is_a_datetime(players: list[Player]) -> None:
    sql = f"SELECT id, created_at FROM {Player._meta.db_table} WHERE id = %s"  # noqa: S608 - our own name
    assert send_sql(sql, [players[0].pk])() == [(players[0].pk, NOON)]


def test_a_statement_about_ids(players: list[Player]) -> None:
    ids = [player.pk for player in players[:3]]
    assert send_sql_for_ids(NAMES, ids, "Ada")() == [(ids[1], "100 %s"), (ids[2], "Grace")]
    assert send_sql_for_ids(NAMES, [], "Ada")() == []


def first_values(*statements: str) -> list[Any]:
    """The first column of the first row of each statement, sent in one pipeline."""
    with pipeline():
        results = [send_sql(sql, []) for sql in statements]
        return [result()[0][0] for result in results]


@pytest.mark.django_db(transaction=True)
def test_an_error_is_raised_by_the_result_and_the_connection_is_usable_afterwards() -> None:
    with pytest.raises(DatabaseError):
        first_values("SELECT 1", "SELECT no_such_column", "SELECT 2")
    assert first_values("SELECT 3", "SELECT 4") == [3, 4]
    assert send_sql("SELECT 5", [])() == [(5,)]


def send_and_fail() -> None:
    with pipeline():
        send_sql("SELECT 1", [])
        send_sql("SELECT 2", [])
        raise LookupError


@pytest.mark.django_db(transaction=True)
def test_an_exception_before_the_results_leaves_the_connection_usable(players: list[Player]) -> None:
    with pytest.raises(LookupError):
        send_and_fail()
    assert Player.objects.count() == len(players)
