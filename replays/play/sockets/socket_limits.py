"""Limits on the sockets, messages, bytes and clicks of one account and one address.

Everything is counted in one place for all sockets of a process, by account (or guest) and by address, so that a new
connection does not begin at zero.  Nothing here asks a server, since it is called for
every click.

With several web processes, the numbers of sockets hold for all of them together (``shared_counts.py``) and so do tickets
(``TICKET_LIMIT``), as long as Redis answers.  Messages, bytes and clicks are limited in each process: an account gets
at most as many times the limit as it has sockets.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Final

from django.conf import settings

#: Sockets that one account may have open; a single game has two.
SOCKETS_OF_ACCOUNT: Final = 8
#: A second, of one account: messages, bytes of them, and clicks.  The bucket holds two seconds' worth.
MESSAGES_A_SECOND: Final = 200
BYTES_A_SECOND: Final = 32 * 1024
CLICKS_A_SECOND: Final = 60
#: An address has so many accounts' worth.
_ACCOUNTS_OF_ADDRESS: Final = 5
_BURST_SECONDS: Final = 2
_MANY_KEYS: Final = 10_000

Clock = Callable[[], float]


class Buckets:
    """Token buckets by key: each holds ``2 * rate`` tokens at most, and ``rate`` are added in a second."""

    def __init__(self, rate: float, clock: Clock = time.monotonic) -> None:
        self._rate, self._most, self._clock = rate, rate * _BURST_SECONDS, clock
        self._tokens: dict[str, tuple[float, float]] = {}  # tokens, and when there were so many

    def take(self, key: str, number: float = 1) -> bool:
        """Take ``number`` tokens; False, and nothing is taken, if there are fewer."""
        now = self._clock()
        tokens = self._now(key, now)
        if tokens < number:
            return False
        if len(self._tokens) >= _MANY_KEYS:
            self._forget_full(now)
        self._tokens[key] = (tokens - number, now)
        return True

    def _now(self, key: str, now: float) -> float:
        tokens, at = self._tokens.get(key, (self._most, now))
        return min(self._most, tokens + (now - at) * self._rate)

    def _forget_full(self, now: float) -> None:
        self._tokens = {key: value for key, value in self._tokens.items() if self._now(key, now) < self._most}

    def __len__(self) -> int:
        return len(self._tokens)


class Limits:
    def __init__(self, sockets_of_account: int, sockets_of_address: int, clock: Clock = time.monotonic) -> None:
        self._most = {"account": sockets_of_account, "address": sockets_of_address}
        self._sockets: Counter[tuple[str, str]] = Counter()
        self._buckets = {
            (what, whose): Buckets(rate * factor, clock)
            for what, rate in (("messages", MESSAGES_A_SECOND), ("bytes", BYTES_A_SECOND), ("clicks", CLICKS_A_SECOND))
            for whose, factor in (("account", 1), ("address", max(_ACCOUNTS_OF_ADDRESS, sockets_of_address / 4)))
        }

    def enter(self, whose: str, key: str) -> bool:
        """Count a socket that opens, of an ``account`` or an ``address``; False, and not counted, if there are too many."""
        if self._sockets[whose, key] >= self._most[whose]:
            return False
        self._sockets[whose, key] += 1
        return True

    def leave(self, whose: str, key: str) -> None:
        self._sockets[whose, key] -= 1
        if self._sockets[whose, key] <= 0:
            del self._sockets[whose, key]

    def sockets(self, whose: str, key: str) -> int:
        return self._sockets[whose, key]

    def message(self, account: str, address: str, size: int) -> bool:
        return self._take("messages", account, address, 1) and self._take("bytes", account, address, size)

    def clicks(self, account: str, address: str, number: int = 1) -> bool:
        return self._take("clicks", account, address, number)

    def _take(self, what: str, account: str, address: str, number: int) -> bool:
        return self._buckets[what, "account"].take(account, number) and self._buckets[what, "address"].take(
            address, number
        )


@cache
def limits_of_process() -> Limits:
    return Limits(SOCKETS_OF_ACCOUNT, settings.PLAY_SOCKETS_OF_ADDRESS)
