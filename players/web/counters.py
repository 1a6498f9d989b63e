"""Counts for `/metrics`, of all processes of the site together.

Each process counts in memory and adds what is new to one hash of Redis every few seconds.  So one question to any web
process tells of all web processes and workers, on whatever machine (docs/decisions/006-monitoring.md).  Without Redis the
counts wait; when it was emptied they begin at 0, which readers of counters expect.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

import redis
from django.conf import settings

from players.web import redis_clients

logger = logging.getLogger(__name__)

_KEY: Final = "metrics:counts"
_PROCESSES_KEY: Final = "metrics:processes"
_EVERY_SECONDS: Final = 5.0
#: A process that has not written for so long has ended.
_FORGOTTEN_SECONDS: Final = 30.0
#: Series of one process.  Labels have few values, all of them ours; this holds if one of them had not.
MOST_SERIES: Final = 5_000
_MOST_CHARS: Final = 120
OTHER: Final = "other"
_SEPARATOR: Final = "\x1f"
_SUM: Final = "sum"
_MICRO: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Metric:
    """``buckets``: upper bounds in seconds of a histogram; none for a counter."""

    help: str
    labels: tuple[str, ...]
    buckets: tuple[float, ...] = ()


_PAGES: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_FILES: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.0)
METRICS: Final[dict[str, Metric]] = {
    "requests": Metric("Requests by route and status", ("route", "status")),
    "request_seconds": Metric(
        "Seconds from the first byte of a request to the last of its answer, but for streams of events",
        ("route",),
        _PAGES,
    ),
    "refusals": Metric("Requests and files that were refused, by the code of the problem, or the status", ("reason",)),
    "analysis_seconds": Metric("Seconds of reading and analysing a file", ("format",), _FILES),
    "tasks": Metric("Tasks of workers", ("task", "state")),
    "files_checked": Metric("Stored files that were compared with their hash", ("result",)),
}

_lock = threading.Lock()
_counts: Counter[str] = Counter()
_sockets = 0
_kind = ""


def count(name: str, number: int = 1, **labels: object) -> None:
    with _lock:
        _add(_series(name, labels), number)


def observe(name: str, seconds: float, **labels: object) -> None:
    """Count ``seconds`` in a histogram."""
    bucket = str(bisect_left(METRICS[name].buckets, seconds))
    with _lock:
        series = _series(name, labels)
        _add(series + _SEPARATOR + bucket, 1)
        _add(series + _SEPARATOR + _SUM, round(seconds * _MICRO))


def add_sockets(number: int) -> None:
    global _sockets
    with _lock:
        _sockets += number


def start(kind: str) -> None:
    """Send what this process counts, again and again, until it ends; a child of a fork has to start on its own."""
    global _kind
    _kind = kind
    if settings.METRICS_URL:
        threading.Thread(target=_send_for_ever, name="metrics", daemon=True).start()


def flush() -> None:
    """Send what is new; if that fails it waits for the next time."""
    global _counts
    if not settings.METRICS_URL:
        return
    with _lock:
        sent, _counts = _counts, Counter()
    try:
        with _client_of(settings.METRICS_URL).pipeline(transaction=True) as pipeline:  # all or nothing
            for field, number in sent.items():
                pipeline.hincrby(_KEY, field, number)
            if _kind:
                pipeline.hset(_PROCESSES_KEY, _own_name(), f"{_kind} {_sockets} {time.time():.0f}")
            pipeline.execute()
    except redis.RedisError as error:
        logger.info("Counts are sent later: %s", error)
        with _lock:
            _counts += sent


@dataclass(frozen=True, slots=True)
class Sample:
    """``bucket``: number of the bucket of a histogram, "sum" for its sum in millionths, "" of a counter."""

    name: str
    labels: tuple[str, ...]
    bucket: str
    value: int


@dataclass(frozen=True, slots=True)
class Stored:
    """``processes``: numbers by kind; ``sockets``: open ones of all."""

    samples: list[Sample]
    processes: Mapping[str, int]
    sockets: int


def stored() -> Stored:
    """Return what all processes have sent.  Raises ``RedisError``."""
    client = _client_of(settings.METRICS_URL)
    samples = [_sample(_text(field), int(number)) for field, number in client.hgetall(_KEY).items()]
    processes: Counter[str] = Counter()
    sockets = 0
    for name, text in client.hgetall(_PROCESSES_KEY).items():
        kind, number, at = _text(text).split()
        if time.time() - float(at) > _FORGOTTEN_SECONDS:
            client.hdel(_PROCESSES_KEY, name)
        else:
            processes[kind] += 1
            sockets += int(number)
    return Stored([one for one in samples if one is not None], processes, sockets)


def forget() -> None:
    """Forget what this process has counted and not sent, for tests."""
    with _lock:
        _counts.clear()


def _add(series: str, number: int) -> None:
    if series not in _counts and len(_counts) >= MOST_SERIES:
        name, *rest = series.split(_SEPARATOR)
        width = len(METRICS[name].labels)
        series = _SEPARATOR.join([name, *[OTHER] * width, *rest[width:]])
    _counts[series] += number


def _series(name: str, labels: Mapping[str, object]) -> str:
    values = [str(labels[label])[:_MOST_CHARS].replace(_SEPARATOR, "") for label in METRICS[name].labels]
    return _SEPARATOR.join([name, *values])


def _sample(field: str, value: int) -> Sample | None:
    """None for what an older version counted."""
    name, *rest = field.split(_SEPARATOR)
    if name not in METRICS:
        return None
    width, is_histogram = len(METRICS[name].labels), bool(METRICS[name].buckets)
    if len(rest) != width + is_histogram:
        return None
    return Sample(name, tuple(rest[:width]), rest[width] if is_histogram else "", value)


def _text(data: bytes | str) -> str:
    return data.decode() if isinstance(data, bytes) else data


@cache
def _client_of(url: str) -> redis.Redis:
    return redis_clients.client(url)


def _own_name() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"


def _send_for_ever() -> None:
    while True:
        time.sleep(_EVERY_SECONDS)
        flush()
