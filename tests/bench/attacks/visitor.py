"""One visitor who walks through the site, and how long each page took."""

from __future__ import annotations

import http.client
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

_TIMEOUT_SECONDS = 60.0


@dataclass
class Walk:
    """Milliseconds of every page, and how many answers had which status (0: none)."""

    milliseconds: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)

    def quantile(self, share: float) -> float:
        """The value that ``share`` of the pages do not exceed."""
        ordered = sorted(self.milliseconds)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def walk(port: int, paths: Sequence[str], seconds: float, source: str = "") -> Walk:
    """Visit ``paths`` in turn over one connection, one page after the other, for ``seconds``; ``source``: from there."""
    walked, connection = Walk(), _connection(port, source)
    end, number = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        started = time.perf_counter()
        try:
            connection.request("GET", paths[number % len(paths)])
            answer = connection.getresponse()
            answer.read()
            status = answer.status
        except (OSError, http.client.HTTPException):
            connection.close()
            connection, status = _connection(port, source), 0
        walked.milliseconds.append(1000 * (time.perf_counter() - started))
        walked.statuses[status] += 1
        number += 1
    connection.close()
    return walked


def look_in(port: int, path: str, seconds: float, every: float = 0.1) -> Walk:
    """Ask for ``path`` now and then over one connection for ``seconds``, as a monitor does."""
    looked = Walk()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        one = walk(port, (path,), 0.001)
        looked.milliseconds += one.milliseconds[:1]
        looked.statuses.update(list(one.statuses)[:1])
        time.sleep(every)
    return looked


def _connection(port: int, source: str) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", port, timeout=_TIMEOUT_SECONDS, source_address=(source, 0))
