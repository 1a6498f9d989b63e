"""The lease of a shard: who decides its rooms now.

It lives in Valkey, so that another referee notices within seconds that this one is gone.  Valkey may forget it or a
process may sleep through its end, so a lease alone allows nobody to write: that is the fence in the database.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import redis

from replays.play.referee import bus

LIFE_MS: Final = 3_000
RENEW_SECONDS: Final = 1.0
#: Renewed only by who holds it.
_RENEW: Final = """
if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end
return 0
"""
_RELEASE: Final = """
if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end
return 0
"""


class Lease:
    """The lease of ``shard``, for ``owner``, a name that nobody else has."""

    def __init__(
        self, client: redis.Redis, shard: int, owner: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._client, self._key, self._owner, self._clock = client, bus.lease_key(shard), owner, clock
        self._until = 0.0
        self._renewed = 0.0

    def take(self) -> bool:
        began = self._clock()
        taken = bool(self._client.eval(_RENEW, 1, self._key, self._owner, str(LIFE_MS)))
        taken = taken or bool(self._client.set(self._key, self._owner, nx=True, px=LIFE_MS))
        if taken:
            self._until, self._renewed = began + LIFE_MS / 1000, began
        return taken

    @property
    def is_due(self) -> bool:
        return self._clock() - self._renewed >= RENEW_SECONDS

    @property
    def is_valid(self) -> bool:
        """Whether nobody else can have it, as far as this process knows."""
        return self._clock() < self._until

    def release(self) -> None:
        """Give it back, so that the next referee need not wait for its end."""
        self._until = 0.0
        self._client.eval(_RELEASE, 1, self._key, self._owner)
