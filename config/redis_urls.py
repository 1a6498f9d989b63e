"""Addresses of a Redis or Valkey server, as the settings have them and as each library writes them.

``REDIS_URL`` is ``redis://host:port/0``, ``rediss://…``, or a socket file: ``unix:///path`` or ``redis+socket:///path``,
with the number of the database as ``?db=0``.
"""

from __future__ import annotations

import ipaddress
from typing import Final
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit

SOCKETS: Final = frozenset({"unix", "redis+socket"})
#: How the number of the database is called in the address of a socket file: by redis-py, by kombu.
_DATABASE_NAMES: Final = ("db", "virtual_host")


def socket_url(path: str) -> str:
    return f"unix://{path}?db=0"


def database_of(url: str) -> int:
    """Return 0 if the address has none."""
    parts = urlsplit(url)
    if parts.scheme in SOCKETS:
        number = next((value for name, value in parse_qsl(parts.query) if name in _DATABASE_NAMES), "")
    else:
        number = parts.path.strip("/")
    return int(number) if number.isdecimal() else 0


def has_plain_database(url: str) -> bool:
    """Return whether the number of the database, if ``url`` has one, is a number."""
    parts = urlsplit(url)
    if parts.scheme in SOCKETS:
        return all(value.isdecimal() for name, value in parse_qsl(parts.query) if name in _DATABASE_NAMES)
    number = parts.path.strip("/")
    return not number or number.isdecimal()


def is_same_database(one: str, other: str) -> bool:
    return _place(one) == _place(other)


def _place(url: str) -> tuple[str, int, int]:
    parts = urlsplit(url)
    if parts.scheme in SOCKETS:
        return parts.path, 0, database_of(url)
    host = parts.hostname or "localhost"
    return "localhost" if host == "127.0.0.1" else host, parts.port or 6379, database_of(url)


def client_url(url: str, database: int | None = None) -> str:
    """``database`` replaces the number in ``url``."""
    parts, number = urlsplit(url), database_of(url) if database is None else database
    if parts.scheme not in SOCKETS:
        return parts._replace(path=f"/{number}").geturl()
    return _socket(parts, "unix", "db", number)


def celery_url(url: str) -> str:
    parts = urlsplit(url)
    return _socket(parts, "redis+socket", "virtual_host", database_of(url)) if parts.scheme in SOCKETS else url


def limits_url(url: str) -> str:
    """``url``: one that redis-py takes."""
    return f"redis+{url}" if url.startswith("unix:") else url


def is_open_to_others(url: str) -> bool:
    """Return whether other machines may reach the server without a password: no socket file, no loopback address."""
    parts = urlsplit(url)
    if parts.scheme in SOCKETS or parts.password:
        return False
    host = parts.hostname or "localhost"
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host != "localhost"


def _socket(parts: SplitResult, scheme: str, name: str, database: int) -> str:
    others = [(key, value) for key, value in parse_qsl(parts.query) if key not in _DATABASE_NAMES]
    query = urlencode([*others, (name, str(database))])
    return f"{scheme}://{parts.netloc}{parts.path}?{query}"
