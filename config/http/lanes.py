"""Queues of requests by what they cost, so that nobody waits for what others have computed."""

from __future__ import annotations

import re
from contextlib import AbstractAsyncContextManager
from typing import Any, Final

from config.http.bodies import UPLOAD_PATHS, WATCH_PATHS
from players.web.addresses import address_behind_proxies
from players.web.turns import COMPUTED, Turns

#: Pages of one address that are worked on at a time.
PER_ADDRESS: Final = 2
#: What is read from memory or from the disk.
_FILES: Final = re.compile(r"/(static/.*|robots\.txt|favicon\.ico|healthz|readyz|metrics)$")
#: What has to be computed (``COMPUTED``), by address.
COMPUTED_PATHS: Final = re.compile(
    r"/(card\.png|compare|film|frame\.png|laying|luck|needless-guesses|odds|one-and-two|play/games/[^/]+|position"
    r"|probability|puzzles/[^/]+|review|route|rzini|solver(/games|/moves)?)/?$"
)
#: Pages that gather many rows without a query, as others do with one.
_DEAR_PATHS: Final = re.compile(
    r"/(leaderboards/(corpses|countries|improvements|sub)/.*|by-3bv/.*|charts/.+|history|progress/.*|ranks/.*|rows\.\w+"
    r"|versus/.*|schema)/?$"
)
#: Forms with a password, which takes a processor a good part of a second to check.
PASSWORD_PATHS: Final = re.compile(r"^/(sign-in|sign-up|password-reset/.+|account/(confirm|delete|password))/?$")


class Lanes:
    """The turns of each sort of requests; computed ones share theirs with the searches for boards of games."""

    def __init__(self) -> None:
        self._files = Turns(8, of_address=4, most_waiting=200)
        self._pages = Turns(10, of_address=PER_ADDRESS, most_waiting=200, wait_seconds=60)
        self._dear = Turns(1, rests=True)
        self._passwords = Turns(1, most_waiting=1)
        self._uploads = Turns(2, most_waiting=200, wait_seconds=600, rests=True)

    def turn(self, environ: dict[str, Any]) -> AbstractAsyncContextManager[None]:
        address = address_behind_proxies(environ["REMOTE_ADDR"], environ.get("HTTP_X_FORWARDED_FOR", ""))
        return self._turns_for(environ).turn(address)

    def _turns_for(self, environ: dict[str, Any]) -> Turns:
        path, is_sent = environ["PATH_INFO"], environ["REQUEST_METHOD"] == "POST"
        if _FILES.match(path):
            return self._files
        if COMPUTED_PATHS.search(path) or (is_sent and path in WATCH_PATHS):
            return COMPUTED
        if is_sent and path in UPLOAD_PATHS:
            return self._uploads
        if is_sent:
            return self._passwords if PASSWORD_PATHS.match(path) else self._pages
        return self._dear if environ["QUERY_STRING"] or _DEAR_PATHS.search(path) else self._pages
