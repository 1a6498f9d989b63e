from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.db import connections

from analysis import warmup
from config.site import broker, database, files, preparing, processes
from config.site.child import bound
from config.site.demo import DEMO_LOGIN_FILE, demo_is_wanted
from config.site.supervisor import Supervisor
from config.version import version
from replays.upload.kernels import KERNELS_OF_THE_SITE

_DEFAULT_PORT = 8000
_START_SECONDS = 60


class Command(BaseCommand):
    help = "Prepares everything, then runs web server, worker and broker until Ctrl-C."
    requires_system_checks: list[str] = []  # `prepare` makes what they look for; `migrate` runs them

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
        parser.add_argument("--port", type=int, default=_DEFAULT_PORT, help="port to listen on (default: %(default)s)")
        parser.add_argument("--no-demo", action="store_true", help="leave an empty database empty")

    def handle(self, *args: Any, host: str, port: int, no_demo: bool, **options: Any) -> None:
        data_dir: Path = settings.DATA_DIR
        with _only_one(data_dir):
            if not files.port_is_free(host, port):
                raise CommandError(f"Port {port} on {host} is in use. Choose another: --port NUMBER.")
            address = f"http://{'localhost' if host in {'127.0.0.1', '0.0.0.0', '::'} else host}:{port}"  # noqa: S104
            supervisor = Supervisor(self._say)
            try:
                self._run(supervisor, data_dir, host, port, address, demo=not no_demo)
            except KeyboardInterrupt:
                raise CommandError("Stopped before it was ready.", returncode=130) from None
            finally:
                supervisor.stop()
        self._say("Stopped.")

    def _prepare(self, supervisor: Supervisor, data_dir: Path, environment: dict[str, str]) -> None:
        if processes.embedded_database_is_wanted():
            database.prepare(data_dir)
            supervisor.add(processes.database_child(data_dir, environment))
            supervisor.wait(_within_limit(lambda: database.answers(data_dir), "the database"))
        preparing.prepare(self._say)

    def _run(self, supervisor: Supervisor, data_dir: Path, host: str, port: int, address: str, *, demo: bool) -> None:
        """The web server starts first, so pages are served while the worker still compiles the kernels."""
        environment = processes.child_environment(address)
        self._prepare(supervisor, data_dir, environment)
        demo = demo and demo_is_wanted()
        connections.close_all()  # the supervisor itself needs none while it waits
        supervisor.listen()
        if processes.embedded_broker_is_wanted():
            broker.clear_the_way(data_dir)
            supervisor.add(processes.broker_child(data_dir, environment))
            if not supervisor.wait(_within_limit(lambda: broker.answers(data_dir), "the broker")):
                return
        supervisor.add(processes.web_child(host, port, environment))
        if not supervisor.wait(_within_limit(lambda: not files.port_is_free(host, port), "the web server")):
            return
        self._say(f"\n  Sweepbook {version()} is ready: {address}   (Ctrl-C stops it)\n")
        supervisor.add(processes.referee_child(environment))
        supervisor.add(processes.worker_child(data_dir, environment))
        if not all(map(warmup.is_ready, KERNELS_OF_THE_SITE)):
            self._say("The first start compiles for some minutes; films and uploads wait for it.")
        if demo and not self._make_demo(supervisor, environment):
            return
        self._say_login(data_dir)
        supervisor.wait()

    def _make_demo(self, supervisor: Supervisor, environment: dict[str, str]) -> bool:
        """Make the demo games while the site runs, since they are uploaded and analysed like all others."""
        self._say("The site is empty: bots play demo games for it.")
        command = bound([sys.executable, "manage.py", "make_demo"])
        with subprocess.Popen(command, cwd=settings.BASE_DIR, env=environment, start_new_session=True) as maker:  # noqa: S603
            if not supervisor.wait(lambda: maker.poll() is not None):
                maker.terminate()
                return False
        if maker.returncode:
            self._say("The demo games are incomplete; the next start goes on with them.")
        return True

    def _say_login(self, data_dir: Path) -> None:
        login = data_dir / DEMO_LOGIN_FILE
        if login.is_file():
            name, password = json.loads(login.read_text())
            self._say(f"  Demo account: {name}   password: {password}\n")

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


@contextmanager
def _only_one(data_dir: Path) -> Iterator[None]:
    """Hold the lock of the folder: two sites on it would start two brokers on the same files."""
    with (data_dir / "site.lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise CommandError(f"The site runs already on {data_dir} (process {lock.read().strip()}).") from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


def _within_limit(condition: Callable[[], bool], what: str) -> Callable[[], bool]:
    """``condition``, with a ``CommandError`` if it is not true within ``_START_SECONDS``."""
    deadline = time.monotonic() + _START_SECONDS

    def checked() -> bool:
        if condition():
            return True
        if time.monotonic() > deadline:
            raise CommandError(
                f"{what} did not start within {_START_SECONDS} s; see its messages above and in {settings.DATA_DIR}."
            )
        return False

    return checked
