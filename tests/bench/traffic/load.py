"""Mixed traffic: four pages in five, API calls, and one upload in twenty, at moments that no answer delays."""

from __future__ import annotations

import hashlib
import http.client
import random
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final

#: Of twenty requests in a row.
_MIX: Final = ["page"] * 16 + ["api"] * 3 + ["upload"]
_THREADS: Final = 128
#: A web process answers two requests of an address at a time.
_ADDRESSES: Final = 100
_TIMEOUT_SECONDS: Final = 60.0
_BOUNDARY: Final = "a-line-that-no-replay-has"


@dataclass(frozen=True)
class Sent:
    """A request: when it should have been sent, its status (0: no answer), and milliseconds from then to the answer."""

    second: float
    kind: str
    status: int
    milliseconds: float


@dataclass
class Traffic:
    """Requests of many visitors at a steady rate; ``sent`` is all that became of them."""

    port: int
    token: str
    pages: Sequence[str]
    api: Sequence[str]
    games: Iterator[bytes]
    sent: list[Sent] = field(default_factory=list)
    #: SHA-256 of the files that the site has taken.
    accepted: set[str] = field(default_factory=set)
    over: threading.Event = field(default_factory=threading.Event)

    def run(self, rate: float, seconds: float) -> list[Sent]:
        """Send ``rate`` requests a second for so long, or until ``over``; those of this run."""
        rng, before, started = random.Random(1), len(self.sent), time.monotonic()
        local = threading.local()
        with ThreadPoolExecutor(_THREADS) as pool:
            number, kinds = 0, list[str]()
            while (due := number / rate) < seconds and not self.over.is_set():
                if not kinds:
                    kinds = rng.sample(_MIX, len(_MIX))
                kind, choice = kinds.pop(), rng.random()
                time.sleep(max(0.0, started + due - time.monotonic()))
                pool.submit(self._send, local, number, kind, choice, started + due, due)
                number += 1
        return self.sent[before:]

    def _send(self, local: threading.local, number: int, kind: str, choice: float, due: float, second: float) -> None:
        body = next_of(self.games) if kind == "upload" else b""
        try:
            status = self._ask(local, number, kind, choice, body)
        except (OSError, http.client.HTTPException):
            local.connection.close()
            local.connection = None
            status = 0
        if status == 202:
            self.accepted.add(hashlib.sha256(body).hexdigest())
        self.sent.append(Sent(second, kind, status, 1000 * (time.monotonic() - due)))

    def _ask(self, local: threading.local, number: int, kind: str, choice: float, body: bytes) -> int:
        connection = getattr(local, "connection", None)
        if connection is None or time.monotonic() - local.used_at > 2:  # the server ends idle ones after five
            address = f"127.0.8.{number % _ADDRESSES + 1}"
            connection = local.connection = http.client.HTTPConnection(
                "127.0.0.1", self.port, timeout=_TIMEOUT_SECONDS, source_address=(address, 0)
            )
        local.used_at = time.monotonic()
        if kind == "upload":
            head = f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{number}.rawvf"\r\n\r\n'
            headers = {
                "Authorization": f"Token {self.token}",
                "Content-Type": f"multipart/form-data; boundary={_BOUNDARY}",
            }
            whole = head.encode() + body + f"\r\n--{_BOUNDARY}--\r\n".encode()
            connection.request("POST", "/api/v1/replays/", whole, headers)
        else:
            paths = self.pages if kind == "page" else self.api
            connection.request("GET", paths[int(choice * len(paths))])
        answer = connection.getresponse()
        answer.read()
        local.used_at = time.monotonic()
        return int(answer.status)


_LOCK: Final = threading.Lock()


def next_of(games: Iterator[bytes]) -> bytes:
    """The next game, for whichever thread asks."""
    with _LOCK:
        return next(games)


def quantile(sent: Sequence[Sent], share: float) -> float:
    """The milliseconds that ``share`` of the requests do not exceed."""
    ordered = sorted(one.milliseconds for one in sent)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def failures(sent: Sequence[Sent]) -> dict[int, Counter[str]]:
    """Count the answers of each second by kind and status, for the seconds in which not all were answered well."""
    seconds: dict[int, Counter[str]] = defaultdict(Counter)
    for one in sent:
        seconds[int(one.second)][f"{one.kind} {one.status or 'no answer'}"] += 1
    good = {"page 200", "api 200", "upload 202"}
    return {second: found for second, found in sorted(seconds.items()) if set(found) - good}
