from __future__ import annotations

import ipaddress
from typing import Any

from django.conf import settings


def address_behind_proxies(remote: str, forwarded: str) -> str:
    """The address of a client, as the outermost of ``NUM_PROXIES`` proxies has seen it.

    ``remote``: where the connection comes from; ``forwarded``: the header ``X-Forwarded-For``, of which what stands
    further left was written by the client.  An IPv6 address counts as its network of 64 bits, all of which belongs to
    one subscriber.
    """
    hops = [part.strip() for part in forwarded.split(",") if part.strip()]
    address = hops[-min(settings.NUM_PROXIES, len(hops))] if settings.NUM_PROXIES and hops else remote
    try:
        found = ipaddress.ip_address(address)
    except ValueError:  # a proxy that adds a port, a socket without an address
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or ipaddress.ip_network((found, 64), strict=False).network_address)


def address_of_scope(scope: Any) -> str:
    """The address of the client of an ASGI connection; several headers ``X-Forwarded-For`` count as one, as in WSGI."""
    client = scope.get("client")
    forwarded = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
    return address_behind_proxies(client[0] if client else "", forwarded.decode("latin1"))
