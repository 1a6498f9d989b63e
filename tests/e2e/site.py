"""The real site in a thread of the tests: pages, API and sockets."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.wsgi import get_wsgi_application

from config.http.protocols import SocketProtocol
from replays.play.sockets.shared_counts import shared_counts
from replays.play.sockets.socket_limits import limits_of_process
from replays.play.solo.playing import database
from replays.play.wire import MAX_CLIENT_BYTES
from tests.services import free_port, wait_until


@dataclass(frozen=True)
class Site:
    """A running site."""

    port: int
    tls: bool = False

    @property
    def url(self) -> str:
        """Address of its pages."""
        return f"http{'s' if self.tls else ''}://localhost:{self.port}"

    @property
    def socket_url(self) -> str:
        """Address of its sockets; a program that opens one sends ``url`` as its origin."""
        return f"ws{'s' if self.tls else ''}://localhost:{self.port}"


@contextmanager
def running_site(certificate: Path | None = None, *, collected: bool = False) -> Iterator[Site]:
    """The ASGI application of the site under uvicorn, in a thread of this process: on the test database, with the
    settings of the test, and with static files as they are in the source tree, or as they were ``collected``.

    ``certificate``: a file with a certificate and its key, for https.
    """
    from config.asgi import application_of  # reads the settings

    _forget_limits()  # those of this test have its settings, and no sockets of another
    port = free_port()
    pages = get_wsgi_application()
    application: Any = application_of(pages if collected else StaticFilesHandler(pages))
    # As config.site.processes.WEB_OPTIONS, but that it ends without a last second for each browser.
    config = uvicorn.Config(
        application, host="localhost", port=port, ws=SocketProtocol, ws_max_size=MAX_CLIENT_BYTES,
        ws_per_message_deflate=False, ws_ping_interval=0, loop="uvloop", lifespan="off", proxy_headers=False,
        log_level="warning", timeout_graceful_shutdown=5, ssl_certfile=certificate, ssl_keyfile=certificate,
    )  # fmt: skip
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, name="site")
    thread.start()
    try:
        wait_until(lambda: server.started or not thread.is_alive(), seconds=30, what="the site")
        assert thread.is_alive(), "the site could not be started"
        yield Site(port, certificate is not None)
    finally:
        server.should_exit = True
        thread.join(timeout=30)
        _finish_live_games()
        _forget_limits()


def _finish_live_games() -> None:
    """Wait for what live games still read and write, so that no connection is left when the database is removed."""
    database._ASKS.submit(int).result(timeout=60)


def _forget_limits() -> None:
    limits_of_process.cache_clear()
    shared_counts.cache_clear()
