from __future__ import annotations

from replays.play.models.games import LiveGame, LiveGameLog
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
    "LiveGameLog",
    "RefereeShard",
    "Room",
    "RoomBoard",
    "RoomLog",
    "RoomPlayer",
    "RoomSnapshot",
    "RoomTotal",
]
