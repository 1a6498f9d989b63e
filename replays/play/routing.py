from __future__ import annotations

from typing import Any

from django.urls import path

from replays.play.rooms.room_consumer import RoomConsumer
from replays.play.solo.second_socket import CopyConsumer
from replays.play.solo.solo_consumer import SoloConsumer

#: ``path("ws/play/…/", Consumer.as_asgi())``
websocket_urlpatterns: list[Any] = [
    path("ws/play/solo/", SoloConsumer.as_asgi()),  # type: ignore[arg-type]  # Django knows views alone
    path("ws/play/solo/copy/", CopyConsumer.as_asgi()),  # type: ignore[arg-type]
    path("ws/play/room/", RoomConsumer.as_asgi()),  # type: ignore[arg-type]
]
