"""The files of `make run` in DATA_DIR besides the data: a secret key and the sockets of broker and database.

The settings read them, so that every management command reaches the same site.  Must not import Django, since it runs
before the settings are read.

Both listen on a socket file in a folder that nobody else may enter, and on no port: whoever can connect may change what
is stored, queued and cached.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import socket
from pathlib import Path
from typing import Final

from config import redis_urls

SECRET_KEY_FILE = "secret_key"  # noqa: S105 - the name of the file
BROKER_DIR = "broker"
DATABASE_DIR = "database"
#: The owner of the embedded database, who is asked for no password.
DATABASE_USER = "sweepbook"
DATABASE_NAME = "postgres"
DATABASE_PORT = "5432"  # it only names the socket
_BROKER_SOCKET: Final = "valkey.sock"
DATABASE_SOCKET = f".s.PGSQL.{DATABASE_PORT}"
#: Longer paths of sockets macOS refuses (Linux allows four bytes more); other characters mean something in an address or
#: a list of folders.
_PLAIN_PATH: Final = re.compile(r"[\w./-]{1,103}", re.ASCII)
#: Where links to longer paths are; the same for every process, whatever its TMPDIR.
_LINKS: Final = Path("/tmp")  # noqa: S108 - see ``_link``


def prepare(data_dir: Path) -> None:
    """Create the folder, readable by its owner only, the secret key, and links to sockets with long paths.

    Raises ``FileExistsError`` if somebody else has made a file in the place of a link.
    """
    data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    # Under root another user runs the database (``config.site.database``), and must pass.
    data_dir.chmod(0o710 if os.geteuid() == 0 else 0o700)
    if not secret_key(data_dir):
        _write_private(data_dir / SECRET_KEY_FILE, secrets.token_urlsafe(48))
    broker_folder(data_dir)
    for folder, name in ((data_dir / BROKER_DIR, _BROKER_SOCKET), (data_dir / DATABASE_DIR, DATABASE_SOCKET)):
        _link(_short(folder, name), folder)


def secret_key(data_dir: Path) -> str:
    """Return "" if there is none."""
    return _text(data_dir / SECRET_KEY_FILE)


def broker_url(data_dir: Path) -> str:
    """Return "" if none was ever started."""
    return redis_urls.socket_url(str(broker_socket(data_dir))) if (data_dir / BROKER_DIR).is_dir() else ""


def broker_socket(data_dir: Path) -> Path:
    return _short(data_dir / BROKER_DIR, _BROKER_SOCKET) / _BROKER_SOCKET


def database_socket_folder(data_dir: Path) -> Path:
    return _short(data_dir / DATABASE_DIR, DATABASE_SOCKET)


def broker_folder(data_dir: Path) -> Path:
    """Return a folder that only its owner may enter."""
    folder = data_dir / BROKER_DIR
    folder.mkdir(mode=0o700, exist_ok=True)
    folder.chmod(0o700)
    return folder


def _short(folder: Path, socket_name: str) -> Path:
    """Return ``folder``, or a link to it where the path of its socket would be too long or have odd characters.

    Follows from the path alone, so that a copied or moved site never meets the services of the other.
    """
    if _PLAIN_PATH.fullmatch(str(folder / socket_name)):
        return folder
    name = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    return _LINKS / f"sweepbook-{name}"


def _link(link: Path, folder: Path) -> None:
    if link == folder:
        return
    with contextlib.suppress(FileExistsError):
        link.symlink_to(folder)
    # In a folder where everybody may write, a stranger's link would lead to a stranger's services.
    if link.lstat().st_uid != os.geteuid() or not link.is_symlink() or link.readlink() != folder:
        raise FileExistsError(f"{link} is in the way of the sockets of {folder}: remove it.")


def listens(path: Path) -> bool:
    """Return whether a server listens on the socket; a killed server leaves the file behind, and nothing listens."""
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
    return True


def port_is_free(host: str, port: int) -> bool:
    """Return whether a server can listen on this port, also while closed connections are in TIME_WAIT."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def _text(path: Path) -> str:
    return path.read_text().strip() if path.is_file() else ""


def _write_private(path: Path, text: str) -> None:
    """Write atomically, readable by the owner only."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
