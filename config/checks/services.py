"""Checks that ask the database, the broker and the cache: by ``manage.py check --deploy``, and of the database ``prepare``."""

from __future__ import annotations

from typing import Any, Final

import redis
from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.db import DatabaseError, connection

from config import env, redis_urls
from players.db.outage import first_line
from players.db.own_connection import own_connection
from players.web import redis_clients

DATABASE: Final = "database_of_site"
_SECONDS: Final = 3


@register(DATABASE, deploy=True)
def database_answers(**_given: Any) -> list[CheckMessage]:
    """The embedded database is left out: it runs while the site does."""
    if not env.value("DATABASE_URL"):
        return []
    try:
        with own_connection(_SECONDS):
            connection.ensure_connection()
    except DatabaseError as error:
        return [Error(f"DATABASE_URL: {first_line(error)}", id="config.E009")]
    return []


@register(deploy=True)
def broker_and_cache_answer(**_given: Any) -> list[CheckMessage]:
    named = {"REDIS_URL": settings.REDIS_URL, "CACHE_URL": settings.CACHE_URL}
    given = {name: url for name, url in named.items() if env.value(name)}
    return [Error(f"{name}: {line}", id="config.E010") for name, url in given.items() if (line := _refusal(url))]


def _refusal(url: str) -> str:
    """Return what the server at ``url``, or the library, says against it; "" if it answers."""
    client = redis_clients.client(redis_urls.client_url(url))
    try:
        client.ping()
    except (redis.RedisError, OSError) as error:
        return first_line(error)
    finally:
        client.close()
    return ""
