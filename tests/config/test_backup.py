"""docs/deploy/backup.sh: a site, saved and put back into an empty one."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from psycopg import sql

from config.site import database
from players.models import User
from replays.models import Replay, file_store, store_mark
from replays.watch.comments.services import comment_create
from tests.factories import receive_one
from tests.replays.conftest import Ingest
from tests.replays.conftest import ingest as ingest
from tests.replays.games import game_file

pytestmark = pytest.mark.django_db(transaction=True)

SCRIPT: Final = settings.BASE_DIR / "docs" / "deploy" / "backup.sh"


@dataclass(frozen=True, slots=True)
class Site:
    """A database and a ``DATA_DIR``, and the file with their settings."""

    database: str
    folder: Path

    @property
    def url(self) -> str:
        connection.ensure_connection()
        server = connection.connection.info
        return f"postgres://{server.user}@/{self.database}?host={server.host}&port={server.port}"

    def run(self, *command: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
        env_file = self.folder / "site.env"
        env_file.write_text(f"SECRET_KEY=a\nDATABASE_URL={self.url}\nDATA_DIR={self.folder}\n")
        environment = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "DATA_DIR")}
        environment |= {
            "ENV_FILE": str(env_file), "SWEEPBOOK": f"{sys.executable} manage.py",
            "PGPASSWORD": connection.settings_dict["PASSWORD"],
            "PATH": f"{database._programs()}:{os.environ['PATH']}",
        } | more  # fmt: skip
        return subprocess.run(
            command, env=environment, cwd=settings.BASE_DIR, capture_output=True, text=True, check=False
        )

    def rows(self) -> dict[str, list[str]]:
        """Return every row of every table as a text, without the entry that tells readers of the feed of the restore."""
        with psycopg.connect(self.url, password=connection.settings_dict["PASSWORD"]) as opened:
            tables = opened.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
            query = sql.SQL("SELECT row::text FROM {} AS row ORDER BY 1")
            found = {name: opened.execute(query.format(sql.Identifier(name))).fetchall() for (name,) in tables}
        return {name: [row for (row,) in rows if ",feed," not in row] for name, rows in found.items()}

    def files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in (self.folder / "replays").rglob("*") if path.is_file()}


@pytest.fixture
def site(settings: Any, tmp_path: Path, owner: User, ingest: Ingest) -> Site:
    """Three games, a rejected file, and words that a text format could break."""
    found = Site(connection.settings_dict["NAME"], tmp_path / "old site")
    location = {"location": found.folder / "replays"}
    backend = {"BACKEND": "replays.models.file_store.ReplayFileStorage", "OPTIONS": location}
    settings.STORAGES = {**settings.STORAGES, "replays": backend}
    store_mark.mark_store()
    replay, *_ = (ingest(game_file(number), uploader=owner) for number in (1, 2, 3))
    receive_one(b"no replay", name="bad", uploader=owner, enqueue=False)
    comment_create(replay, owner, "tabs\t, lines\nand \\N, 雷 and 🚩")
    return found


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Callable[[], Site]]:
    made = Site("restored_site", tmp_path / "new site")

    def execute(statement: str) -> None:
        server = connection.settings_dict
        with psycopg.connect(Site("postgres", tmp_path).url, password=server["PASSWORD"], autocommit=True) as opened:
            opened.execute(sql.SQL(statement).format(sql.Identifier(made.database)))

    def make() -> Site:
        made.folder.mkdir()
        execute("CREATE DATABASE {} TEMPLATE template0")
        return made

    yield make
    execute("DROP DATABASE IF EXISTS {} WITH (FORCE)")


@pytest.mark.long(beside="tests/config/test_backup.py::test_the_next_backup_follows_the_site")
def test_a_restored_site_is_equal(site: Site, empty: Callable[[], Site], tmp_path: Path) -> None:
    folder = tmp_path / "backups" / "daily"
    saved = site.run(SCRIPT, "save", folder)
    assert saved.returncode == 0, saved.stderr
    assert [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder / "database")] == [0o700, 0o600]
    before = site.rows(), site.files()
    assert len(before[1]) == 5, "three games, a bad file and the mark"

    new = empty()
    restored = new.run(SCRIPT, "restore", folder)
    assert restored.returncode == 0, restored.stderr
    assert (new.rows(), new.files()) == before
    checked = new.run(sys.executable, "manage.py", "check_files")
    assert "4 files: 0 missing, 0 changed." in checked.stdout, checked.stderr

    again = new.run(SCRIPT, "restore", folder)
    assert again.returncode != 0, "a site that is not empty is left as it is"
    assert (new.rows(), new.files()) == before


def test_the_next_backup_follows_the_site(site: Site, tmp_path: Path, owner: User, ingest: Ingest) -> None:
    site.run(SCRIPT, "save", tmp_path / "backup")
    kept = tmp_path / "backup" / "files"
    times = {path.name: path.stat().st_ctime_ns for path in kept.rglob("*") if path.is_file()}
    gone = Replay.objects.earliest("pk")
    Replay.objects.filter(pk=gone.pk).delete()
    file_store.delete(gone.sha256)
    new = ingest(game_file(4), uploader=owner)
    assert site.run(SCRIPT, "save", tmp_path / "backup").returncode == 0
    after = {path.name: path.stat().st_ctime_ns for path in kept.rglob("*") if path.is_file()}
    assert after.keys() == times.keys() - {gone.sha256} | {new.sha256}
    assert {name: time for name, time in after.items() if name != new.sha256}.items() <= times.items(), "copied once"


def test_a_damaged_or_unfinished_dump_changes_nothing(site: Site, empty: Callable[[], Site], tmp_path: Path) -> None:
    folder = tmp_path / "backup"
    assert site.run(SCRIPT, "save", folder).returncode == 0
    whole = (folder / "database").read_bytes()
    new = empty()
    for harmed in (whole[: len(whole) // 2], b""):
        (folder / "database").write_bytes(harmed)
        assert new.run(SCRIPT, "restore", folder).returncode != 0
        assert (new.rows(), new.files()) == ({}, {})


def test_a_dump_that_fails_leaves_the_backup_before_it(site: Site, tmp_path: Path) -> None:
    folder = tmp_path / "backup"
    assert site.run(SCRIPT, "save", folder).returncode == 0
    before = (folder / "database").read_bytes()
    assert Site("no such database", site.folder).run(SCRIPT, "save", folder).returncode != 0
    assert (folder / "database").read_bytes() == before


def test_without_settings_it_says_how_it_is_called(site: Site, tmp_path: Path) -> None:
    nothing = site.run(SCRIPT, "save", tmp_path / "backup", ENV_FILE=os.devnull)
    assert (nothing.returncode, (tmp_path / "backup").exists()) == (2, False)
    assert "save|restore FOLDER" in nothing.stderr
