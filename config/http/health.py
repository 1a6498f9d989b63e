"""/healthz: whether this web process can serve.  /readyz: whether all parts of the site work, and which do not.

Both are for programs that come straight to the process, past the proxy: they are answered before the rules about hosts
and https, and tell nothing but names of parts, yes or no, and ages in seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import resolve
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config import signs_of_life
from config.http.vitals import Vitals, vitals
from players.web import log_fields
from replays.upload.processing.stored_files import faulty_files

_PATHS: Final = frozenset({"/healthz", "/readyz", "/metrics"})
_HEADERS: Final = {"X-Content-Type-Options": "nosniff"}


class ProbeMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info not in _PATHS:
            return self._get_response(request)
        log_fields.note(route=request.path_info)
        answer: HttpResponse = resolve(request.path_info).func(request)
        return answer


@require_safe
@never_cache
def health(request: HttpRequest) -> JsonResponse:
    """503 without the database.  Without the broker, or room on the disk, 200 and ``degraded``: uploads alone wait."""
    now = vitals()
    status = "down" if not now.database else "ok" if now.broker and now.disk else "degraded"
    values = {"status": status, "database": now.database, "broker": now.broker, "disk": now.disk}
    return JsonResponse(values, status=200 if now.database else 503, headers=_HEADERS)


@require_safe
@never_cache
def ready(request: HttpRequest) -> JsonResponse:
    """503 unless all is well, with the names of the parts that are not."""
    now = vitals()
    failing = list(_failing(now))
    seconds = {**{name: now.ages.get(name) for name in _PROCESSES}, "oldest_queued": now.oldest_queued}
    values = {
        "status": "not ready" if failing else "ready", "failing": failing,
        "database": now.database, "broker": now.broker, "files": now.files, "disk": now.disk,
        "faulty_files": faulty_files(),
        "ages": {name: None if age is None else round(age, 1) for name, age in seconds.items()},
    }  # fmt: skip
    return JsonResponse(values, status=503 if failing else 200, headers=_HEADERS)


_PROCESSES: Final = (signs_of_life.BEAT, signs_of_life.WORKERS, signs_of_life.REFEREE)


def _failing(now: Vitals) -> Iterator[str]:
    """Return the names of the parts that do not work; a part that cannot be asked for want of another is left out."""
    if not now.database:
        yield "database"
    elif not now.files:
        yield "files"
    if not now.disk:
        yield "disk"
    if not now.broker:
        yield "broker"
    else:
        yield from (name for name in _PROCESSES if _is_late(now.ages.get(name)))
    if now.oldest_queued is not None and now.oldest_queued > settings.READY_QUEUE_SECONDS:
        yield "queue"


def _is_late(age: float | None) -> bool:
    return age is None or age > settings.READY_AGE_SECONDS
