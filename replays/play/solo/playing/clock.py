"""The time of a live game that counts: the browser's, as far as the server's own clock and pings bear it out.

A constant delay of the network cancels, and holding the first message back gains nothing, since nothing is known before
its answer.  The jitter is measured by the server's pings; what a client says of its delay is never used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

_MS_NS: Final = 1_000_000
#: The browser's time may differ from the server's by the jitter of the connection, but by no more than this.
MOST_JITTER_MS: Final = 20.0
#: A greater difference, or clocks whose rates differ by more, is a finding.
MOST_DIFFERENCE_MS: Final = 250.0
MOST_RATE: Final = 0.005
RATE_FROM_MS: Final = 5_000.0
_LOW, _HIGH = 5, 95  # percentiles


@dataclass(frozen=True, slots=True)
class RankedTime:
    """``time_ms`` counts; ``jitter_ms``: how much the clocks may differ; ``doubtful``: they differ by too much."""

    time_ms: int
    jitter_ms: float
    doubtful: bool


def jitter_of(differences: Sequence[tuple[int, int, int]]) -> float:
    """The greater spread (95th less 5th percentile) of the delays there and back, in ms, at most ``MOST_JITTER_MS``.

    ``differences``: of each ping when it was sent (ns), the client's clock (ms), and when the answer arrived (ns).
    """
    if not differences:
        return 0.0
    sent, client, received = np.array(differences, np.int64).T.astype(np.float64)
    spreads = []
    for delays in (client - sent / _MS_NS, received / _MS_NS - client):
        low, high = np.percentile(delays, (_LOW, _HIGH))
        spreads.append(high - low)
    return min(max(spreads), MOST_JITTER_MS)


def ranked_time(client_ms: int, server_ns: int, differences: Sequence[tuple[int, int, int]]) -> RankedTime:
    """The time that counts.

    Parameters
    ----------
    client_ms : from the opening to the deciding event by the browser's clock
    server_ns : the same by the server's
    differences : pings of this game, as of :func:`jitter_of`

    Returns
    -------
    RankedTime
        ``client_ms`` if it is at most the jitter away from the server's time; else the later of it and the server's
        time less the jitter.
    """
    server_ms, jitter_ms = server_ns / _MS_NS, jitter_of(differences)
    apart = abs(client_ms - server_ms)
    time_ms = client_ms if apart <= jitter_ms else max(client_ms, round(server_ms - jitter_ms))
    rates_differ = server_ms >= RATE_FROM_MS and apart - jitter_ms > MOST_RATE * server_ms
    return RankedTime(time_ms, jitter_ms, apart > MOST_DIFFERENCE_MS or rates_differ)
