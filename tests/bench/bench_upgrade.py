"""Benchmark of an upgrade: our migrations on a loaded database while the code before them serves it.

    python -m tests.bench.bench_upgrade --before ../older --database postgresql://…

``--before``: a checkout of this project with its ``.venv``; the database is as its migrations leave it, and ours are run
on it.  Two visitors read pages one after the other meanwhile, and a third uploads games.  Shown are the time of each
migration, and of each kind of request how many there were, their median, 99th percentile and longest time in
milliseconds before and during the upgrade, and what failed.  At the end our own code serves the same addresses.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Final

from analysis.bots import demo_games
from analysis.formats import rawvf
from tests.bench.bench_boards import Site, served
from tests.bench.bench_import import ROOT
from tests.stack.web import Answer, Visitor

_BEFORE_SECONDS: Final = 30
_PAUSE_SECONDS: Final = 0.05
_UPLOAD_SECONDS: Final = 0.5
_P99: Final = 0.99
_GAMES: Final = 5_000
#: Run by the code that serves: an account that may upload, and its token.
_TOKEN: Final = """
from players.models import User
from players.tokens.scopes import Scope
from players.tokens.services import token_create
user, _ = User.objects.get_or_create(username="upgrade", defaults={"email": "upgrade@example.org"})
print(token_create(user, "upgrade", [Scope.READ, Scope.UPLOAD])[1])
"""


@dataclass
class Load:
    """Requests without end, with their milliseconds by phase and kind, and what failed."""

    port: int
    phase: str = "before"
    times: dict[tuple[str, str], list[float]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def read(self, addresses: Sequence[str]) -> None:
        visitor = Visitor(self.port)
        for address in cycle(addresses):
            if self.over.wait(_PAUSE_SECONDS):
                return
            self._ask("pages", address, partial(visitor.get, address))

    def upload(self, token: str) -> None:
        visitor = Visitor(self.port, {"Authorization": f"Token {token}"})
        for number, game in enumerate(demo_games(int(time.time()), _GAMES, until=datetime(2024, 6, 1, tzinfo=UTC))):
            if self.over.wait(_UPLOAD_SECONDS):
                return
            self._ask("uploads", f"upload {number}", partial(visitor.upload, "game.rawvf", rawvf.write(game)))

    def _ask(self, kind: str, what: str, request: Callable[[], Answer]) -> None:
        started, phase = time.perf_counter(), self.phase
        try:
            answer = request()
            status = f"{answer.status} {answer.body[:200]!r}" if answer.status not in (200, 202) else ""
        except OSError as error:
            status = repr(error)
        self.times.setdefault((phase, kind), []).append((time.perf_counter() - started) * 1000)
        if status:
            self.failed.append(f"{phase}: {what}: {status}")


@contextmanager
def loaded(site: Site) -> Iterator[Load]:
    load, token = Load(site.port), _shell(site, _TOKEN)
    addresses = list(site.addresses.values())
    threads = [
        threading.Thread(target=load.read, args=(addresses,)), threading.Thread(target=load.read, args=(addresses[::-1],)),
        threading.Thread(target=load.upload, args=(token,)),
    ]  # fmt: skip
    for thread in threads:
        thread.start()
    try:
        yield load
    finally:
        load.over.set()
        for thread in threads:
            thread.join()


def _shell(site: Site, code: str) -> str:
    command = [site.python, "manage.py", "shell", "-v0", "-c", code]
    ran = subprocess.run(command, cwd=site.root, env=site.environment, check=True, capture_output=True, text=True)
    return ran.stdout.split()[-1]


def migrate(environment: dict[str, str]) -> None:
    """Run our migrations, and print what each took."""
    started = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-u", "manage.py", "migrate"], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        last = started
        for line in running.stdout:
            now = time.perf_counter()
            sys.stdout.write(f"{now - last:8.1f} s {line}")
            sys.stdout.flush()
            last = now
    if running.returncode:
        raise RuntimeError(f"migrate ended with {running.returncode}")
    sys.stdout.write(f"{time.perf_counter() - started:8.1f} s in all\n")


def show(load: Load) -> None:
    for (phase, kind), times in sorted(load.times.items()):
        ordered = sorted(times)
        p99 = ordered[min(len(ordered) - 1, int(_P99 * len(ordered)))]
        figures = f"median {statistics.median(ordered):.0f}, p99 {p99:.0f}, longest {ordered[-1]:.0f} ms"
        sys.stdout.write(f"{phase:>8} {kind:<8} {len(ordered):6,}: {figures}\n")
    sys.stdout.write("".join(f"failed: {line}\n" for line in load.failed) or "failed: 0\n")


def main() -> None:
    parser = argparse.ArgumentParser(description="An upgrade while the site serves.")
    parser.add_argument("--before", type=Path, required=True)
    parser.add_argument("--database", required=True)
    arguments = parser.parse_args()
    with ExitStack() as stack:
        folders = [Path(stack.enter_context(tempfile.TemporaryDirectory(dir="/tmp"))) for _ in range(2)]
        older = stack.enter_context(served(arguments.database, folders[0], arguments.before.resolve()))
        load = stack.enter_context(loaded(older))
        time.sleep(_BEFORE_SECONDS)
        load.phase = "during"
        migrate(older.environment)
        load.phase = "after"  # the code before, on the tables after
        time.sleep(_BEFORE_SECONDS)
        newer = stack.enter_context(served(arguments.database, folders[1]))
        visitor = Visitor(newer.port)
        for name, address in newer.addresses.items():
            status = visitor.get(address).status
            if status != 200:
                load.failed.append(f"our code: {name}: {status}")
    show(load)


if __name__ == "__main__":
    main()
