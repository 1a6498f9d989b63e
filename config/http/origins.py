from __future__ import annotations

from typing import Any

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host
from django.utils.http import is_same_domain


class OriginCheck:
    """Refuses (403) a socket that a page of another site opens, as Django's CSRF check does for forms.

    The origin must be the host that the browser asked, which must be among ``ALLOWED_HOSTS``, or one of
    ``CSRF_TRUSTED_ORIGINS``.  Channels' own check would let any port and, with ``ALLOWED_HOSTS=*``, any site pass.
    Programs, which have no origin, send that of the site.
    """

    def __init__(self, application: Any) -> None:
        self._application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = {name: value.decode("latin1") for name, value in scope["headers"]}
        allowed = is_allowed(headers.get(b"origin", ""), headers.get(b"host", ""))
        await (self._application if allowed else WebsocketDenier())(scope, receive, send)


def is_allowed(origin: str, host: str) -> bool:
    scheme, _sign, place = origin.lower().partition("://")
    if scheme not in (("https",) if settings.HTTPS else ("http", "https")) or not place:
        return False
    if place == host.lower():
        return validate_host(split_domain_port(place)[0], settings.ALLOWED_HOSTS)
    return any(_is_trusted(scheme, place, trusted) for trusted in settings.CSRF_TRUSTED_ORIGINS)


def _is_trusted(scheme: str, place: str, trusted: str) -> bool:
    """``trusted``: ``https://example.org``, or with ``*.`` before the domain all below it."""
    trusted_scheme, _sign, pattern = trusted.lower().partition("://")
    return scheme == trusted_scheme and is_same_domain(place, pattern.removeprefix("*"))
