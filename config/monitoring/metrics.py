"""/metrics: the numbers of the site in the text format of Prometheus (version 0.0.4), for this machine or a token."""

from __future__ import annotations

import hmac
import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Final

import redis
from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config import signs_of_life
from config.http.vitals import Vitals, vitals
from config.monitoring.request_log import is_from_this_machine
from players.db.own_connection import own_connection
from players.web import counters
from players.web.counters import METRICS, Metric, Sample
from replays.models import Replay
from replays.play.models import Room

logger = logging.getLogger(__name__)

_CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS: Final = 2
#: Rows that are counted at most, so that a heap of uploads does not make the question dear.
_MOST_COUNTED: Final = 100_000
_MICRO: Final = 1_000_000
_REFUSED: Final = "Ask from this machine, or with METRICS_TOKEN as a bearer token.\n"


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """403 for strangers.  What a part that is down would tell is left out."""
    if not (is_from_this_machine(request) or _has_token(request)):
        return HttpResponse(_REFUSED, status=403, content_type="text/plain; charset=utf-8")
    counters.flush()
    return HttpResponse("".join(f"{line}\n" for line in _lines()), content_type=_CONTENT_TYPE)


def _has_token(request: HttpRequest) -> bool:
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    token: str = settings.METRICS_TOKEN
    return bool(token) and hmac.compare_digest(given.encode(), token.encode())


def _lines() -> Iterator[str]:
    now = vitals()
    yield from _gauge("up", "1 if the part works", _parts(now))
    yield from _gauge("age_seconds", "Seconds since the last sign of life", _ages(now))
    if now.database:
        yield from _gauge(
            "oldest_queued_seconds", "How long the oldest upload has waited", {"": now.oldest_queued or 0.0}
        )
        yield from _of_database()
    if now.broker:
        yield from _of_broker()


def _parts(now: Vitals) -> Mapping[str, float]:
    return {_labels(part=name): float(works) for name, works in now.parts.items()}


def _ages(now: Vitals) -> Mapping[str, float]:
    return {_labels(part=name): round(age, 1) for name, age in now.ages.items() if age is not None}


def _of_database() -> Iterator[str]:
    try:
        with own_connection(_SECONDS):
            waiting = Replay.objects.filter(status=Replay.Status.QUEUED)[:_MOST_COUNTED].count()
            rooms = Room.objects.filter(state=Room.State.OPEN)[:_MOST_COUNTED].count()
    except DatabaseError as error:
        logger.warning("The database cannot be counted: %s", error)
        return
    yield from _gauge("queued_replays", f"Uploads that wait for their analysis, up to {_MOST_COUNTED}", {"": waiting})
    yield from _gauge("rooms", f"Open rooms, up to {_MOST_COUNTED}", {"": rooms})


def _of_broker() -> Iterator[str]:
    server = signs_of_life.client()
    try:
        lengths = {_labels(queue=name): float(server.llen(name)) for name in settings.CELERY_TASK_QUEUES}
        stored = counters.stored()
    except redis.RedisError as error:
        logger.warning("The broker cannot be counted: %s", error)
        return
    finally:
        server.close()
    yield from _gauge("queue_length", "Messages that wait for a worker", lengths)
    yield from _gauge("processes", "Processes that count", {_labels(kind=k): n for k, n in stored.processes.items()})
    yield from _gauge("sockets", "Open sockets of live play", {"": stored.sockets})
    of_metric: dict[str, list[Sample]] = defaultdict(list)
    for sample in stored.samples:
        of_metric[sample.name].append(sample)
    for name, metric in METRICS.items():
        yield from (
            _histogram(name, metric, of_metric[name]) if metric.buckets else _counter(name, metric, of_metric[name])
        )


def _gauge(name: str, text: str, values: Mapping[str, float]) -> Iterator[str]:
    yield from _head(f"sweepbook_{name}", text, "gauge")
    for labels, value in sorted(values.items()):
        yield f"sweepbook_{name}{labels} {value:g}"


def _counter(name: str, metric: Metric, samples: Iterable[Sample]) -> Iterator[str]:
    full = f"sweepbook_{name}_total"
    yield from _head(full, metric.help, "counter")
    for sample in sorted(samples, key=lambda one: one.labels):
        yield f"{full}{_labels(**dict(zip(metric.labels, sample.labels, strict=True)))} {sample.value}"


def _histogram(name: str, metric: Metric, samples: Iterable[Sample]) -> Iterator[str]:
    full = f"sweepbook_{name}"
    yield from _head(full, metric.help, "histogram")
    series: dict[tuple[str, ...], dict[str, int]] = defaultdict(dict)
    for sample in samples:
        series[sample.labels][sample.bucket] = sample.value
    bounds = [*(f"{bound:g}" for bound in metric.buckets), "+Inf"]
    for values, found in sorted(series.items()):
        labels = dict(zip(metric.labels, values, strict=True))
        below = list(accumulate(found.get(str(place), 0) for place in range(len(bounds))))
        for bound, number in zip(bounds, below, strict=True):
            yield f"{full}_bucket{_labels(**labels, le=bound)} {number}"
        yield f"{full}_sum{_labels(**labels)} {found.get('sum', 0) / _MICRO:g}"
        yield f"{full}_count{_labels(**labels)} {below[-1]}"


def _head(name: str, text: str, kind: str) -> Iterator[str]:
    yield f"# HELP {name} {text}."
    yield f"# TYPE {name} {kind}"


def _labels(**labels: str) -> str:
    return "{" + ",".join(f'{name}="{_escaped(value)}"' for name, value in labels.items()) + "}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
