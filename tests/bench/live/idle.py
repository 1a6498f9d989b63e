"""The site with sockets that only answer pings: what a socket costs before anybody plays."""

from __future__ import annotations

from typing import Any

import django
from django.core.wsgi import get_wsgi_application
from django.urls import path

django.setup()

from config.asgi import application_of  # noqa: E402 - after the settings
from replays.play import routing, wire  # noqa: E402
from replays.play.sockets.connection import Connection  # noqa: E402


class Idle(Connection):
    """Nobody plays."""

    purpose = "room"

    async def received(self, message: wire.ClientMessage) -> None:
        await self.send(message)


_consumer: Any = Idle.as_asgi()
routing.websocket_urlpatterns = [path("ws/play/room/", _consumer)]
application = application_of(get_wsgi_application())
