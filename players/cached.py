"""Values that are kept for a while and can always be made again."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, TypeVar

from django.core.cache import cache
from redis.exceptions import RedisError

T = TypeVar("T")

logger = logging.getLogger(__name__)


def cached(key: str, seconds: int, make: Callable[[], T]) -> T:
    """The value of ``key``, made by ``make`` when it is not there; a cache that does not answer is no cache."""
    found: T | None = kept(key)
    if found is not None:
        return found
    made = make()
    keep(key, seconds, made)
    return made


def kept(key: str) -> Any:
    """What stands under ``key``; None if there is nothing, or no cache that answers."""
    try:
        return cache.get(key)
    except RedisError as error:
        logger.warning("The cache cannot be reached (%s).", error)
        return None


def keep(key: str, seconds: int, value: object) -> None:
    """Let :func:`cached` and :func:`kept` find ``value``; a cache that does not answer is no cache."""
    try:
        cache.set(key, value, seconds)
    except RedisError as error:
        logger.warning("The cache cannot be reached (%s).", error)
