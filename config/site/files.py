"""The files of `make run` in DATA_DIR besides the data: a secret key and the port of the embedded broker.

The settings read both, so that every management command reaches the same site.  Must not import Django, since it runs
before the settings are read.
"""

from __future__ import annotations

import os
import secrets
import socket
from pathlib import Path

SECRET_KEY_FILE = "secret_key"  # noqa: S105 - the name of the file
BROKER_PORT_FILE = "broker_port"
BROKER_DIR = "broker"
_LOCALHOST = "127.0.0.1"


def prepare(data_dir: Path) -> None:
    """Create the folder, readable by its owner only, and the secret key, and choose a port for the broker."""
    data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    data_dir.chmod(0o700)
    if not secret_key(data_dir):
        _write_private(data_dir / SECRET_KEY_FILE, secrets.token_urlsafe(48))
    if not broker_url(data_dir):
        choose_broker_port(data_dir)


def secret_key(data_dir: Path) -> str:
    """The site's own secret key, or "" if there is none."""
    return _text(data_dir / SECRET_KEY_FILE)


def broker_url(data_dir: Path) -> str:
    """The address of the embedded broker, or "" if none was ever started."""
    port = _text(data_dir / BROKER_PORT_FILE)
    return f"redis://{_LOCALHOST}:{int(port)}/0" if port.isdecimal() else ""


def broker_port(data_dir: Path) -> int:
    """The port of the embedded broker, after ``prepare``."""
    return int(_text(data_dir / BROKER_PORT_FILE))


def choose_broker_port(data_dir: Path) -> int:
    """Choose a free port and store it, so that a restart uses the same one and two checkouts use different ones."""
    with socket.socket() as probe:
        probe.bind((_LOCALHOST, 0))
        port: int = probe.getsockname()[1]
    _write_private(data_dir / BROKER_PORT_FILE, str(port))
    return port


def port_is_free(host: str, port: int) -> bool:
    """Whether a server can listen there, also while closed connections are in TIME_WAIT."""
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
