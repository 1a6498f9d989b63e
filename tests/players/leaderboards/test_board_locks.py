"""The locks of boards in memory: one thread reads a board at a time, and none is left behind."""

from __future__ import annotations

import threading
from typing import Any

from pytest_django import Settings

from players.leaderboards.filtered.store import _Memory


class Board:
    nbytes = 10_000_000


def stored() -> Any:
    class Stored:
        state = Board()

    return Stored()


def test_a_lock_that_is_held_is_not_made_anew(settings: Settings) -> None:
    """The board is dropped from memory while it is held."""
    settings.FILTERED_BOARDS_MB = 15
    memory, entered = _Memory(), threading.Event()

    def second() -> None:
        with memory.lock("a"):
            entered.set()

    memory.put("a", stored())
    with memory.lock("a"):
        memory.put("b", stored())
        assert memory.get("a") is None
        thread = threading.Thread(target=second)
        thread.start()
        assert not entered.wait(0.1)
    thread.join(10)
    assert entered.is_set()


def test_no_lock_is_left_behind() -> None:
    """Also of boards that are never put, since reading them fails."""
    memory = _Memory()
    for number in range(100):
        try:
            with memory.lock(f"board {number}"):
                raise OSError("the database is away")
        except OSError:
            continue
    assert not memory._locks
