from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path

from django.conf import settings

from config import env
from config.site import broker, database
from config.site.supervisor import Child

_WEB_STOP_SECONDS = 10
_BROKER_STOP_SECONDS = 20
_DATABASE_STOP_SECONDS = 60
_REFEREE_STOP_SECONDS = 10


def child_environment(address: str) -> dict[str, str]:
    made = {"PYTHONUNBUFFERED": "1", "DJANGO_SETTINGS_MODULE": "config.settings"}
    # Celery warns root at length because of pickled tasks; ours are JSON.
    made["PYTHONWARNINGS"] = "ignore:You're running the worker with superuser privileges"
    made["LOG_REQUESTS"] = os.environ.get("LOG_REQUESTS") or "false"  # they would bury the other messages
    if not os.environ.get("SITE_URL"):
        made["SITE_URL"] = address
    return {**os.environ, **made}


def database_child(data_dir: Path, environment: Mapping[str, str]) -> Child:
    # SIGINT ends open connections; with SIGTERM the server would wait for whoever looks at the site with psql.
    return Child(
        "database", database.command(data_dir), environment, _DATABASE_STOP_SECONDS,
        stop_signal=signal.SIGINT, user=database.user(),
    )  # fmt: skip


def broker_child(data_dir: Path, environment: Mapping[str, str]) -> Child:
    return Child("broker", broker.command(data_dir), environment, _BROKER_STOP_SECONDS)


def worker_child(data_dir: Path, environment: Mapping[str, str]) -> Child:
    """A worker that also runs Celery beat, so that one machine needs no third process."""
    command = [sys.executable, "-m", "celery", "-A", "config", "--quiet", "worker", "-B"]
    command += [f"--concurrency={env.value('WORKER_PROCESSES')}", "--loglevel=WARNING"]
    command += ["--without-gossip", "--without-mingle", f"--schedule={data_dir / 'beat'}"]
    # A warm shutdown finishes the running task first.
    return Child("worker", command, environment, settings.CELERY_TASK_TIME_LIMIT + 10)


#: Options of the web server, for sockets first.  A message of a browser is at most 16 KiB (``replays.play.wire``), larger
#: ones close the socket with 1009; compressed messages would cost 250 KiB a socket; pings are ours, which measure.
#: The address of a visitor is found by NUM_PROXIES (players.web.addresses); the server would believe any sender here.
WEB_OPTIONS = (
    "--http=config.http.protocols:RequestProtocol",
    "--ws=config.http.protocols:SocketProtocol",
    "--ws-max-size=16384",
    "--ws-per-message-deflate=false",
    "--ws-ping-interval=0",
    "--loop=uvloop",
    "--no-proxy-headers",
    "--lifespan=off",
    "--no-access-log",
    "--log-level=warning",
)


def web_child(host: str, port: int, environment: Mapping[str, str]) -> Child:
    command = [sys.executable, "-m", "uvicorn", "config.asgi:application", "--host", host, "--port", str(port)]
    command += [*WEB_OPTIONS, f"--timeout-graceful-shutdown={_WEB_STOP_SECONDS - 5}"]
    return Child("web", command, environment, _WEB_STOP_SECONDS)


def referee_child(environment: Mapping[str, str]) -> Child:
    return Child("referee", [sys.executable, "manage.py", "referee"], environment, _REFEREE_STOP_SECONDS)


def embedded_broker_is_wanted() -> bool:
    return not env.value("REDIS_URL")


def embedded_database_is_wanted() -> bool:
    return not env.value("DATABASE_URL")
