"""Tests of who is analysed next: accounts take turns, a few files come before batches, imports come last."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from players.models import User
from replays.models import Replay
from replays.tasks import analyse
from replays.upload.intake.services import receive_many
from replays.upload.processing import services
from replays.upload.processing.compute import compute_results
from replays.upload.processing.queue import ANALYSE
from replays.upload.processing.stale import replays_requeue
from replays.upload.processing.turns import FEW, Lane, take_turns
from tests.effort import amount
from tests.replays.games import game_file
from tests.replays.sent_tasks import sent_ids

pytestmark = pytest.mark.django_db


def account(name: str) -> User:
    return User.objects.create_user(name)


def send(uploader: User | None, *contents: bytes) -> list[int]:
    """The ids of the new rows of one request, in its order."""
    receipts = receive_many([("a", data) for data in contents], uploader=uploader, enqueue=False)
    return [receipt.replay_id for receipt in receipts if receipt.replay_id is not None]


def texts(name: str, count: int, size: int = 100) -> list[bytes]:
    """Files that differ."""
    return [f"{name} {number}".encode().ljust(size, b".") for number in range(count)]


def order() -> list[int]:
    """All rows that wait, in their turns."""
    waiting = Replay.objects.filter(status=Replay.Status.QUEUED)
    return list(waiting.order_by("turn", "id").values_list("pk", flat=True))


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The ids of analysed rows, in their order."""
    ids: list[int] = []

    def noting(replays: Sequence[Replay]) -> Any:
        ids.extend(replay.pk for replay in replays)
        return compute_results(replays)

    monkeypatch.setattr(services, "compute_results", noting)
    return ids


def test_a_single_upload_does_not_wait_for_somebody_elses_heap(analysed: list[int]) -> None:
    heap = send(account("heap"), *texts("heap", 60))
    (single,) = send(account("single"), b"single")
    analyse(heap)
    assert analysed.index(single) == 0
    analyse([single])  # a task does as much work as it was sent for: this one finds the last of the heap
    assert sorted(analysed) == sorted([*heap, single])


def test_who_comes_while_a_task_runs_waits_for_a_few_of_its_rows(
    analysed: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "CLAIMED_BYTES", 1_000)
    heap, later = send(account("heap"), *texts("heap", 40)), account("later")
    single: list[int] = []

    def compute_and_receive(replays: Sequence[Replay]) -> Any:
        found = compute_results(replays)
        analysed.extend(replay.pk for replay in replays)
        if not single:
            single.extend(send(later, b"single"))
        return found

    monkeypatch.setattr(services, "compute_results", compute_and_receive)
    analyse(heap)
    analyse(single)
    assert analysed.index(single[0]) == 10  # as many as fit into what a worker claims at a time
    assert sorted(analysed) == sorted(heap + single)


def test_accounts_with_batches_take_turns() -> None:
    first = send(account("first"), *texts("first", 10))
    second = send(account("second"), *texts("second", 4))
    assert order() == [first[0], first[1], second[0], first[2], second[1], first[3], second[2], first[4], second[3], *first[5:]]  # fmt: skip


def test_an_account_that_comes_back_stands_behind_its_own_rows_and_beside_those_of_others() -> None:
    one, other = account("one"), account("other")
    begun = send(one, *texts("begun", 6))
    Replay.objects.filter(pk__in=begun[:4]).update(status=Replay.Status.RUNNING)
    rest = send(other, *texts("rest", 4))
    more = send(one, *texts("more", 4))
    assert order() == [begun[4], begun[5], rest[0], rest[1], more[0], rest[2], more[1], rest[3], more[2], more[3]]


def test_large_files_of_a_request_come_last_and_count_for_more() -> None:
    large = send(account("large"), *texts("large", 5, 500_000), b"small")
    little = send(account("little"), *texts("little", 20))
    found = order()
    assert found[0] == large[5]
    assert next(place for place, pk in enumerate(found) if pk in large[:5]) > 10
    assert found.index(little[-1]) < found.index(large[2])


def test_few_files_come_before_batches_but_only_a_few_of_each_account() -> None:
    patient, hasty = account("patient"), account("hasty")
    batch = send(patient, *texts("batch", 10))
    singles = [pk for data in texts("single", 30) for pk in send(hasty, data)]
    own = send(patient, b"one more")
    found = order()
    assert set(found[: FEW + 1]) == {*singles[:FEW], *own}
    assert found.index(batch[0]) == FEW + 1
    rest = found[FEW + 1 :]
    assert rest[:6] == [batch[0], batch[1], singles[FEW], batch[2], singles[FEW + 1], batch[3]]


def test_visitors_without_an_account_share_their_turns() -> None:
    singles = [pk for data in texts("single", 6) for pk in send(None, data)]
    turns = dict(Replay.objects.values_list("pk", "turn"))
    assert [turns[pk] < Lane.BATCH.first_turn for pk in singles] == [True] * FEW + [False] * (6 - FEW)


