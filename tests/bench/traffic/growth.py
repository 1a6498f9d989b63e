"""Two web processes and two worker processes beside one: requests a second and replays a second."""

from __future__ import annotations

import statistics
import sys
import threading
import time
from typing import Final

from replays.models import Replay
from replays.upload.intake.services import receive_many
from tests.bench.attacks.visitor import walk
from tests.bench.traffic.load import next_of
from tests.bench.traffic.prepared import Prepared, wait_for_settled
from tests.services import wait_until
from tests.worker import Worker

_ROUNDS: Final = 2
_VISITORS: Final = 8


def run(prepared: Prepared, seconds: float, uploads: int) -> None:
    pages: dict[int, list[float]] = {1: [], 2: []}
    replays: dict[int, list[float]] = {1: [], 2: []}
    prepared.worker.stop()
    for _round in range(_ROUNDS):
        for number in (1, 2):
            pages[number].append(_pages_a_second(prepared, number, seconds))
            replays[number].append(_replays_a_second(prepared, number, uploads))
    for name, found in (("pages", pages), ("replays", replays)):
        one, two = (statistics.median(found[number]) for number in (1, 2))
        sys.stdout.write(f"{name}/s with one process {one:.1f}, with two {two:.1f}: {two / one:.2f} times as many\n")


def _pages_a_second(prepared: Prepared, processes: int, seconds: float) -> float:
    """Pages that visitors who never pause are given, each from an address of its own."""
    port, done = prepared.new_web(processes).port, [0] * _VISITORS

    def visit(number: int, lasts: float) -> None:
        walked = walk(port, prepared.pages, lasts, f"127.0.8.{number + 1}")
        assert set(walked.statuses) == {200}, walked.statuses
        done[number] = len(walked.milliseconds)

    for lasts in (2.0, seconds):  # the first warms up
        threads = [threading.Thread(target=visit, args=(number, lasts)) for number in range(_VISITORS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return sum(done) / seconds


def _replays_a_second(prepared: Prepared, processes: int, uploads: int) -> float:
    """Replays that a worker settles of a heap that waits for it, from the first settled one on."""
    games = [(f"{number}.rawvf", next_of(prepared.games)) for number in range(uploads)]
    before = _settled()
    receive_many(games, uploader=None)
    worker = Worker(prepared.home / f"worker-{processes}.log", processes=processes)
    worker.start()
    try:
        first = wait_until(lambda: _settled() - before, every=0.02, what="the first replay")
        started = time.monotonic()
        wait_for_settled()
        took = time.monotonic() - started
        wait_for_settled(at_rest=True)  # else the luck of these runs beside the next
    finally:
        worker.stop()
    return (uploads - first) / took


def _settled() -> int:
    return Replay.objects.filter(status__in=[Replay.Status.DONE, Replay.Status.REJECTED]).count()
