"""The addresses of sockets."""

from __future__ import annotations

from typing import Any

#: ``path("ws/play/…/", Consumer.as_asgi())``
websocket_urlpatterns: list[Any] = []
