"""The addresses of sockets."""

from __future__ import annotations

from typing import Any

from django.urls import path

from replays.play.solo.consumer import SoloConsumer

websocket_urlpatterns: list[Any] = [
    path("ws/play/solo/", SoloConsumer.as_asgi()),  # type: ignore[arg-type]  # Django knows views alone
]
