"""A site as `make run` starts it, with games of bots and one game on the largest board."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import psutil

from config import env
from tests.bench.attacks.kinds import Target
from tests.replays.games import largest_game
from tests.services import free_port, wait_until

ROOT = Path(__file__).resolve().parents[3]
#: Prints the tokens of four accounts that may upload.
_TOKENS = """
from players.models import User
from players.tokens.scopes import Scope
from players.tokens.services import token_create
for number in range(4):
    print(token_create(User.objects.create_user(f"uploader{number}"), "bench", [Scope.UPLOAD])[1])
"""


@dataclass(frozen=True)
class Site:
    """A running site: its supervisor, what is attacked, and what a visitor reads."""

    supervisor: psutil.Process
    target: Target
    paths: tuple[str, ...]
    home: Path

    def web(self) -> psutil.Process:
        """The web server."""
        (found,) = [child for child in self.supervisor.children() if "uvicorn" in " ".join(child.cmdline())]
        return found

    def health(self) -> dict[str, object]:
        """Return the answer of ``/healthz``."""
        values: dict[str, object] = json.loads(_get(self.target.port, "/healthz"))
        return values


@contextmanager
def running(home: Path, games: int, **settings: str) -> Iterator[Site]:
    """A site in the folder ``home`` with ``games`` games of bots; ends with the block."""
    names = {variable.name for variable in env.VARIABLES} | {"DJANGO_SETTINGS_MODULE"}
    environment = {name: text for name, text in os.environ.items() if name not in names}
    environment |= {"ENV_FILE": os.devnull, "DATA_DIR": str(home / "data"), **settings}
    port = free_port()
    with (home / "site.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "runsite", "--no-demo", f"--port={port}"],
            cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT,
        )  # fmt: skip
    try:
        wait_until(lambda: _is_ready(process, home), seconds=240, what="the site")
        _manage(environment, "make_demo", f"--games={games}")
        large = home / "large.rawvf"
        large.write_bytes(largest_game())
        _manage(environment, "import_replays", "--inline", str(large))
        target, paths = _paths(port)
        target = replace(target, tokens=tuple(_manage(environment, "shell", "-v0", "-c", _TOKENS).split()))
        yield Site(psutil.Process(process.pid), target, paths, home)
    finally:
        process.terminate()
        process.wait(timeout=120)


def _is_ready(process: subprocess.Popen[bytes], home: Path) -> bool:
    text = (home / "site.log").read_text(errors="replace")
    assert process.poll() is None, text
    return "is ready" in text


def _paths(port: int) -> tuple[Target, tuple[str, ...]]:
    """The largest game, and a home page, a board, a player and a replay."""
    newest = json.loads(_get(port, "/api/v1/replays/?size=50"))["rows"]
    large = next(row["id"] for row in newest if row["level"] == "custom")
    small = next(row for row in newest if row["level"] == "expert")
    page = _get(port, f"/replays/{small['id']}/")
    player = re.search(r'href="(/players/\d+/)"', page)
    assert player is not None
    docs = re.search(r'src="(/static/[^"]*swagger-ui-bundle[^"]*)"', _get(port, "/api/v1/docs/"))
    assert docs is not None
    paths = ("/", "/leaderboards/expert/time/", player[1], f"/replays/{small['id']}/")
    for path in paths:
        _get(port, path)
    others = tuple(f"/replays/{row['id']}/" for row in newest if row["id"] != large)
    return Target(port, f"/replays/{large}/", docs[1], others), paths


def _get(port: int, path: str) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=60) as answer:
        text: str = answer.read().decode()
    return text


def _manage(environment: dict[str, str], *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
