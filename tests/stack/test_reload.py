"""The very command of `docs/deploy.md` for the web server, on a socket that outlives it: a reload and a restart lose no request."""

from __future__ import annotations

import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.config.test_deploy import documented_command
from tests.services import wait_until
from tests.worker import ROOT

pytestmark = pytest.mark.stack

_EVERY_SECONDS = 0.05
_IN_A_ROW = 40  # answers of the new version after which no old process answers any more
_ANSWER_SECONDS = 60
#: Gives a program the socket as file descriptor 3, as systemd does.
_AS_THIRD = "import os, sys; os.dup2(int(sys.argv[1]), 3); os.execv(sys.argv[2], sys.argv[2:])"


class Connection(http.client.HTTPConnection):
    """HTTP over a socket file."""

    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=_ANSWER_SECONDS)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(_ANSWER_SECONDS)
        self.sock.connect(str(self._path))


class Visitors:
    """Twenty requests a second, each over a connection of its own, whatever became of those before."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._over = threading.Event()
        self._pool = ThreadPoolExecutor(200)
        self._pacer = threading.Thread(target=self._run)
        self.answers: list[str] = []  # the version that answered
        self.errors: list[str] = []

    def __enter__(self) -> Visitors:
        self._pacer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._pacer.join()
        self._pool.shutdown(cancel_futures=True)

    def _run(self) -> None:
        while not self._over.wait(_EVERY_SECONDS):
            self._pool.submit(self._visit)

    def _visit(self) -> None:
        connection = Connection(self._path)
        try:
            connection.request("GET", "/robots.txt")
            answer = connection.getresponse()
            text = answer.read().decode()
            assert answer.status == 200, answer.status
            self.answers.append(text.rsplit("# ", 1)[1].strip())
        except Exception as error:
            self.errors.append(repr(error))
        finally:
            connection.close()

    def wait_for(self, version: str, server: Server) -> None:
        """Until ``version`` alone answers."""

        def answers() -> bool:
            assert server.runs(), server.text[-2000:]
            return self.answers[-_IN_A_ROW:] == [version] * _IN_A_ROW

        wait_until(answers, seconds=180, what=version)


class Server:
    """The command in a copy of the code, with the listening socket as file descriptor 3, as systemd passes it."""

    def __init__(self, folder: Path) -> None:
        self.code = folder / "code"
        for name in ("config", "replays", "players", "analysis", "templates"):
            shutil.copytree(ROOT / name, self.code / name, ignore=shutil.ignore_patterns("__pycache__"))
        self._log = folder / "log"
        self._data = folder / "data"
        self.path = folder / "web.sock"
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.path))
        self.listener.listen(2048)
        self._process: subprocess.Popen[bytes] | None = None

    def write(self, version: str) -> None:
        """Change the code."""
        source = self.code / "config" / "http" / "plain.py"
        original = (ROOT / "config" / "http" / "plain.py").read_text()
        source.write_text(original.replace('cursor=\n"""', f'cursor=\n# {version}\n"""'))
        assert version in source.read_text()

    def start(self) -> None:
        descriptor = self.listener.fileno()
        command = documented_command("web")
        program = Path(sys.executable).with_name(command[0])
        started = [sys.executable, "-c", _AS_THIRD, str(descriptor), str(program), *command[1:]]
        environment = os.environ | {"DATA_DIR": str(self._data), "DATABASE_URL": "", "PYTHONPATH": ""}
        with self._log.open("ab") as output:
            self._process = subprocess.Popen(
                started, cwd=self.code, env=environment, pass_fds=(descriptor,), stdout=output,
                stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip

    def runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def reload(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGHUP)

    def stop(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(timeout=180)
            self._process = None

    def end(self) -> None:
        """Kill whatever is left, and close the socket."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self.listener.close()

    @property
    def text(self) -> str:
        return self._log.read_text(errors="replace")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    made = Server(tmp_path)
    yield made
    made.end()


@pytest.mark.long(beside="tests/config/test_supervisor.py::test_a_process_that_ran_well_is_started_again_at_once")
def test_reload_and_restart_under_twenty_requests_a_second(server: Server) -> None:
    server.write("first")
    server.start()
    with Visitors(server.path) as visitors:
        visitors.wait_for("first", server)
        server.write("after the reload")
        server.reload()
        visitors.wait_for("after the reload", server)
        server.write("after the restart")
        server.stop()
        server.start()
        visitors.wait_for("after the restart", server)
        time.sleep(1)  # the last are under way
    assert visitors.errors == [], server.text[-2000:]
    assert set(visitors.answers) == {"first", "after the reload", "after the restart"}
