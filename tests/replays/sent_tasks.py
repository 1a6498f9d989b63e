from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from replays.upload.processing.queue import Task


def on_task(monkeypatch: pytest.MonkeyPatch, task: Task, then: Callable[[list[Any]], object]) -> None:
    """Call ``then`` with the ids for which ``task`` is sent; other tasks are dropped."""

    def publish(sent: Task, ids: list[Any]) -> None:
        if sent == task:
            then(ids)

    monkeypatch.setattr("replays.upload.processing.queue._publish", publish)


def sent_ids(monkeypatch: pytest.MonkeyPatch, task: Task) -> list[list[Any]]:
    """The lists of ids for which ``task`` is sent from now on."""
    sent: list[list[Any]] = []
    on_task(monkeypatch, task, sent.append)
    return sent
