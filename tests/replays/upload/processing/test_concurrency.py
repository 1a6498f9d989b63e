"""Uploads, analyses and deletions at the same time, in threads on a real database."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest
from django.db import connection, transaction

from players.db.retry import retry_on_conflict
from players.models import PersonalBest, Player
from replays.models import Place, Replay
from replays.upload.intake.receipts import Outcome, Receipt
from replays.upload.intake.services import receive_many
from replays.upload.processing import services
from replays.upload.processing.compute import compute_results
from replays.upload.processing.deletion import replay_delete
from replays.upload.processing.services import analyse_replays
from replays.upload.processing.stale import replays_requeue, requeue_stale
from tests.factories import receive_one
from tests.replays.games import avf_file, game_file, other_wrapper

pytestmark = [
    pytest.mark.django_db(transaction=True),
]


def at_once(*works: Callable[[], Any]) -> list[Any]:
    """Run all at the same time in threads; returns their results, or raises the first error."""
    barrier = threading.Barrier(len(works), timeout=30)
    results: list[Any] = [None] * len(works)
    errors: list[BaseException] = []

    def run(position: int) -> None:
        try:
            barrier.wait()
            results[position] = works[position]()
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(position,)) for position in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    if errors:
        raise errors[0]
    return results


def queued(*contents: bytes) -> list[int]:
    receipts = receive_many([("a", data) for data in contents], uploader=None, enqueue=False)
    return [receipt.replay_id for receipt in receipts if receipt.replay_id is not None]


def test_the_same_file_eight_times_at_once_is_one_row() -> None:
    data = game_file()
    receipts: Sequence[Receipt] = at_once(*[lambda: receive_one(data, name="a", uploader=None, enqueue=False)] * 8)
    assert Counter(receipt.outcome for receipt in receipts) == {Outcome.STORED: 1, Outcome.DUPLICATE: 7}
    assert {receipt.replay_id for receipt in receipts} == {Replay.objects.get().pk}


def test_overlapping_batches_in_opposite_orders_at_once() -> None:
    contents = [b"%d" % number for number in range(150)]

    def send(order: list[bytes]) -> list[Receipt]:
        return receive_many([("a", data) for data in order], uploader=None, enqueue=False)

    found = at_once(lambda: send(contents), lambda: send(contents[::-1]), lambda: send(contents[50:]))
    outcomes = Counter(receipt.outcome for receipts in found for receipt in receipts)
    assert outcomes == {Outcome.STORED: 150, Outcome.DUPLICATE: 250}
    assert Replay.objects.count() == 150


def test_workers_on_the_same_chunk_analyse_each_replay_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ids = queued(*(game_file(seed) for seed in range(1, 13)))
    analysed: list[int] = []

    def counted(rows: Sequence[Replay]) -> Any:
        analysed.extend(row.pk for row in rows)
        return compute_results(rows)

    monkeypatch.setattr(services, "compute_results", counted)
    at_once(*[lambda: analyse_replays(ids)] * 4)
    assert sorted(analysed) == ids
    assert Counter(Replay.objects.values_list("status", "attempts")) == {("done", 0): 12}
    assert Player.objects.count() == 1
    assert PersonalBest.objects.filter(statistic="time", style="all").count() == 1


def test_two_workers_with_the_same_game_at_once() -> None:
    """Each waits for the other, so that one of them sees both: never does either rank without the other being seen."""
    for seed in range(1, 6):
        first, second = queued(game_file(seed), game_file(seed) + b"\n")
        at_once(partial(analyse_replays, [first]), partial(analyse_replays, [second]))
        rows = Replay.objects.filter(pk__in=[first, second]).values_list("status", "judgement", "ranked")
        assert list(rows.order_by("pk")) == [("done", "accepted", True), ("done", "linked", False)]
        assert Place.objects.filter(holder=first, files=second).count() == 1


def test_chunks_that_share_games_in_opposite_orders() -> None:
    seeds = range(1, 9)
    avfs = queued(*(avf_file(seed) for seed in seeds))
    others = queued(*(other_wrapper(avf_file(seed)) for seed in seeds))
    at_once(lambda: analyse_replays(avfs[:4] + others[4:]), lambda: analyse_replays(others[:4] + avfs[4:]))
    assert Counter(Replay.objects.values_list("status", "judgement")) == {
        ("done", "accepted"): 8,
        ("done", "linked"): 8,
    }
    assert Place.objects.count() == 8


def test_an_owner_that_is_deleted_while_its_duplicate_arrives() -> None:
    (owner,) = queued(avf_file())
    analyse_replays([owner])
    (other,) = queued(other_wrapper(avf_file()))
    from players.models import User

    staff = User.objects.create_superuser("staff")
    row = Replay.objects.get(pk=owner)
    at_once(lambda: analyse_replays([other]), lambda: replay_delete(row, by=staff))
    left = Replay.objects.get()
    assert left.pk == other
    assert left.status in {
        Replay.Status.DONE,
        Replay.Status.QUEUED,
    }  # never held by a deleted replay
    assert left.ranked == (left.status == Replay.Status.DONE)


def test_sweeps_at_once_queue_each_row_once() -> None:
    from datetime import timedelta

    from django.utils import timezone

    ids = queued(*(b"%d" % number for number in range(50)))
    Replay.objects.update(claimed_at=timezone.now() - timedelta(days=1))
    found = at_once(*[requeue_stale] * 3)
    assert sorted(pk for part in found for pk in part) == sorted(ids)


def test_rejected_rows_are_queued_again_though_a_rival_locks_them_the_other_way_round() -> None:
    """The database ends one of two that wait for each other; that one tries again."""
    first, second = sorted(queued(b"bad", b"worse"))
    Replay.objects.update(status=Replay.Status.REJECTED)
    held = threading.Event()

    @retry_on_conflict
    def rival() -> None:
        with transaction.atomic():
            Replay.objects.select_for_update(no_key=True).get(pk=second)
            held.set()
            time.sleep(0.3)  # until the other one holds the first and waits for the second
            Replay.objects.select_for_update(no_key=True).get(pk=first)

    def again() -> int:
        assert held.wait(30)
        return replays_requeue([second, first])

    assert at_once(rival, again)[1] == 2
    assert set(Replay.objects.values_list("status", flat=True)) == {"queued"}


def test_staff_judge_a_copy_while_another_arrives() -> None:
    """Both ask about the same game: one of them waits, or is repeated."""
    from players.models import User
    from replays.trust.judging.services import replay_judge

    staff = User.objects.create_superuser("staff")
    for seed in range(1, 4):
        first, second = queued(game_file(seed), game_file(seed) + b"\n")
        analyse_replays([first, second])
        (third,) = queued(game_file(seed) + b"\n\n")
        copy = Replay.objects.get(pk=second)
        at_once(partial(analyse_replays, [third]), partial(replay_judge, copy, "frozen", "A copy.", staff))
        found = list(
            Replay.objects.filter(pk__in=[first, second, third]).order_by("pk").values_list("judgement", flat=True)
        )
        assert found == ["accepted", "frozen", "linked"]
