"""Sixteen workers at once on the games of a few players: nothing is lost, and nobody is left with a deadlock."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection

from players.leaderboards.ranks import checkpoints
from players.leaderboards.services import rebuild_boards
from players.models import PersonalBest
from tests.effort import amount, seeds
from tests.players.made_games import NAMES, Shelf, on_shelf
from tests.players.naive_boards import stored_boards
from tests.players.random_changes import World, assert_copies_took_the_place, assert_numbers_are_those_of_the_files
from tests.players.site_check import assert_site_is_right

pytestmark = pytest.mark.django_db(transaction=True)

WORKERS = 16
CHANGES_EACH = amount(long=25, usual=12)


@pytest.fixture(autouse=True)
def _a_connection_each() -> Iterator[None]:
    server: Any = connection
    pool = server.settings_dict["OPTIONS"]["pool"]
    before = pool["max_size"]
    for size in (WORKERS + 2, before):
        server.close()
        server.close_pool()
        pool["max_size"] = size
        if size != before:
            yield


def at_once(worlds: list[World], changes: int) -> list[str]:
    """Let each world make ``changes`` in a thread of its own; returns what went wrong, with its trace."""
    gate = threading.Barrier(len(worlds))
    errors: list[str] = []

    def run(world: World) -> None:
        try:
            gate.wait(60)
            done = 0
            while done < changes:
                done += world.change()
        except BaseException:
            errors.append(traceback.format_exc())
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(world,)) for world in worlds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
    assert not any(thread.is_alive() for thread in threads), "a thread waits for ever"
    return errors


@pytest.mark.long(beside="tests/players/leaderboards/test_concurrency.py::test_no_best_is_lost_between_eight_threads")
@pytest.mark.parametrize("seed", seeds(1, 2))
def test_sixteen_workers_lose_nothing(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "ROWS_A_CHECKPOINT", 3)
    shelf = Shelf()
    with on_shelf(shelf):
        first = World(seed, shelf, monkeypatch, full=200)
        first.names = NAMES[:4]
        worlds = [World(100 * seed + number, shelf, monkeypatch, friends_of=first) for number in range(WORKERS)]
        errors = at_once(worlds, CHANGES_EACH)
        assert not errors, "\n".join(errors)
        first.finish_what_others_left()
        assert_site_is_right(first.source, share=0.05)
        assert_copies_took_the_place(shelf)
        assert_numbers_are_those_of_the_files(shelf)
    incremental = stored_boards()
    assert PersonalBest.objects.exists()
    rebuild_boards()
    assert stored_boards() == incremental
