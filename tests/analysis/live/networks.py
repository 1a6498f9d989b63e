"""Simulated connections of an honest player: delay, jitter, and lost segments that hold up all behind them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Times = NDArray[np.float64]

_LEAST_TIMEOUT_MS = 200.0  # after which TCP sends again what was lost; longer on slow connections
_MOVES_MS = 100
_PINGS_MS = 1_000


@dataclass(frozen=True)
class Network:
    """One-way ``delay_ms``, ``jitter_ms`` (each message is later by up to so much), and the share ``loss`` of segments
    that are lost each time they are sent.
    """

    delay_ms: float
    jitter_ms: float
    loss: float

    def arrivals(self, sent_ms: Times, rng: Generator) -> Times:
        """When messages arrive, in the order in which they were sent."""
        late = self.delay_ms + rng.uniform(0.0, self.jitter_ms, len(sent_ms))
        timeout_ms = max(_LEAST_TIMEOUT_MS, 2 * self.delay_ms + 4 * self.jitter_ms)
        losses = rng.geometric(1.0 - self.loss, len(sent_ms)) - 1
        late += timeout_ms * (2.0**losses - 1.0)  # the timeout doubles
        arrived: Times = np.maximum.accumulate(sent_ms + late)
        return arrived


def any_network(rng: Generator, loss: float) -> Network:
    """5 to 300 ms, jitter 0 to 50 ms."""
    return Network(rng.uniform(5.0, 300.0), rng.uniform(0.0, 50.0), loss)


@dataclass(frozen=True)
class Played:
    """A game as both sides saw it: message times by the client's clock and arrivals by the server's (ms), the first of
    them the opening and the last the deciding event; and the round trips of the server's pings.
    """

    client_ms: Times
    server_ms: Times
    round_trips_ms: Times

    @property
    def client_span(self) -> int:
        return round(float(self.client_ms[-1])) - round(float(self.client_ms[0]))

    @property
    def server_span(self) -> float:
        return float(self.server_ms[-1] - self.server_ms[0])


def play_over(
    network: Network, rng: Generator, *, rate: float = 1.0, seconds: float | None = None, copies: bool = False
) -> Played:
    """A game of 5 to 100 s over ``network``; the client's clock runs at ``rate``.

    ``copies``: every message goes over two connections, and the earlier arrival counts.  (The site copies those with
    buttons, which carry the opening and the deciding event.)  Losses on the two are independent.
    """
    span_ms = 1_000 * (rng.uniform(5.0, 100.0) if seconds is None else seconds)
    moves = np.arange(0.0, span_ms, _MOVES_MS)
    sent = np.sort(np.concatenate([moves, rng.uniform(0.0, span_ms, int(span_ms / 250)), [span_ms]]))
    pings = np.arange(-5_000.0, span_ms, _PINGS_MS)
    there = network.arrivals(pings, rng)
    back = network.arrivals(there, rng)
    arrived = network.arrivals(sent, rng)
    if copies:
        arrived = np.minimum(arrived, network.arrivals(sent, rng))
    return Played(rate * sent + rng.uniform(0, 10**6), arrived, back - pings)
