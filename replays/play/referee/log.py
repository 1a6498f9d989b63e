from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from analysis.multiplayer.server_game import MOVE

#: A move and the milliseconds from the beginning of its board.
LOGGED: Final = np.dtype([*((name, MOVE.fields[name][0]) for name in MOVE.names or ()), ("ms", "<u4")])  # type: ignore[index]
_MOST_MS: Final = 2**32 - 1
_LEVEL: Final = 1  # every second on the way of the moves; the next level takes twice as long for 5 % less


def pack_log(moves: Iterable[tuple[int, int, int, int]]) -> bytes:
    """Moves (cell, player, kind, ms) as bytes; ``ms`` is 0 at least, and below 2**32."""
    rows = np.array(list(moves), np.int64).reshape(-1, len(LOGGED.names or ()))
    logged = np.empty(len(rows), LOGGED)
    for place, name in enumerate(LOGGED.names or ()):
        logged[name] = rows[:, place].clip(0, _MOST_MS) if name == "ms" else rows[:, place]
    return zlib.compress(logged.tobytes(), _LEVEL)


def unpack_log(packed: bytes | memoryview) -> NDArray[Any]:
    return np.frombuffer(zlib.decompress(bytes(packed)), LOGGED)


def moves_of(logged: NDArray[Any]) -> NDArray[np.void]:
    moves = np.empty(logged.size, MOVE)
    for name in MOVE.names or ():
        moves[name] = logged[name]
    return moves


def join_logs(packed: Iterable[bytes | memoryview]) -> bytes:
    return zlib.compress(b"".join(zlib.decompress(bytes(one)) for one in packed))
