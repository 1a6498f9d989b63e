"""Uploads during outages of workers and broker.

    python -m tests.bench.bench_outages [--uploads 3000] [--kills 6] [--outage-seconds 60] [--seed 1]

Uploads go on while the worker is killed with -9 again and again and the broker is gone for a full minute.  At the end
every upload must be settled exactly once, and the boards must equal those made from scratch.  Prints what happened and
exits with 1 if anything was lost.  The tests do the same with shorter outages (``tests/stack``).
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import threading
import time
from datetime import UTC, datetime
from pathlib import Path

from tests.services import Broker, Services, wait_until

SERVICES = Services()
SERVICES.prepare()  # before the settings are read
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
os.environ["LOG_LEVEL"] = "ERROR"  # a broker that does not answer is what we are here for

import django  # noqa: E402

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.db.models import Count  # noqa: E402

from analysis.bots import demo_games  # noqa: E402
from analysis.formats import rawvf  # noqa: E402
from players.leaderboards.services import rebuild_boards  # noqa: E402
from players.models import PersonalBest  # noqa: E402
from replays.models import LUCK_IS_WANTED, Replay  # noqa: E402
from tests.factories import receive_one  # noqa: E402
from tests.worker import Worker  # noqa: E402


def main() -> None:
    arguments = _arguments()
    try:
        _start_services()
        with tempfile.TemporaryDirectory() as folder:
            _play(Worker(Path(folder) / "worker.log"), _own_broker(), arguments)
        sys.exit(0 if _nothing_was_lost(arguments.uploads) else 1)
    finally:
        connection.close()
        SERVICES.stop()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--uploads", type=int, default=3000)
    parser.add_argument("--kills", type=int, default=6)
    parser.add_argument("--outage-seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def _own_broker() -> Broker:
    if SERVICES.broker is None:
        sys.exit("REDIS_URL names a broker that is not ours to stop.")
    return SERVICES.broker


def _start_services() -> None:
    SERVICES.start_broker()
    SERVICES.start_database()
    with connection._nodb_cursor() as cursor:
        cursor.execute("CREATE DATABASE sweepbook")
    call_command("migrate", verbosity=0)


def _play(worker: Worker, broker: Broker, arguments: argparse.Namespace) -> None:
    """Upload and cause trouble at the same time, then wait for the backlog."""
    uploads = threading.Thread(target=_upload, args=(arguments,))
    worker.start()
    try:
        uploads.start()
        _trouble(worker, broker, arguments)
        uploads.join()
        print(f"all uploaded; {_settled()} settled")
        started = time.monotonic()
        wait_until(lambda: _settled() == arguments.uploads, seconds=600, every=0.5, what="the backlog")
        # Luck works on the boards, too; comparing them needs a site at rest.
        wait_until(lambda: not Replay.objects.filter(LUCK_IS_WANTED).exists(), seconds=600, every=0.5, what="luck")
        print(f"the backlog took {time.monotonic() - started:.1f} s")
    finally:
        worker.stop()


def _upload(arguments: argparse.Namespace) -> None:
    until = datetime(2024, 6, 1, tzinfo=UTC)
    for number, game in enumerate(demo_games(arguments.seed, arguments.uploads, until=until)):
        receive_one(rawvf.write(game), name=f"{number}.rawvf", uploader=None)
    connection.close()


def _trouble(worker: Worker, broker: Broker, arguments: argparse.Namespace) -> None:
    rng = random.Random(arguments.seed)
    for number in range(arguments.kills):
        time.sleep(rng.uniform(1, 5))
        worker.kill()
        print(f"kill {number + 1}: {_settled()} settled of {Replay.objects.count()}")
        if number == arguments.kills // 2:
            broker.stop()
            time.sleep(arguments.outage_seconds)
            broker.start()
            print(f"the broker was away for {arguments.outage_seconds:.0f} s; {Replay.objects.count()} uploads")
        worker.start()


def _settled() -> int:
    return Replay.objects.filter(status__in=[Replay.Status.DONE, Replay.Status.REJECTED]).count()


def _nothing_was_lost(uploads: int) -> bool:
    by_status = dict(Replay.objects.values_list("status").annotate(Count("pk")))
    faults = list(Replay.objects.filter(status=Replay.Status.REJECTED).values_list("reject_code").annotate(Count("pk")))
    bests = _bests()
    rebuild_boards()
    same = bests == _bests()
    print(f"{uploads} uploads: {by_status}, rejected as {faults}; {len(bests)} bests equal a rebuild: {same}")
    return same and set(by_status) <= {"done", "rejected"} and sum(by_status.values()) == uploads


def _bests() -> list[tuple[object, ...]]:
    return sorted(PersonalBest.objects.values_list("player", "statistic", "level", "style", "value", "replay"))


if __name__ == "__main__":
    main()
