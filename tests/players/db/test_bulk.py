"""``bulk`` stores what the ORM stores."""

from __future__ import annotations

import datetime
import random
from typing import Any

import pytest
from django.db import DataError, IntegrityError, connection, transaction

from players.db import bulk
from players.db.select import Row
from players.models import PersonalBest, Player, RecordEvent
from replays.models import Replay
from tests.factories import EPOCH, replay_of, stored_replay

pytestmark = pytest.mark.django_db

KEY = ("player_id", "statistic", "level", "style")
REST = ("value", "rank_key", "replay_id", "achieved_at")
EVENT = ("kind", *KEY, "old_value", "new_value", "rank_after", "replay_id", "happened_at")
#: Texts that have a meaning in arrays, in SQL or in formats of parameters.
HARD_TEXTS = ["", "NULL", "null", '"', "\\", "{}", "a,b", "%s %(x)s", "' OR 1=1 --", " lead", "長\u2028\u00a0", "\t\n"]


@pytest.fixture
def replay() -> Replay:
    return stored_replay(Player.objects.create(name="Ada"))


def test_no_rows_take_no_statement(django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        assert bulk.insert(RecordEvent, EVENT, [], returning=("id",)) == []
        assert bulk.upsert(PersonalBest, KEY, REST, [], returning=("id",)) == []
        bulk.update(Replay, ("status",), [])


def test_inserted_rows_come_back_in_their_order(replay: Replay) -> None:
    rows = [
        ("site", replay.player_id, "time", "expert", "all", old, float(number), 1, replay.pk, EPOCH)
        for number, old in enumerate([None, 1.5, None, -0.1] * 50)
    ]
    found = bulk.insert(RecordEvent, EVENT, rows, returning=("new_value", "id"))
    assert [value for value, _ in found] == [row[6] for row in rows]
    stored = dict(RecordEvent.objects.values_list("id", "new_value"))
    assert stored == {pk: value for value, pk in found}
    assert list(RecordEvent.objects.order_by("id").values_list(*EVENT)) == rows


def test_an_upsert_inserts_what_is_new_and_writes_over_what_is_there(replay: Replay) -> None:
    def row(statistic: str, value: float, days: int = 0) -> Row:
        when = EPOCH + datetime.timedelta(days=days)
        return (replay.player_id, statistic, "expert", "all", value, -value, replay.pk, when)

    first: dict[str, int] = dict(
        bulk.upsert(PersonalBest, KEY, REST, [row("time", 3.0), row("bvs", 2.0)], ("statistic", "id"))
    )
    second: dict[str, int] = dict(
        bulk.upsert(PersonalBest, KEY, REST, [row("stnb", 7), row("time", 1.0, 5)], ("statistic", "id"))
    )
    assert second["time"] == first["time"]
    stored = PersonalBest.objects.order_by("statistic").values_list(*KEY, *REST)
    assert list(stored) == [row("bvs", 2.0), row("stnb", 7.0), row("time", 1.0, 5)]


def test_an_update_writes_only_the_columns_and_rows_that_it_names() -> None:
    rows = [stored_replay(None, identifier=f"name {number}") for number in range(3)]
    before = _rows()
    changed = [(rows[2].pk, "two", 2.5), (rows[0].pk, "zero", None), (10**9, "nobody", 0.0)]
    bulk.update(Replay, ("identifier", "stnb"), changed)
    expected = [
        before[0] | {"identifier": "zero", "stnb": None},
        before[1],
        before[2] | {"identifier": "two", "stnb": 2.5},
    ]
    assert _rows() == expected


def _rows() -> list[dict[str, Any]]:
    """Every column but the one that a trigger writes."""
    return [{**row, "updated_at": None} for row in Replay.objects.order_by("id").values()]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_column_of_a_replay_is_stored_as_the_orm_stores_it(seed: int) -> None:
    """Two rows with the same values are equal: one is saved by the ORM and one written by a bulk update."""
    source = random.Random(seed)
    findings = [{"code": "x", "params": {"name": text}} for text in HARD_TEXTS]
    options: dict[str, Any] = {
        "source": source, "board": source.randbytes(60), "findings": findings, "reject_params": {"a": [1, None, "é"]},
        "identifier": source.choice(HARD_TEXTS), "software": "\\x00", "played_at": EPOCH, "values": {"ios": None},
    }  # fmt: skip
    by_orm = stored_replay(None, **options)
    plain = Replay.objects.create(sha256="0" * 64, size_bytes=1, uploaded_at=EPOCH)
    names = [
        field.attname
        for field in Replay._meta.concrete_fields
        if field.attname not in {"id", "sha256", "game_hash", "updated_at"}  # unique, or of a trigger
    ]
    bulk.update(Replay, names, [(plain.pk, *(getattr(by_orm, name) for name in names))])
    twins = [Replay.objects.values(*names).get(pk=pk) for pk in (by_orm.pk, plain.pk)]
    for twin in twins:
        twin["board"] = bytes(twin["board"])
    assert twins[0] == twins[1]


def test_texts_arrive_as_they_are(replay: Replay) -> None:
    rows = [stored_replay(None) for _ in HARD_TEXTS]
    bulk.update(
        Replay, ("identifier", "software"), [(row.pk, text, text) for row, text in zip(rows, HARD_TEXTS, strict=True)]
    )
    stored = Replay.objects.filter(pk__gt=replay.pk).order_by("id").values_list("identifier", "software")
    assert list(stored) == [(text, text) for text in HARD_TEXTS]


def test_enums_and_whole_numbers_mix_with_texts_and_floats() -> None:
    rows = [stored_replay(None), stored_replay(None)]
    bulk.update(Replay, ("status", "stnb"), [(rows[0].pk, Replay.Status.DONE, 3), (rows[1].pk, "rejected", 2.5)])
    assert list(Replay.objects.order_by("id").values_list("status", "stnb")) == [("done", 3.0), ("rejected", 2.5)]


def test_extremes_of_floats_survive() -> None:
    values = [1e308, 5e-324, 0.1 + 0.2, 2.0**53 + 2]
    rows = [stored_replay(None) for _ in values]
    bulk.update(Replay, ("stnb",), [(row.pk, value) for row, value in zip(rows, values, strict=True)])
    stored = Replay.objects.order_by("id").values_list("stnb", flat=True)
    assert [value.hex() for value in stored if value is not None] == [value.hex() for value in values]


def test_a_unique_key_that_is_taken_is_an_error_of_the_orm(replay: Replay) -> None:
    twin = replay_of(None)
    columns = [field.attname for field in Replay._meta.concrete_fields if field.attname not in {"id", "updated_at"}]
    row = tuple(replay.sha256 if name == "sha256" else getattr(twin, name) for name in columns)
    with pytest.raises(IntegrityError), transaction.atomic():
        bulk.insert(Replay, columns, [row])
    assert Replay.objects.count() == 1


def test_a_text_that_is_too_long_is_refused_and_not_cut(replay: Replay) -> None:
    with pytest.raises(DataError), transaction.atomic():
        bulk.update(Replay, ("identifier",), [(replay.pk, "x" * 256)])
    replay.refresh_from_db()
    assert replay.identifier == "Ada"


def test_only_the_transaction_that_calls_it_commits_without_waiting() -> None:
    def setting() -> str:
        with connection.cursor() as cursor:
            cursor.execute("SHOW synchronous_commit")
            (value,) = cursor.fetchone()
        return str(value)

    with connection.cursor() as cursor:
        cursor.execute("SET SESSION synchronous_commit = on")
    point = transaction.savepoint()
    bulk.commit_without_waiting()
    assert setting() == "off"
    transaction.savepoint_rollback(point)
    assert setting() == "on"


def test_a_thousand_rows_take_one_statement(replay: Replay, django_assert_max_num_queries: Any) -> None:
    rows = [
        ("personal", replay.player_id, "time", "expert", "all", None, 1.0, 1, replay.pk, EPOCH) for _ in range(1_000)
    ]
    with django_assert_max_num_queries(1):
        bulk.insert(RecordEvent, EVENT, rows)
    assert RecordEvent.objects.count() == 1_000
