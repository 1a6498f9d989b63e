"""Counts for `/metrics`, of all web processes and workers that share this ``DATA_DIR``.

prometheus-client has a file for each process (docs/decisions/006-monitoring.md).  A file belongs to a slot, which the next
process takes over with its counts, so that reloads and replaced workers leave no files behind.
"""

from __future__ import annotations

import fcntl
import os
import threading
from typing import Final, TextIO

from django.conf import settings
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, values
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

#: Series of one process.  Labels have few values, all of them ours; this holds if one of them had not.
MOST_SERIES: Final = 5_000
_MOST_CHARS: Final = 120
OTHER: Final = "other"
_PAGES: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_FILES: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.0)

REGISTRY: Final = CollectorRegistry()
_COUNTERS: Final = {
    name: Counter(f"sweepbook_{name}", text, labels, registry=REGISTRY)
    for name, text, labels in (
        ("requests", "Requests by route and status.", ("route", "status")),
        ("refusals", "Requests and files that were refused, by the code of the problem, or the status.", ("reason",)),
        ("tasks", "Tasks of workers.", ("task", "state")),
        ("files_checked", "Stored files that were compared with their hash.", ("result",)),
    )
}
_HISTOGRAMS: Final = {
    name: Histogram(f"sweepbook_{name}", text, (label,), buckets=buckets, registry=REGISTRY)
    for name, text, label, buckets in (
        (
            "request_seconds",
            "Seconds from the first byte of a request to the last of its answer, but for streams of events.",
            "route",
            _PAGES,
        ),
        ("analysis_seconds", "Seconds of reading and analysing a file.", "format", _FILES),
    )
}
_GAUGES: Final = {
    name: Gauge(f"sweepbook_{name}", text, ("kind",), registry=REGISTRY, multiprocess_mode="livesum")
    for name, text in (("processes", "Processes that count."), ("sockets", "Open sockets of live play."))
}

_lock = threading.Lock()
_series: set[tuple[str, ...]] = set()
_kind = "none"
_slot: tuple[int, str, TextIO] | None = None


def count(name: str, number: int = 1, **labels: object) -> None:
    _COUNTERS[name].labels(**_bounded(name, labels)).inc(number)


def observe(name: str, seconds: float, **labels: object) -> None:
    _HISTOGRAMS[name].labels(**_bounded(name, labels)).observe(seconds)


def add_sockets(number: int) -> None:
    _GAUGES["sockets"].labels(_kind).inc(number)


def start(kind: str) -> None:
    """Count in a file of this process from now on; a child of a fork has to start on its own."""
    global _kind
    _kind = kind
    forget()
    settings.METRICS_DIR.mkdir(parents=True, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(settings.METRICS_DIR)
    values.ValueClass = values.MultiProcessValue(_own_slot)
    _GAUGES["processes"].labels(kind).set(1)


def of_all_processes() -> CollectorRegistry:
    """Return what all processes have counted; where none has started, what this one has."""
    if not settings.METRICS_DIR.is_dir():
        return REGISTRY
    for number in range(_slots()):
        if (file := _taken(number)) is not None:
            mark_process_dead(_name(number), settings.METRICS_DIR)  # its gauges; what was counted stays
            file.close()
    registry = CollectorRegistry()
    MultiProcessCollector(registry, settings.METRICS_DIR)
    return registry


def forget() -> None:
    """Forget what this process has counted in memory."""
    _series.clear()
    for metric in (*_COUNTERS.values(), *_HISTOGRAMS.values(), *_GAUGES.values()):
        metric.clear()


def _bounded(name: str, labels: dict[str, object]) -> dict[str, str]:
    texts = {label: str(value)[:_MOST_CHARS] for label, value in labels.items()}
    series = (name, *texts.values())
    with _lock:
        if series not in _series and len(_series) >= MOST_SERIES:
            return dict.fromkeys(texts, OTHER)
        _series.add(series)
    return texts


def _own_slot() -> str:
    """Return the name of the slot that this process holds until it ends: the first that no other one has."""
    global _slot
    if _slot is None or _slot[0] != os.getpid():
        number = 0
        while (file := _taken(number)) is None:
            number += 1
        mark_process_dead(_name(number), settings.METRICS_DIR)
        _slot = (os.getpid(), _name(number), file)
    return _slot[1]


def _taken(number: int) -> TextIO | None:
    """Take a slot; None if a process has it."""
    file: TextIO = (settings.METRICS_DIR / f"{_name(number)}.lock").open("a")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file


def _slots() -> int:
    return len(list(settings.METRICS_DIR.glob("slot*.lock")))


def _name(number: int) -> str:
    return f"slot{number}"
