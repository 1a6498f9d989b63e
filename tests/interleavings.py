"""Tasks in every order of their steps: a coroutine's end where it waits, ``Statements``' before each statement and commit."""

from __future__ import annotations

import threading
from collections.abc import Callable, Coroutine
from typing import Any

from django.db import connection


class Steps:
    """A coroutine; a step ends at ``asyncio.sleep(0)`` and where it waits for a lock.  Also what ``asyncio.create_task`` returns, where a scenario replaces that."""

    def __init__(self, work: Coroutine[Any, Any, Any]) -> None:
        self._work, self.ended = work, False
        self._waits: Any = None
        self.add_done_callback = self.done = lambda *_callback: self.ended

    def step(self) -> None:
        try:
            self._waits = self._work.send(None)
        except StopIteration:
            self.ended = True
        if self._waits is not None:
            self._waits._asyncio_future_blocking = False  # as the event loop does

    def ready(self) -> bool:
        return not self.ended and (self._waits is None or self._waits.done())


class Statements(threading.Thread):
    """``work()`` in a thread with its own connection to PostgreSQL.  ``result``: what it returned or raised."""

    def __init__(self, work: Callable[[], Any]) -> None:
        super().__init__(daemon=True)
        self._job, self.ended, self._pid = work, False, 0
        self.result: Any = None
        self._go, self._stands = threading.Semaphore(0), threading.Event()
        self.start()
        self._stands.wait()

    def run(self) -> None:
        own: Any = connection
        own.ensure_connection()
        self._pid, commit = own.connection.info.backend_pid, own._commit
        own._commit = lambda: self._pause() or commit()
        try:
            with connection.execute_wrapper(
                lambda go, sql, *more: (sql[:6] in "SELECT INSERT UPDATE DELETE" and self._pause()) or go(sql, *more)
            ):
                self.result = self._job()
        except Exception as error:
            self.result = error
        connection.close()
        self.ended = True
        self._stands.set()

    def _pause(self) -> Any:
        self._stands.set()
        self._go.acquire()

    def step(self) -> None:
        self._stands.clear()
        self._go.release()
        self.ready()

    def ready(self) -> bool:
        """Wait until the thread stands before its next step, or for a lock that another one holds."""
        blocked = False
        while not blocked and not self._stands.wait(0.003):
            with connection.cursor() as cursor:
                cursor.execute("SELECT cardinality(pg_blocking_pids(%s)) > 0", [self._pid])
                (blocked,) = cursor.fetchone()
        return not self.ended and not blocked


def every_order(scenario: Callable[[Callable[..., None]], None]) -> int:
    """Call ``scenario(run)`` for each order in which its ``run(task, …)`` can let the tasks end; returns how many."""
    order: list[tuple[int, int]] = []  # the choice at each step, and among how many
    number = place = 0

    def run(*given: Any, tasks: list[Any] | None = None) -> None:
        nonlocal place
        tasks = [] if tasks is None else tasks  # to which the scenario may add while they run
        tasks += [one if isinstance(one, Statements) else Steps(one) for one in given]
        while ready := [task for task in tasks if task.ready()]:
            order[place:] = order[place:] or [(0, len(ready))]
            place += 1
            ready[order[place - 1][0]].step()
        assert all(task.ended for task in tasks), f"they wait for each other: {order}"

    while not number or order:
        number, place = number + 1, 0
        scenario(run)
        while order and order[-1][0] + 1 == order[-1][1]:
            order.pop()
        order[-1:] = [(choice + 1, among) for choice, among in order[-1:]]
    return number
