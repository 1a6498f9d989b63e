"""Ten common calls of the API on a site with demo games: bytes and milliseconds plain, compressed, and with the ETag.

    make bench-api

It runs under pytest for the site, and only prints: what must hold is in ``tests/config/api/test_reading.py``.  Bytes are those
of the body as it travels; milliseconds are the median over one connection, from the request to the last byte.
"""

from __future__ import annotations

import statistics
import time
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from pytest_django import Settings

from players.models import User
from tests.e2e.demo_pages import demo_pages
from tests.e2e.site import Site
from tests.e2e.test_first_view import asgi_site as asgi_site
from tests.e2e.test_first_view import static_root as static_root
from tests.replays.conftest import store as store

_GAMES: Final = 640  # as on the site that `make run` fills
_OWN_GAMES: Final = 5_000
_TIMES: Final = 21


def calls(pages: dict[str, str]) -> dict[str, str]:
    """The ten calls; ``pages``: addresses of pages, whose rows they are about."""
    return {
        "index": "/",
        "board": "/leaderboards/expert/time/",
        "board, 200 rows": "/leaderboards/expert/time/?size=200",
        "records": "/records/",
        "replays": "/replays/",
        "replay": pages["replay"],
        "player": pages["player"],
        "search": "/search/?q=expert",
        "film": f"{pages['replay']}film/",
        "luck": f"{pages['replay']}luck/",
    }


def ask(connection: HTTPConnection, address: str, headers: dict[str, str]) -> tuple[int, int, float, str]:
    """Return status, bytes, median milliseconds and ETag."""
    taken = []
    for _time in range(_TIMES):
        started = time.perf_counter()
        connection.request("GET", address, headers=headers)
        answer = connection.getresponse()
        body = answer.read()
        taken.append(1000 * (time.perf_counter() - started))
    return answer.status, len(body), statistics.median(taken), answer.headers.get("ETag", "")


def test_calls(asgi_site: Site, owner: User, store: Path, settings: Settings) -> None:
    settings.FILM_RATE = settings.POSITION_RATE = settings.SEARCH_RATE = "1000000/minute"
    pages = demo_pages(owner, _GAMES, _OWN_GAMES)
    address = urlsplit(asgi_site.url)
    with closing(HTTPConnection(str(address.hostname), address.port)) as connection:
        print_table(connection, calls(pages))


def print_table(connection: HTTPConnection, addresses: dict[str, str]) -> None:
    print(f"\n{'':<18}{'plain':>20}{'compressed':>20}{'conditional':>20}")
    print(f"{'':<18}{'bytes':>10}{'ms':>10}{'bytes':>10}{'ms':>10}{'bytes':>10}{'ms':>10}")
    for name, path in addresses.items():
        found = []
        for headers in ({}, {"Accept-Encoding": "gzip"}):
            status, size, taken, tag = ask(connection, f"/api/v1{path}", headers)
            assert status == 200, (path, status)
            found.append((size, taken))
        status, size, taken, _tag = ask(connection, f"/api/v1{path}", {"Accept-Encoding": "gzip", "If-None-Match": tag})
        assert status == 304, (path, status)
        found.append((size, taken))
        print(f"{name:<18}" + "".join(f"{size:10,}{taken:10.1f}" for size, taken in found))
