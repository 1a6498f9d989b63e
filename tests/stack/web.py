"""A real web server process for tests, and plain requests to it."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from config.site.processes import WEB_OPTIONS
from tests.services import free_port, wait_until
from tests.worker import ROOT

_BOUNDARY = "a-line-that-no-replay-has"
_IDLE_SECONDS = 2  # the server ends connections that have been idle for five


@dataclass(frozen=True)
class Answer:
    """A response."""

    status: int
    body: bytes

    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


@dataclass
class Visitor:
    """Sends requests over its own connection, with ``headers`` for authentication; call ``close`` at the end."""

    port: int
    headers: dict[str, str] = field(default_factory=dict)
    _connection: http.client.HTTPConnection | None = None
    _used_at: float = 0.0

    def get(self, path: str) -> Answer:
        """GET ``path``."""
        return self._send("GET", path, None, {})

    def upload(self, name: str, data: bytes) -> Answer:
        """Send one replay file to the API."""
        head = f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        body = head.encode() + data + f"\r\n--{_BOUNDARY}--\r\n".encode()
        kind = {"Content-Type": f"multipart/form-data; boundary={_BOUNDARY}"}
        return self._send("POST", "/api/v1/replays/", body, kind)

    def close(self) -> None:
        """End the connection."""
        if self._connection is not None:
            self._connection.close()

    def _send(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Answer:
        if self._connection is None or time.monotonic() - self._used_at > _IDLE_SECONDS:
            self.close()
            self._connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            self._connection.request(method, path, body, {**self.headers, **headers})
            response = self._connection.getresponse()
            self._used_at = time.monotonic()
            return Answer(response.status, response.read())
        except (http.client.HTTPException, OSError):
            self._connection.close()  # the next request begins a new one
            raise


@cache
def collect_static_files(data_dir: str) -> None:
    """Run ``collectstatic`` once for all servers of a folder."""
    command = [sys.executable, "manage.py", "collectstatic", "--noinput", "-v0"]
    environment = os.environ | {"DATA_DIR": data_dir, "SECRET_KEY": "collecting signs nothing"}  # benchmarks have none
    subprocess.run(command, cwd=ROOT, env=environment, check=True, timeout=300)


class Web:
    """``uvicorn config.asgi:application``, as ``manage.py runsite`` starts it."""

    def __init__(self, log: Path, environment: Mapping[str, str]) -> None:
        self.log = log
        self.port = free_port()
        self._environment = environment
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Collect what pages load, start the server and wait until it answers."""
        collect_static_files(self._environment["DATA_DIR"])
        command = [sys.executable, "-m", "uvicorn", "config.asgi:application", f"--port={self.port}"]
        command += WEB_OPTIONS
        with self.log.open("ab") as output:
            self._process = subprocess.Popen(
                command, cwd=ROOT, env={**self._environment}, stdout=output, stderr=subprocess.STDOUT,
                start_new_session=True,
            )  # fmt: skip
        wait_until(self._answers, seconds=120, what=f"the web server; its log is {self.log}")

    @property
    def pid(self) -> int:
        """Process id of the running server."""
        assert self._process is not None
        return self._process.pid

    def stop(self) -> None:
        """End the server.  Nothing happens if it does not run."""
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(timeout=60)
            self._process = None

    def text(self) -> str:
        """All that the server has logged."""
        return self.log.read_text(errors="replace")

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, f"the web server ended: …{self.text()[-2000:]}"
        visitor = Visitor(self.port)
        try:
            return visitor.get("/healthz").status in (200, 503)
        except OSError:
            return False
        finally:
            visitor.close()
