"""`manage.py runsite`: the whole site from an empty folder, its end, and its restart."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from config import env
from config.site import files
from tests.services import folder_for_others, free_port, wait_until

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.stack


class Site:
    """One run of `runsite` with its own data folder."""

    def __init__(self, data_dir: Path, log: Path) -> None:
        self.data_dir = data_dir
        self.log = log
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, *arguments: str) -> None:
        names = {variable.name for variable in env.VARIABLES} | {"DJANGO_SETTINGS_MODULE"}
        environment = {name: text for name, text in os.environ.items() if name not in names}
        command = [sys.executable, "manage.py", "runsite", "--no-demo", f"--port={self.port}", *arguments]
        with self.log.open("wb") as output:  # each run has its own words
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=environment | {"ENV_FILE": os.devnull, "DATA_DIR": str(self.data_dir)},
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def wait_ready(self) -> None:
        wait_until(lambda: self._ended() or "is ready" in self.text(), seconds=240, what="the site")
        assert not self._ended(), self.text()

    def get(self, path: str) -> tuple[int, str]:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=20) as answer:
            return answer.status, answer.read().decode()

    def children(self) -> list[psutil.Process]:
        assert self.process is not None
        return list(psutil.Process(self.process.pid).children(recursive=True))

    def child(self, word: str) -> psutil.Process:
        """The one child of the supervisor whose command has ``word`` in it."""
        assert self.process is not None
        (found,) = [
            child
            for child in psutil.Process(self.process.pid).children()
            if child.is_running() and child.status() != psutil.STATUS_ZOMBIE and word in " ".join(child.cmdline())
        ]
        return found

    def end(self, how: signal.Signals) -> int:
        assert self.process is not None
        self.process.send_signal(how)
        return self.process.wait(timeout=120)

    def text(self) -> str:
        return self.log.read_text(errors="replace")

    def ask_broker(self, command: str) -> str:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(5)
            connection.connect(str(files.broker_socket(self.data_dir)))
            connection.sendall(command.encode() + b"\r\n")
            return connection.recv(1000).decode()

    def ask_database(self, statement: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(
            host=str(files.database_socket_folder(self.data_dir)),
            user=files.DATABASE_USER,
            dbname=files.DATABASE_NAME,
        ) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def kill_all(self) -> None:
        """End every process as a power cut would: none of them can do anything about it."""
        assert self.process is not None
        for child in [*self.children(), psutil.Process(self.process.pid)]:
            with contextlib.suppress(psutil.NoSuchProcess):  # it ended with its parent
                child.kill()
        self.process.wait()

    def _ended(self) -> bool:
        assert self.process is not None
        return self.process.poll() is not None


@pytest.fixture
def sites() -> Iterator[Callable[[str], Site]]:
    """Make sites by the name of their folder."""
    made: list[Site] = []
    with folder_for_others() as folder:

        def make(name: str) -> Site:
            made.append(Site(folder / name, folder / f"{name}.log"))
            return made[-1]

        yield make
        for site in made:
            if site.process is not None and site.process.poll() is None:
                site.kill_all()


@pytest.fixture
def site(sites: Callable[[str], Site]) -> Site:
    return sites("data")


@pytest.mark.long(beside="tests/config/test_runsite.py::test_a_child_whose_parent_has_gone_does_not_start")
def test_the_life_of_a_site(site: Site) -> None:
    """One site through everything that can happen to it, since each start takes seconds."""
    site.start()
    site.wait_ready()
    key = assert_is_well_and_private(site)
    assert_a_second_site_is_refused(site)
    assert_dead_children_are_started_again(site)

    # Whatever waits in the queue must survive a restart, as rows do.  (No worker reads this list.)
    assert site.ask_broker("RPUSH list work").startswith(":1")
    site.ask_database("CREATE TABLE work AS SELECT 1 AS number")
    assert_ends_with_its_children(site, signal.SIGINT)

    site.start()
    site.wait_ready()
    assert site.get("/")[0] == 200
    assert (site.data_dir / "secret_key").read_text() == key
    assert "work" in site.ask_broker("LRANGE list 0 -1")
    assert site.ask_database("SELECT number FROM work") == [(1,)]
    children = site.children()
    site.end(signal.SIGKILL)
    _, alive = psutil.wait_procs(children, timeout=60)
    assert [child.cmdline() for child in alive] == [], "nothing outlives a supervisor that is killed"

    site.start()  # no lock, port or socket is left in the way
    site.wait_ready()
    assert site.end(signal.SIGTERM) == 0, site.text()


@pytest.mark.long(
    beside="tests/config/test_embedded_database.py::test_the_process_that_a_copied_folder_names_is_left_alone"
)
def test_a_copied_folder_is_a_site_of_its_own(sites: Callable[[str], Site]) -> None:
    """The files of the copy name the processes of the other, as if it was copied while that ran."""
    site, copy = sites("data"), sites("copy")
    site.start()
    site.wait_ready()
    site.ask_broker("RPUSH list work")
    site.kill_all()
    subprocess.run(["cp", "-r", site.data_dir, copy.data_dir], check=True)

    site.start()
    site.wait_ready()
    for name in ("postmaster.pid", f"{files.DATABASE_SOCKET}.lock"):
        shutil.copy(site.data_dir / "database" / name, copy.data_dir / "database" / name)
    copy.start()
    copy.wait_ready()
    assert "work" in copy.ask_broker("LPOP list")
    assert "work" in site.ask_broker("LRANGE list 0 -1"), "the copy took the work of the other"
    copy.ask_database("CREATE TABLE only_here ()")
    assert site.ask_database("SELECT to_regclass('only_here')") == [(None,)]
    for one in (copy, site):
        assert _is_well(one)
        assert one.end(signal.SIGTERM) == 0, one.text()


@pytest.mark.long(beside="tests/config/test_embedded_database.py::test_what_was_cut_off_is_made_anew")
def test_a_first_start_may_be_stopped_at_any_time(site: Site) -> None:
    for moment in (
        lambda: (site.data_dir / "database.part" / "PG_VERSION").exists(),
        lambda: "Preparing the database" in site.text(),
    ):
        site.start()
        wait_until(moment, what="the moment")
        children = site.children()
        assert site.end(signal.SIGINT) == 130, site.text()
        assert "Stopped before it was ready." in site.text()
        _, alive = psutil.wait_procs(children, timeout=60)
        assert [child.cmdline() for child in alive] == []
    site.start()
    site.wait_ready()
    assert site.ask_database("SELECT count(*) > 20 FROM django_migrations") == [(True,)]
    assert site.end(signal.SIGTERM) == 0, site.text()


def assert_is_well_and_private(site: Site) -> str:
    """Returns its secret key."""
    assert site.get("/")[0] == 200
    health = wait_until(lambda: json.loads(site.get("/healthz")[1]), what="an answer")
    assert (health["status"], health["failing"]) == ("ok", [])
    assert _mode(site.data_dir) == (0o710 if os.geteuid() == 0 else 0o700)
    assert _mode(site.data_dir / "secret_key") == 0o600
    assert_nobody_else_reaches(files.broker_socket(site.data_dir), site.child("valkey-server"))
    assert_nobody_else_reaches(site.data_dir / "database" / files.DATABASE_SOCKET, site.child("bin/postgres"))
    assert site.ask_broker("PING").startswith("+PONG")
    return (site.data_dir / "secret_key").read_text()


def assert_nobody_else_reaches(path: Path, server: psutil.Process) -> None:
    """It listens on a socket in a folder of its owner alone, and on no port."""
    assert _mode(path.parent) == 0o700
    assert stat.S_ISSOCK(path.stat().st_mode)
    assert server.net_connections(kind="inet") == []
    if os.geteuid() == 0:  # only root may become somebody else
        connect = f"import os, socket; os.setuid(65534); socket.socket(socket.AF_UNIX).connect({str(path)!r})"
        other = subprocess.run([sys.executable, "-c", connect], capture_output=True, text=True, check=False)
        assert "PermissionError" in other.stderr


def assert_a_second_site_is_refused(site: Site) -> None:
    second = Site(site.data_dir, site.log.with_name("second.log"))
    second.start()
    assert second.process is not None
    assert second.process.wait(timeout=60) == 1
    assert "runs already" in second.text()
    assert json.loads(site.get("/healthz")[1])["status"] == "ok"


def assert_dead_children_are_started_again(site: Site) -> None:
    for name, word in (
        ("web", "uvicorn"), ("worker", "celery"), ("broker", "valkey-server"), ("database", "bin/postgres"),
    ):  # fmt: skip
        old = site.child(word)
        old.kill()
        wait_until(partial(_has_said, site, f"{name} ended (SIGKILL)"), what=f"the death of {name} to be noticed")
        wait_until(partial(_revived, site, word, old), what=f"a new {name}")
    wait_until(lambda: _is_well(site), what="health")


def assert_ends_with_its_children(site: Site, how: signal.Signals) -> None:
    children = site.children()
    assert len(children) >= 3
    assert site.end(how) == 0, site.text()
    _, alive = psutil.wait_procs(children, timeout=60)
    assert [child.cmdline() for child in alive] == []
    assert "Stopped." in site.text()


@pytest.mark.long(beside="tests/config/test_runsite.py::test_a_child_whose_parent_has_gone_does_not_start")
def test_a_port_in_use_is_named(site: Site) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", site.port))
        taken.listen()
        site.start()
        assert site.process is not None
        assert site.process.wait(timeout=60) == 1
    assert f"Port {site.port}" in site.text()


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def _has_said(site: Site, words: str) -> bool:
    return words in site.text()


def _revived(site: Site, word: str, old: psutil.Process) -> bool:
    try:
        return bool(site.child(word).pid != old.pid)
    except (ValueError, psutil.NoSuchProcess):
        return False  # not there yet


def _is_well(site: Site) -> bool:
    try:
        return bool(json.loads(site.get("/healthz")[1])["status"] == "ok")
    except OSError:
        return False  # the web server is not back yet


def test_a_child_whose_parent_has_gone_does_not_start() -> None:
    command = [
        sys.executable,
        "-m",
        "config.site.child",
        str(os.getppid()),
        "",
        sys.executable,
        "-c",
        "print('started')",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
