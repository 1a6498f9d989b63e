"""Answers that visitors get while a part of the site is gone, and whether all that was taken is still there."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import connection

from replays.models import Replay, file_store
from tests.bench.traffic.load import Sent, Traffic, failures
from tests.bench.traffic.prepared import Prepared, wait_for_settled
from tests.bench.traffic.rebuilt import boards_equal_a_rebuild

_BEFORE_SECONDS: Final = 3
_AFTER_SECONDS: Final = 12
_DISK_MB: Final = 300


def _database(prepared: Prepared, _seconds: float) -> None:
    prepared.services.restart_database("fast")


def _crash(prepared: Prepared, _seconds: float) -> None:
    prepared.services.restart_database("immediate")


def _away(prepared: Prepared, seconds: float) -> None:
    with prepared.services.database_is_stopped():
        time.sleep(seconds)


def _broker(prepared: Prepared, seconds: float) -> None:
    assert prepared.services.broker is not None
    prepared.services.broker.stop()
    time.sleep(seconds)
    prepared.services.broker.start()


def _disk(_prepared: Prepared, seconds: float) -> None:
    """Leave no byte free; :func:`small_disk` has made the disk."""
    filler = Path(settings.DATA_DIR) / "replays" / "filler"
    with filler.open("wb") as file:
        try:
            while True:
                os.write(file.fileno(), bytes(1 << 16))
        except OSError:
            pass  # full: that is what it is for
    time.sleep(seconds)
    filler.unlink()


def _process(prepared: Prepared, seconds: float) -> None:
    prepared.web.kill_one()
    time.sleep(seconds)


def _web(prepared: Prepared, seconds: float) -> None:
    prepared.web.kill()
    time.sleep(seconds)


def _worker(prepared: Prepared, seconds: float) -> None:
    prepared.worker.kill()
    time.sleep(seconds)
    prepared.worker.start()


OUTAGES: Final[Mapping[str, tuple[str, Callable[[Prepared, float], None]]]] = {
    "database": ("PostgreSQL restarted", _database),
    "crash": ("PostgreSQL crashed and restarted", _crash),
    "away": ("PostgreSQL stopped", _away),
    "broker": ("Valkey stopped", _broker),
    "disk": ("the disk of the files full", _disk),
    "process": ("one of two web processes killed", _process),
    "web": ("the web server killed, started again after 2 s", _web),
    "worker": ("the worker killed", _worker),
}


def run(prepared: Prepared, which: list[str], rate: float, seconds: float) -> int:
    accepted: set[str] = set()
    for name in which:
        with small_disk() if name == "disk" else _no_change():
            accepted |= _one(prepared, name, rate, seconds)
            wait_for_settled()
    return 0 if _nothing_was_lost(prepared, accepted) else 1


def _one(prepared: Prepared, name: str, rate: float, seconds: float) -> set[str]:
    title, cause = OUTAGES[name]
    traffic = prepared.traffic()
    began = time.monotonic()
    sending = threading.Thread(target=traffic.run, args=(rate, 3600))
    sending.start()
    try:
        time.sleep(_BEFORE_SECONDS)
        connection.close()
        connection.close_pool()  # type: ignore[attr-defined]  # this process has idle connections too
        start = time.monotonic() - began
        cause(prepared, seconds)
        end = time.monotonic() - began
        time.sleep(_AFTER_SECONDS)
    finally:
        traffic.over.set()
        sending.join()
    _show(title, traffic, start, end)
    return traffic.accepted


def _show(title: str, traffic: Traffic, start: float, end: float) -> None:
    sent, found = traffic.sent, failures(traffic.sent)
    during = [one for one in sent if start <= one.second <= end]
    bad = [one for one in sent if one.status not in (200, 202)]
    last = max((_answered(one) for one in bad), default=end)
    longest = max(one.milliseconds for one in sent)
    sys.stdout.write(
        f"{title}, second {start:.1f} to {end:.1f}: {len(sent)} requests, {len(during)} of them meanwhile; failed: {len(bad)}; "
        f"all well {max(0.0, last - end):.1f} s after the end; longest {longest:.0f} ms; {len(traffic.accepted)} uploads taken\n"
    )
    for second, answers in found.items():
        sys.stdout.write(
            f"    second {second}: {', '.join(f'{number} {answer}' for answer, number in sorted(answers.items()))}\n"
        )
    sys.stdout.flush()


def _answered(one: Sent) -> float:
    return one.second + one.milliseconds / 1000


def _nothing_was_lost(prepared: Prepared, accepted: set[str]) -> bool:
    wait_for_settled(at_rest=True)
    settled = dict(Replay.objects.filter(sha256__in=accepted).values_list("sha256", "status"))
    missing = accepted - set(settled)
    damaged = [sha256 for sha256 in accepted if not _is_whole(sha256)]
    same, bests = boards_equal_a_rebuild()
    statuses = {status: list(settled.values()).count(status) for status in set(settled.values())}
    sys.stdout.write(
        f"{len(accepted)} uploads were taken: {statuses}; without a row: {len(missing)}; without their file: {len(damaged)}; "
        f"{bests} bests equal a rebuild: {same}\n"
    )
    return same and not missing and not damaged and set(statuses) <= {"done", "rejected"}


def _is_whole(sha256: str) -> bool:
    try:
        file_store.get(sha256)
    except (file_store.FileMissingError, file_store.FileDamagedError):
        return False
    return True


@contextmanager
def _no_change() -> Iterator[None]:
    yield


@contextmanager
def small_disk() -> Iterator[None]:
    """Have the files on a disk of their own meanwhile, which only root can make; they are copied back at the end."""
    store = Path(settings.DATA_DIR) / "replays"
    whole = store.with_name("replays-whole")
    store.rename(whole)
    store.mkdir(mode=0o700)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={_DISK_MB}m", "tmpfs", str(store)], check=True)
    try:
        subprocess.run(["cp", "-a", f"{whole}/.", str(store)], check=True)
        yield
    finally:
        subprocess.run(["cp", "-a", f"{store}/.", str(whole)], check=True)
        subprocess.run(["umount", "-l", str(store)], check=True)
        store.rmdir()
        whole.rename(store)
