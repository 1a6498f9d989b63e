"""A site whose parts can be stopped: PostgreSQL with its durable defaults, Valkey, a worker, and web processes."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import psutil

from tests.config.test_deploy import documented_command
from tests.services import wait_until
from tests.stack.web import Visitor, collect_static_files
from tests.worker import ROOT

#: Of the unit of systemd.
_RESTART_SECONDS: Final = 2


class Web:
    """The documented command on a socket that outlives it, started again two seconds after its end, as the unit does."""

    def __init__(self, log: Path, environment: Mapping[str, str], processes: int, port: int) -> None:
        self._log = log
        self._environment = dict(environment)
        self._processes = processes
        self._socket = socket.create_server(("127.0.0.1", port), backlog=2048)
        self._over = threading.Event()
        self._keeper = threading.Thread(target=self._keep)
        self._running: subprocess.Popen[bytes] | None = None
        self.port: int = self._socket.getsockname()[1]

    def start(self) -> None:
        """Collect what pages load, start the server, and wait until it answers."""
        collect_static_files(self._environment["DATA_DIR"])
        self._keeper.start()
        wait_until(self._answers, seconds=120, what=f"the web server; its log is {self._log}")

    def stop(self) -> None:
        """End the server for good."""
        self._over.set()
        self._end(signal.SIGTERM)
        self._keeper.join()
        self._socket.close()

    def kill(self) -> None:
        """``kill -9`` of the server with all its processes, in the middle of whatever they do."""
        self._end(signal.SIGKILL)

    def kill_one(self) -> None:
        """``kill -9`` of one of its web processes."""
        assert self._running is not None
        workers = [
            one for one in psutil.Process(self._running.pid).children() if "spawn_main" in " ".join(one.cmdline())
        ]
        workers[0].kill()

    def _end(self, how: signal.Signals) -> None:
        assert self._running is not None
        if how is signal.SIGKILL:
            os.killpg(self._running.pid, how)
        else:
            self._running.send_signal(how)

    def _keep(self) -> None:
        command = documented_command("web")
        descriptor = self._socket.fileno()
        command[command.index("--fd") + 1] = str(descriptor)
        command[command.index("--workers") + 1] = str(self._processes)
        while not self._over.is_set():
            with self._log.open("ab") as output:
                self._running = subprocess.Popen(
                    [sys.executable, "-m", *command], cwd=ROOT, env=self._environment, pass_fds=[descriptor],
                    stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
                )  # fmt: skip
            self._running.wait()
            self._over.wait(_RESTART_SECONDS)

    def _answers(self) -> bool:
        visitor = Visitor(self.port)
        try:
            return visitor.get("/healthz").status in (200, 503)
        except OSError:
            time.sleep(0.1)
            return False
        finally:
            visitor.close()