def test_imports_and_what_the_site_queues_again_wait_behind_people(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.rawvf").write_bytes(game_file(number + 1))
    call_command("import_replays", str(tmp_path), "--no-wait")
    imported = order()
    (rejected,) = send(None, b"rejected")
    Replay.objects.filter(pk=rejected).update(status=Replay.Status.REJECTED)
    replays_requeue([rejected])
    batch = send(account("batch"), *texts("batch", 10))
    (single,) = send(account("single"), b"single")
    assert order()[:11] == [single, *batch]
    assert set(order()[11:]) == {*imported, rejected}


@pytest.mark.parametrize("state", [{"attempts": 1}, {"status": Replay.Status.RUNNING, "attempts": 1}])
def test_rows_that_were_tried_before_are_not_among_others(analysed: list[int], state: dict[str, Any]) -> None:
    """A file that kills its worker must not affect others."""
    tried, *others = send(None, *texts("a", 4))
    Replay.objects.filter(pk=tried).update(claimed_at=timezone.now(), **state)
    analyse(others)
    assert sorted(analysed) == others


def test_a_tried_row_is_analysed_alone_by_its_own_task(monkeypatch: pytest.MonkeyPatch) -> None:
    tried, *others = send(None, *texts("a", 4))
    Replay.objects.filter(pk=tried).update(attempts=1)
    groups: list[list[int]] = []

    def noting(replays: Sequence[Replay]) -> Any:
        groups.append([replay.pk for replay in replays])
        return compute_results(replays)

    monkeypatch.setattr(services, "compute_results", noting)
    analyse([tried])
    assert groups == [others, [tried]]


def test_one_task_analyses_all_and_the_others_write_nothing() -> None:
    ids = send(None, *(game_file(number) for number in range(1, 7)))
    analyse([ids[2]])
    assert set(Replay.objects.values_list("status", "attempts")) == {("done", 0)}
    with CaptureQueriesContext(connection) as queries:
        for replay_id in ids:
            analyse([replay_id])
    assert not [query["sql"] for query in queries if query["sql"].startswith(("UPDATE", "INSERT", "DELETE"))]


def test_a_task_ends_after_a_while_and_queues_as_much_as_is_left(
    analysed: list[int], monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    ids = send(None, *texts("a", 60))
    sent = sent_ids(monkeypatch, ANALYSE)
    monkeypatch.setattr(services, "ENOUGH_SECONDS", 0.0)
    monkeypatch.setattr(services, "CLAIMED", 25)
    with django_capture_on_commit_callbacks(execute=True):
        analyse(ids)
    assert len(analysed) == 25
    assert sent == [ids[25:]]


def test_what_a_worker_has_claimed_and_no_time_for_is_given_back(
    analysed: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody else's upload comes before it then; no attempt is counted."""
    monkeypatch.setattr(services, "LONG_SECONDS", 0.0)
    monkeypatch.setattr(services, "GROUP", 2)
    ids = send(None, *texts("a", 7))
    claimed = services._claim_next(7)
    assert services._analyse(claimed) == (2, True)
    states = Replay.objects.order_by("turn", "pk").values_list("status", "attempts")
    assert list(states) == [("rejected", 1)] * 2 + [("queued", 0)] * 5
    analyse(ids)
    assert set(Replay.objects.values_list("status", "attempts")) == {("rejected", 1)}


def test_a_store_that_cannot_be_reached_ends_the_task(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise it would claim the same rows without a pause."""
    asked: list[str] = []

    def fail(sha256: str) -> bytes:
        asked.append(sha256)
        raise ConnectionError("no route")

    ids = send(None, *texts("a", 5))
    monkeypatch.setattr("replays.models.file_store.get", fail)
    analyse(ids)
    assert len(asked) == len(ids)
    assert set(Replay.objects.values_list("status", "attempts")) == {("queued", 0)}


def test_turns_of_a_request_are_in_the_order_of_sizes() -> None:
    turns = take_turns(None, [300, 100, 200, 100])
    assert sorted(range(4), key=turns.__getitem__) == [1, 3, 2, 0]
    assert len(set(turns)) == 4


def test_a_long_queue_is_not_read() -> None:
    """The next rows, the row whose turn it is, and the last of an account, each from the end of an index."""
    rows = amount(long=100_000, usual=5_000)
    people = [account(f"a{number}").pk for number in range(5)]
    (first,) = send(None, b"one")
    same = ", ".join(
        f'"{field.column}"' for field in Replay._meta.concrete_fields if field.attname not in ("id", "sha256", "uploader_id", "turn", "game_hash")
    )  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO replays_replay (sha256, uploader_id, turn, {same})"  # noqa: S608 - our own names
            f" SELECT number::text, (%s::int[])[1 + number %% 5], %s + number, {same}"
            " FROM replays_replay, generate_series(1, %s) AS number WHERE id = %s",
            [people, Lane.BATCH.first_turn, rows, first],
        )
        cursor.execute("ANALYZE replays_replay")
    with CaptureQueriesContext(connection) as queries:
        take_turns(people[0], [1] * 10)
        take_turns(people[0], [1])
        services._claim_next(25)
    read = [query["sql"] for query in queries if query["sql"].startswith("SELECT") and "replays_replay" in query["sql"]]
    assert len(read) == 6  # the last of the first lane is looked for, too
    for sql in read:
        plan = explain(sql)
        nodes = list(nodes_of(plan))
        kinds = {node["Node Type"] for node in nodes}
        assert kinds <= {"Limit", "LockRows", "Index Scan", "Index Only Scan", "Result", "Aggregate"}, (sql, kinds)
        assert max(node["Actual Rows"] for node in nodes) <= services.CLAIMED, sql


def explain(sql: str) -> dict[str, Any]:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}")
        (found,) = cursor.fetchone()
    plan: dict[str, Any] = (json.loads(found) if isinstance(found, str) else found)[0]["Plan"]
    return plan


def nodes_of(plan: dict[str, Any]) -> Any:
    yield plan
    for part in plan.get("Plans", ()):
        yield from nodes_of(part)
