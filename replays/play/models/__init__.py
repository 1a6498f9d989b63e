from __future__ import annotations

from replays.play.models.games import LiveGame
from replays.play.models.rooms import (
    RefereeShard,
    Room,
    RoomBoard,
    RoomLog,
    RoomPlayer,
    RoomSnapshot,
    RoomTotal,
)

__all__ = [
    "LiveGame",
    "RefereeShard",
    "Room",
    "RoomBoard",
    "RoomLog",
    "RoomPlayer",
    "RoomSnapshot",
    "RoomTotal",
]
