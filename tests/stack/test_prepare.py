"""Two machines of a new site are prepared at the same time."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection

from config.site.alone import only_one_prepares
from tests.effort import LONG
from tests.services import wait_until
from tests.stack.web import Visitor, Web
from tests.worker import ROOT, Worker

pytestmark = [pytest.mark.stack, pytest.mark.django_db(transaction=True)]

_STATE = (
    "from django.db import connection as c; from django.db.migrations.executor import MigrationExecutor as E;"
    "e = E(c); print(len(e.migration_plan(e.loader.graph.leaf_nodes())));"
    "from replays.models import StoreMark; print(StoreMark.objects.count())"
)


@pytest.fixture
def empty_database() -> Iterator[str]:
    """The address of a PostgreSQL database without tables."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE DATABASE twice_prepared")
    address, _, options = os.environ["DATABASE_URL"].partition("?")
    yield f"{address.rsplit('/', 1)[0]}/twice_prepared?{options}"
    with connection.cursor() as cursor:
        cursor.execute("DROP DATABASE twice_prepared WITH (FORCE)")


def prepare_twice(first: dict[str, str], second: dict[str, str]) -> list[str]:
    """Run two `prepare` at once; what the database says afterwards."""
    running = [
        subprocess.Popen(
            [sys.executable, "manage.py", "prepare"], cwd=ROOT, env=os.environ | environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )
        for environment in (first, second)
    ]  # fmt: skip
    outputs = [process.communicate(timeout=500)[0] for process in running]
    assert [process.returncode for process in running] == [0, 0], "\n".join(outputs)
    state = subprocess.run(
        [sys.executable, "manage.py", "shell", "-v0", "-c", _STATE], cwd=ROOT, env=os.environ | first,
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    return state.stdout.split()


@pytest.mark.skipif(not LONG, reason="two migrations from nothing take minutes; the lock alone is tried below")
def test_two_machines_at_once_on_an_empty_postgresql(empty_database: str, tmp_path: Path) -> None:
    """Each has a ``DATA_DIR``; the second finds the store of the first by a link."""
    folders = [tmp_path / "one", tmp_path / "two"]
    (tmp_path / "replays").mkdir()
    for folder in folders:
        folder.mkdir()
        (folder / "replays").symlink_to(tmp_path / "replays")
    one, two = ({"DATABASE_URL": empty_database, "DATA_DIR": str(folder)} for folder in folders)
    assert prepare_twice(one, two) == ["0", "1"]


@pytest.mark.long(beside="tests/stack/test_prepare.py::test_the_second_waits_and_holds_up_no_index")
def test_a_new_server_serves_pages_while_its_kernels_are_compiled(tmp_path: Path) -> None:
    kernels = tmp_path / "kernels"
    web = Web(tmp_path / "web.log", Worker(tmp_path / "unused").environment() | {"NUMBA_CACHE_DIR": str(kernels)})
    web.start()
    visitor = Visitor(web.port)
    try:
        assert visitor.get("/").status == 200
        answer = visitor.get("/api/v1/play/laying/")
        assert (answer.status, answer.json()["code"]) == (503, "getting_ready")
        wait_until(lambda: any(kernels.rglob("*.nbi")), seconds=120, what="the first compiled kernel")
        assert visitor.get("/leaderboards/").status == 200
    finally:
        visitor.close()
        web.stop()


def test_the_second_waits_and_holds_up_no_index() -> None:
    """An index that is built concurrently waits for every statement that runs, so a second that waited in a statement
    would never see its end.
    """
    entered, order = threading.Event(), []

    def second() -> None:
        entered.set()
        with only_one_prepares():
            order.append("second")
        connection.close()

    with only_one_prepares():
        other = threading.Thread(target=second)
        other.start()
        assert entered.wait(60)
        with connection.cursor() as cursor:
            cursor.execute("CREATE INDEX CONCURRENTLY waits_for_all ON replays_storemark (made_at)")
            cursor.execute("DROP INDEX waits_for_all")
        other.join(1)
        order.append("first")
    other.join(60)
    assert order == ["first", "second"]


def test_an_interruption_is_not_hidden_by_a_connection_that_is_lost() -> None:
    def stopped() -> None:
        connection.connection.close()
        raise KeyboardInterrupt

    try:
        with pytest.raises(KeyboardInterrupt), only_one_prepares():
            stopped()
    finally:
        connection.close()
