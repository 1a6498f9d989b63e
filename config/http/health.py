"""/healthz: whether this web process can serve.  /readyz: whether all parts of the site work, and which do not.

Both are for programs that come straight to the process, past the proxy: they are answered before the rules about hosts
and https, and tell nothing but names of parts, yes or no, and ages in seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import resolve
from django.utils.log import log_response
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config import signs_of_life
from config.http.vitals import Vitals, vitals
from config.monitoring.request_log import PROBES
from players.web import log_fields
from replays.upload.processing.stored_files import faulty_files

_HEADERS: Final = {"X-Content-Type-Options": "nosniff"}


class ProbeMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info not in PROBES:
            return self._get_response(request)
        log_fields.note(route=request.path_info)
        answer: HttpResponse = resolve(request.path_info).func(request)
        return answer


@require_safe
@never_cache
def health(request: HttpRequest) -> JsonResponse:
    """503 if this process cannot serve; 200 and ``degraded`` where some of its work waits.  Both name what is wrong."""
    parts = vitals().parts
    failing = [name for name, works in parts.items() if not works]
    is_down = not _NEEDED.isdisjoint(failing)
    values = {"status": "down" if is_down else "degraded" if failing else "ok", "failing": failing, **parts}
    return _answer(request, values, is_well=not is_down)


@require_safe
@never_cache
def ready(request: HttpRequest) -> JsonResponse:
    """503 unless all is well, with the names of the parts that are not."""
    now = vitals()
    failing = list(_failing(now))
    seconds = {**{name: now.ages.get(name) for name in _PROCESSES}, "oldest_queued": now.oldest_queued}
    values = {
        "status": "not ready" if failing else "ready", "failing": failing, **now.parts,
        "faulty_files": faulty_files(),
        "ages": {name: None if age is None else round(age, 1) for name, age in seconds.items()},
    }  # fmt: skip
    return _answer(request, values, is_well=not failing)


#: Without these every page fails, or uploads would be lost: a process that does not see the files takes none.
_NEEDED: Final = frozenset({"static_files", "database", "migrations", "files"})
_PROCESSES: Final = (signs_of_life.BEAT, signs_of_life.WORKERS, signs_of_life.REFEREE)


def _answer(request: HttpRequest, values: Mapping[str, object], *, is_well: bool) -> JsonResponse:
    response = JsonResponse(dict(values), status=200 if is_well else 503, headers=_HEADERS)
    if not is_well:  # Django would log an error for each poll; what is wrong has its own line
        log_response("%s: %s", request.path, values["status"], response=response, request=request, level="debug")
    return response


def _failing(now: Vitals) -> Iterator[str]:
    """Return the names of the parts that do not work; a part that cannot be asked for want of another is left out."""
    yield from (name for name, works in now.parts.items() if not works)
    if now.broker:
        yield from (name for name in _PROCESSES if _is_late(now.ages.get(name)))
    if now.oldest_queued is not None and now.oldest_queued > settings.READY_QUEUE_SECONDS:
        yield "queue"


def _is_late(age: float | None) -> bool:
    return age is None or age > settings.READY_AGE_SECONDS
