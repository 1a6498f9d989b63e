"""The site's cache: Django's Redis cache with msgpack values, which works as an empty cache without its server.

Values are not pickled, so that somebody who can write to the cache cannot make the site execute code.  Only plain
values and numpy arrays are cached, all of which can be computed again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Final

import msgpack
import numpy as np
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

_ARRAY: Final = 1  # msgpack extension type
#: Kinds of numbers that an array may hold: booleans, integers, floats.  Objects could be anything.
_KINDS: Final = "biuf"

logger = logging.getLogger(__name__)


class MsgpackSerializer:
    """Converts values to bytes and back; see the ``serializer`` option of Django's Redis cache."""

    def dumps(self, value: Any) -> bytes | int:
        """Return integers unchanged, so that Redis can increment them."""
        if type(value) is int:
            return value
        packed: bytes = msgpack.packb(value, default=_pack_array)
        return packed

    def loads(self, data: bytes) -> Any:
        """Return tuples as lists.  Raises ``ValueError`` on bytes that :meth:`dumps` did not make."""
        try:
            return int(data)
        except ValueError:
            pass
        try:
            return msgpack.unpackb(data, ext_hook=_unpack_array, strict_map_key=False)
        except (TypeError, OverflowError, RecursionError) as error:  # keys that are lists, no dtype, nested too deeply
            raise ValueError(f"no value of the cache: {error}") from error


def _pack_array(value: object) -> msgpack.ExtType:
    if isinstance(value, np.ndarray) and value.dtype.kind in _KINDS:
        head = [value.dtype.str, list(value.shape)]
        return msgpack.ExtType(_ARRAY, msgpack.packb([*head, np.ascontiguousarray(value).tobytes()]))
    raise TypeError(f"the cache does not hold values of {type(value)}")


def _unpack_array(code: int, data: bytes) -> Any:
    if code != _ARRAY:
        raise ValueError(f"no extension type {code} of the cache")
    dtype, shape, content = msgpack.unpackb(data)
    kind = np.dtype(dtype)
    if kind.kind not in _KINDS:
        raise ValueError(f"no array of the cache is of {kind}")
    return np.frombuffer(content, kind).reshape(shape)


class TolerantRedisCache(RedisCache):
    """Django's Redis cache; an error of the server is logged, and the result is that of an empty cache."""

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return _tolerant(lambda: super(TolerantRedisCache, self).get(key, default, version), default)

    def set(self, key: Any, value: Any, *args: Any, **kwargs: Any) -> None:
        _tolerant(lambda: super(TolerantRedisCache, self).set(key, value, *args, **kwargs), None)

    def add(self, key: Any, value: Any, *args: Any, **kwargs: Any) -> bool:
        return bool(_tolerant(lambda: super(TolerantRedisCache, self).add(key, value, *args, **kwargs), True))

    def delete(self, key: Any, version: int | None = None) -> bool:
        return bool(_tolerant(lambda: super(TolerantRedisCache, self).delete(key, version), False))


def _tolerant(use: Callable[[], Any], otherwise: Any) -> Any:
    try:
        return use()
    except (RedisError, ValueError) as error:  # ValueError: another program stored it
        logger.warning("The cache cannot be used: %s", error)
        return otherwise
