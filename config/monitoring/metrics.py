"""/metrics: the numbers of the site in the text format of Prometheus (version 0.0.4), for this machine or a token."""

from __future__ import annotations

import hmac
import logging
from collections.abc import Iterator, Mapping
from typing import Final

import redis
from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.registry import Collector

from config import signs_of_life
from config.http.vitals import vitals
from config.monitoring.request_log import is_from_this_machine
from players.db.own_connection import own_connection
from players.web import counters
from replays.models import Replay
from replays.play.models import Room

logger = logging.getLogger(__name__)

_SECONDS: Final = 2
#: Rows that are counted at most, so that a heap of uploads does not make the question dear.
_MOST_COUNTED: Final = 100_000
_REFUSED: Final = "Ask from this machine, or with METRICS_TOKEN as a bearer token.\n"


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer 403 to strangers."""
    if not (is_from_this_machine(request) or _has_token(request)):
        return HttpResponse(_REFUSED, status=403, content_type="text/plain; charset=utf-8")
    state = CollectorRegistry()
    state.register(_State())
    text = generate_latest(state) + generate_latest(counters.of_all_processes())
    return HttpResponse(text, content_type=CONTENT_TYPE_PLAIN_0_0_4)


def _has_token(request: HttpRequest) -> bool:
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    token: str = settings.METRICS_TOKEN
    return bool(token) and hmac.compare_digest(given.encode(), token.encode())


class _State(Collector):
    """The state of the site at that moment; without what a part that is down would tell."""

    def collect(self) -> Iterator[Metric]:
        now = vitals()
        yield _gauge("up", "1 if the part works.", "part", now.parts)
        ages = {name: round(age, 1) for name, age in now.ages.items() if age is not None}
        yield _gauge("age_seconds", "Seconds since the last sign of life.", "part", ages)
        if now.database:
            text = "How long the oldest upload has waited."
            yield GaugeMetricFamily("sweepbook_oldest_queued_seconds", text, now.oldest_queued or 0.0)
            yield from _of_database()
        if now.broker:
            yield from _of_broker()


def _of_database() -> Iterator[Metric]:
    try:
        with own_connection(_SECONDS):
            waiting = Replay.objects.filter(status=Replay.Status.QUEUED)[:_MOST_COUNTED].count()
            rooms = Room.objects.filter(state=Room.State.OPEN)[:_MOST_COUNTED].count()
    except DatabaseError as error:
        logger.warning("The database cannot be counted: %s", error)
        return
    text = f"Uploads that wait for their analysis, up to {_MOST_COUNTED}."
    yield GaugeMetricFamily("sweepbook_queued_replays", text, waiting)
    yield GaugeMetricFamily("sweepbook_rooms", f"Open rooms, up to {_MOST_COUNTED}.", rooms)


def _of_broker() -> Iterator[Metric]:
    server = signs_of_life.client()
    try:
        lengths = {name: float(server.llen(name)) for name in settings.CELERY_TASK_QUEUES}
    except redis.RedisError as error:
        logger.warning("The broker cannot be counted: %s", error)
        return
    finally:
        server.close()
    yield _gauge("queue_length", "Messages that wait for a worker.", "queue", lengths)


def _gauge(name: str, text: str, label: str, numbers: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(f"sweepbook_{name}", text, labels=[label])
    for value, number in sorted(numbers.items()):
        family.add_metric([value], number)
    return family
