"""Nothing of a file that is watched is written: asserted on disk, in the database, in the caches and in the log."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from analysis.limits import MEMORY_BYTES, WATCHED_BYTES
from replays.models import Replay
from replays.odds.calculator import calculator_client
from replays.odds.calculator.calculator_client import CalculationFailed
from replays.watch.any_file import selectors
from tests.replays.games import game_file
from tests.replays.watch.any_file.conftest import API, PAGE, Watch

pytestmark = pytest.mark.django_db
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_opened: list[str] | None = None


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    """Note what this process opens to write; Python has no way to take a hook back."""
    if _opened is not None and event == "open" and arguments[2] & _WRITES:
        _opened.append(str(arguments[0]))
    elif _opened is not None and event in ("os.mkdir", "os.rename", "shutil.copyfile", "tempfile.mkstemp"):
        _opened.append(f"{event} {arguments[0]}")


sys.addaudithook(_hook)


@pytest.fixture
def opened() -> Iterator[list[str]]:
    global _opened
    _opened = []
    yield _opened
    _opened = None


@pytest.fixture
def folders(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders that the site writes to, with a folder of its own for temporary files."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setenv("TMPDIR", str(temporary))
    settings.FILE_UPLOAD_TEMP_DIR = str(temporary)
    settings.KEPT_DIR = tmp_path / "kept"
    calculator_client._CALCULATOR.stop()  # so that the next one has this environment
    return [tmp_path, Path(settings.DATA_DIR)]


def files_in(folders: list[Path]) -> dict[Path, tuple[int, int]]:
    found = [path for folder in folders if folder.exists() for path in folder.rglob("*") if path.is_file()]
    return {path: (path.stat().st_size, path.stat().st_mtime_ns) for path in found if "valkey" not in path.parts}


def padded(size: int) -> bytes:
    """A replay with so many bytes: its last line is followed by blank ones."""
    data = game_file(3)
    return data + b"\n" * (size - len(data))


def test_no_file_is_written(client: Client, watch: Watch, folders: list[Path], opened: list[str]) -> None:
    """One process that computes is started for all sizes, which takes seconds."""
    client.get(PAGE)
    for address in (PAGE, API):
        watch(game_file(5), address)  # whatever is loaded once, such as compiled code
        for size in (0, WATCHED_BYTES, WATCHED_BYTES + 1, 3 * MEMORY_BYTES):
            before = files_in(folders)
            opened.clear()
            answer = watch(padded(size) if size else game_file(3), address)
            assert opened == [], (address, size)
            assert files_in(folders) == before, (address, size)
            wanted = 200 if size <= WATCHED_BYTES else 413 if size < MEMORY_BYTES else 400
            assert answer.status_code == wanted, (address, size)


@pytest.mark.parametrize("address", [PAGE, API])
def test_no_row_is_written(client: Client, owner_client: Client, watch: Watch, address: str) -> None:
    owner_client.get(PAGE)
    sessions, tables = Session.objects.count(), {name: _rows(name) for name in connection.introspection.table_names()}
    assert len(tables) > 40
    with CaptureQueriesContext(connection) as queries:
        assert watch(game_file(3), address).status_code == 200
        assert owner_client.post(address, {"file": SimpleUploadedFile("a", game_file(3))}).status_code == 200
        assert watch(b"no replay", address).status_code == 422
    assert [query["sql"] for query in queries if not query["sql"].lstrip("( ").startswith("SELECT")] == []
    assert {name: _rows(name) for name in tables} == tables
    assert (Session.objects.count(), Replay.objects.count()) == (sessions, 0)
    assert "sessionid" not in client.cookies


def _rows(table: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT COUNT(*) FROM {connection.ops.quote_name(table)}")  # noqa: S608 - a table of ours
        return int(cursor.fetchone()[0])


@pytest.mark.parametrize("address", [PAGE, API])
def test_no_cache_gets_a_key(client: Client, watch: Watch, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    client.get(PAGE)  # the parts of a page that are the same for all
    written: list[str] = []
    for name in caches.settings:
        for method in ("set", "add", "set_many", "incr", "touch"):
            monkeypatch.setattr(
                type(caches[name]), method, lambda _self, key, *_rest, **_named: written.append(str(key))
            )
    assert watch(game_file(3), address).status_code == 200
    assert written == []


def test_the_log_has_nothing_of_the_file(
    watch: Watch, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    trace = 'Traceback (most recent call last):\n  File "reader.py", line 7, in read\nValueError: Ada Bot'

    def fails(*_arguments: object, **_options: object) -> None:
        raise CalculationFailed(trace)

    watch(game_file(3))
    monkeypatch.setattr(selectors, "calculate", fails)
    assert watch(game_file(3)).status_code == 500
    assert watch(game_file(3), API).json()["code"] == "server_error"
    assert "reader.py" in caplog.text
    assert "Ada Bot" not in caplog.text
    assert "game.rawvf" not in caplog.text
