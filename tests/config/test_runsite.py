"""`manage.py runsite`: the whole site from an empty folder, its end, and its restart."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import psutil
import pytest

from config import env
from tests.services import free_port, wait_until

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

    def broker(self) -> str:
        return (self.data_dir / "broker_socket").read_text()

    def _ended(self) -> bool:
        assert self.process is not None
        return self.process.poll() is not None


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    made = Site(tmp_path / "data", tmp_path / "site.log")
    yield made
    if made.process is not None and made.process.poll() is None:
        for child in [*made.children(), psutil.Process(made.process.pid)]:
            child.kill()
        made.process.wait()


def ask_broker(path: str, command: str) -> str:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(5)
        connection.connect(path)
        connection.sendall(command.encode() + b"\r\n")
        return connection.recv(1000).decode()


@pytest.mark.long(beside="tests/config/test_runsite.py::test_a_child_whose_parent_has_gone_does_not_start")
def test_the_life_of_a_site(site: Site) -> None:
    """One site through everything that can happen to it, since each start takes seconds."""
    site.start()
    site.wait_ready()
    key = assert_is_well_and_private(site)
    assert_a_second_site_is_refused(site)
    assert_dead_children_are_started_again(site)

    # Whatever waits in the queue must survive a restart, as rows do.  (No worker reads this list.)
    assert ask_broker(site.broker(), "RPUSH list work").startswith(":1")
    assert_ends_with_its_children(site, signal.SIGINT)
    assert_tables_were_made(site)

    site.start()
    site.wait_ready()
    assert site.get("/")[0] == 200
    assert (site.data_dir / "secret_key").read_text() == key
    assert "work" in ask_broker(site.broker(), "LRANGE list 0 -1")
    children = site.children()
    site.end(signal.SIGKILL)
    _, alive = psutil.wait_procs(children, timeout=60)
    assert [child.cmdline() for child in alive] == [], "nothing outlives a supervisor that is killed"

    site.start()  # no lock, port or socket is left in the way
    site.wait_ready()
    assert site.end(signal.SIGTERM) == 0, site.text()


def assert_is_well_and_private(site: Site) -> str:
    """Returns its secret key."""
    assert site.get("/")[0] == 200
    health = wait_until(lambda: json.loads(site.get("/healthz")[1]), what="an answer")
    assert health == {"status": "ok", "database": True, "broker": True, "disk": True}
    assert _mode(site.data_dir) == 0o700
    assert _mode(site.data_dir / "secret_key") == 0o600
    assert_nobody_else_reaches_the_broker(site)
    return (site.data_dir / "secret_key").read_text()


def assert_nobody_else_reaches_the_broker(site: Site) -> None:
    """It listens on a socket in folders of its owner alone, and on no port."""
    path = Path(site.broker())
    assert _mode(path) == _mode(path.parent) == 0o700
    assert stat.S_ISSOCK(path.stat().st_mode)
    assert site.child("valkey-server").net_connections(kind="inet") == []
    assert ask_broker(site.broker(), "PING").startswith("+PONG")
    if os.geteuid() == 0:  # only root may become somebody else
        connect = f"import os, socket; os.setuid(65534); socket.socket(socket.AF_UNIX).connect({site.broker()!r})"
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
    for name, word in (("web", "uvicorn"), ("worker", "celery"), ("broker", "valkey-server")):
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


def assert_tables_were_made(site: Site) -> None:
    with sqlite3.connect(site.data_dir / "sweepbook.sqlite3") as database:
        migrations = database.execute("SELECT count(*) FROM django_migrations").fetchone()[0]
    database.close()
    assert migrations > 20


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
    command = [sys.executable, "-m", "config.site.child", str(os.getppid()), sys.executable, "-c", "print('started')"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
