"""The time that ranks: what the client's clock says, as far as the server's clock bears it out.

The server sees two arrivals: that of the opening event, which it answers at once, and that of the deciding event.
Nothing of the board is known to the player before the first and nothing can be done after the second, so whatever a
client says, the game took at least the span between them less what the connection can have delayed the second more than
the first.  A constant delay cancels.  That difference in delay is unknown to the server, and a client may delay what it
likes; so at most ``MAX_JITTER_MS`` of it are believed.

What this means for an honest player: the ranked time is the client's, unless the deciding event was held up by more
than the allowance longer than the opening one; then the rest is added.  A segment lost on the way does that.  It cannot
be forgiven: the player who decides 200 ms later and says that the network was to blame looks the same.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import numpy as np

MAX_JITTER_MS: Final = 20
#: A client's and the server's span further apart than this are no ordinary network.
MAX_SPAN_GAP_MS: Final = 250
#: Clocks that run further apart than this; quartz keeps within 0.01 %, and a clock being set right within 0.05 %.
MAX_RATE_GAP: Final = 0.004
#: Rates are compared over at least so long.
RATE_SPAN_MS: Final = 5_000
#: How far an event may be ahead of the server's clock, beside the allowance for jitter.
AHEAD_MS: Final = 50

_BUCKET_MS = 500
_BUCKETS_AT_AN_END = 5  # their least is the offset at one end of a game


@dataclass(frozen=True, slots=True)
class RankedTime:
    """``time_ms`` ranks; ``shift_ms`` is what the deciding event is shifted by; ``suspicious``: the spans are too far
    apart for an ordinary network (finding ``live_clock``, unranked).
    """

    time_ms: int
    shift_ms: int
    suspicious: bool


def ranked_time(client_ms: int, server_ms: float, jitter_ms: float) -> RankedTime:
    """The time that ranks: ``client_ms``, but never less than ``server_ms - jitter_ms``.

    The result is rounded up to whole milliseconds, so that no rounding gains anything.

    Parameters
    ----------
    client_ms : from the opening to the deciding event by the client's clock; may be anything
    server_ms : between their arrivals
    jitter_ms : the allowance, of :func:`jitter_of`; at most ``MAX_JITTER_MS`` count
    """
    allowed_ms = min(max(jitter_ms, 0.0), MAX_JITTER_MS)
    time_ms = max(client_ms, math.ceil(server_ms - allowed_ms), 0)
    return RankedTime(time_ms, time_ms - client_ms, abs(client_ms - server_ms) > MAX_SPAN_GAP_MS)


def jitter_of(round_trips_ms: Sequence[float]) -> float:
    """The allowance for jitter: p95 - p5 of the round trips of the server's own pings, at most ``MAX_JITTER_MS``.

    A round trip varies as the difference of two one-way delays does.  A client can answer late but not early; that
    raises its allowance, to no more than ``MAX_JITTER_MS``.  Without two round trips there is no allowance.
    """
    if len(round_trips_ms) < 2:
        return 0.0
    low, high = np.percentile(np.asarray(round_trips_ms, np.float64), [5, 95])
    return min(float(high - low), MAX_JITTER_MS)


_Bucket: TypeAlias = tuple[float, float]  # client time of its first message, the least offset in it


def _offset(bucket: _Bucket) -> float:
    return bucket[1]


@dataclass(slots=True)
class ClockWatch:
    """Compares the client's clock with the server's, message by message.

    Of each half second, the first few and the last few of them, it keeps the message that came with the least delay,
    so queues and lost segments hardly matter.
    """

    _first: list[_Bucket] = field(default_factory=list)
    _last: deque[_Bucket] = field(default_factory=lambda: deque(maxlen=_BUCKETS_AT_AN_END))
    _least_ms: float = math.inf

    def note(self, client_ms: float, server_ms: float, jitter_ms: float = MAX_JITTER_MS) -> bool:
        """Note a message: the client's time in it and its arrival.  Returns whether it comes from the future.

        From the future is a time ahead of what the fastest message so far allows, by more than ``jitter_ms`` and
        ``AHEAD_MS``.  Note every message with a time, pings before the game too: a first message that was held up
        would let honest ones after it look early.
        """
        offset_ms = server_ms - client_ms
        ahead = bool(self._first) and offset_ms < self._least_ms - jitter_ms - AHEAD_MS
        self._least_ms = min(self._least_ms, offset_ms)
        buckets = self._last or self._first
        if buckets and client_ms < buckets[-1][0] + _BUCKET_MS:
            if offset_ms < buckets[-1][1]:
                buckets[-1] = buckets[-1][0], offset_ms
        elif len(self._first) < _BUCKETS_AT_AN_END:
            self._first.append((client_ms, offset_ms))
        else:
            self._last.append((client_ms, offset_ms))
        return ahead

    def rate_gap(self) -> float | None:
        """Compute the share by which the client's clock runs faster than the server's (slower: below 0).
        ``None`` if the messages do not span ``RATE_SPAN_MS``.
        """
        if len(self._last) < _BUCKETS_AT_AN_END or self._last[0][0] - self._first[0][0] < RATE_SPAN_MS:
            return None
        from_ms, from_offset = min(self._first, key=_offset)
        to_ms, to_offset = min(self._last, key=_offset)
        return (from_offset - to_offset) / (to_ms - from_ms)

    @property
    def suspicious(self) -> bool:
        """Whether the clocks run apart by more than ``MAX_RATE_GAP`` (finding ``live_clock``, unranked)."""
        gap = self.rate_gap()
        return gap is not None and abs(gap) > MAX_RATE_GAP
