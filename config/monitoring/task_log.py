"""One line in the log for each task of a worker; what is logged meanwhile has the task's name and id."""

from __future__ import annotations

import logging
import time
from contextvars import Token
from typing import Any, Final

from celery.signals import task_postrun, task_prerun, worker_process_init

from players.web import counters, log_fields

logger = logging.getLogger("sweepbook.tasks")

_MOST_IDS: Final = 20
#: By the id of the task: where it began, and what ends its activity.
_running: dict[str, tuple[float, log_fields.Fields, Token[log_fields.Fields | None]]] = {}


@task_prerun.connect
def _begin(task_id: str = "", task: Any = None, args: Any = (), **_signal: Any) -> None:
    fields, token = log_fields.begin(task=getattr(task, "name", ""), task_id=task_id)
    if ids := _ids_of(args):
        fields["ids"] = ids
    _running[task_id] = time.perf_counter(), fields, token


@task_postrun.connect
def _end(task_id: str = "", state: str | None = None, **_signal: Any) -> None:
    if task_id not in _running:
        return
    began, fields, token = _running.pop(task_id)
    seconds = time.perf_counter() - began
    fields |= {"state": state, "ms": round(seconds * 1000, 1)}
    counters.count("tasks", task=fields["task"], state=state or "")
    logger.info("%(task)s %(state)s %(ms)s ms", fields)
    log_fields.end(token)


@worker_process_init.connect
def _start(**_signal: Any) -> None:
    counters.start("worker")


def _ids_of(args: Any) -> list[int]:
    """The first numbers of the first argument: replays, games or accounts.  Nothing else of a task is logged."""
    first = args[0] if isinstance(args, list | tuple) and args else ()
    found = first if isinstance(first, list) else [first]
    return [one for one in found[:_MOST_IDS] if type(one) is int]
