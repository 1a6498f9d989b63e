"""The files of `make run` in DATA_DIR besides the data: a secret key and the socket of the embedded broker.

The settings read both, so that every management command reaches the same site.  Must not import Django, since it runs
before the settings are read.

The broker listens on a socket file in a folder that nobody else may enter, and on no port: whoever can connect to it
may change what is queued and cached.
"""

from __future__ import annotations

import os
import secrets
import socket
import stat
import tempfile
from pathlib import Path
from typing import Final

from config import redis_urls

SECRET_KEY_FILE = "secret_key"  # noqa: S105 - the name of the file
BROKER_SOCKET_FILE = "broker_socket"
BROKER_DIR = "broker"
_SOCKET_NAME: Final = "valkey.sock"
#: The longest path of a socket on macOS, with its end; Linux allows four bytes more.
_MAX_SOCKET_BYTES: Final = 103


def prepare(data_dir: Path) -> None:
    """Create the folder, readable by its owner only, and the secret key, and choose a socket for the broker."""
    data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    data_dir.chmod(0o700)
    if not secret_key(data_dir):
        _write_private(data_dir / SECRET_KEY_FILE, secrets.token_urlsafe(48))
    broker_folder(data_dir)
    if not _is_private(broker_socket(data_dir).parent):
        _write_private(data_dir / BROKER_SOCKET_FILE, str(_choose_socket(data_dir)))


def secret_key(data_dir: Path) -> str:
    """Return "" if there is none."""
    return _text(data_dir / SECRET_KEY_FILE)


def broker_url(data_dir: Path) -> str:
    """Return "" if none was ever started."""
    path = _text(data_dir / BROKER_SOCKET_FILE)
    return redis_urls.socket_url(path) if path else ""


def broker_socket(data_dir: Path) -> Path:
    """Return the path that ``prepare`` has chosen."""
    return Path(_text(data_dir / BROKER_SOCKET_FILE) or os.devnull)


def broker_folder(data_dir: Path) -> Path:
    """Return a folder that only its owner may enter."""
    folder = data_dir / BROKER_DIR
    folder.mkdir(mode=0o700, exist_ok=True)
    folder.chmod(0o700)
    return folder


def _choose_socket(data_dir: Path) -> Path:
    """A socket file beside the data of the broker; if that path is too long, in a new private temporary folder."""
    path = broker_folder(data_dir) / _SOCKET_NAME
    if len(os.fsencode(path)) <= _MAX_SOCKET_BYTES:
        return path
    return Path(tempfile.mkdtemp(prefix="sweepbook-"), _SOCKET_NAME)


def _is_private(folder: Path) -> bool:
    """Return whether ``folder`` is a folder of ours, and nobody else may enter it."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not stat.S_IMODE(found.st_mode) & 0o077


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
