"""Frames of rooms, written at the speed of the referee.

The bytes are those of ``replays.play.wire``; a test compares the two.  Moves are written one by one as they are decided,
so that a batch, or the history of a board, is a join of bytes.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from analysis.kernels.grid import MINE
from replays.play.wire import FACE_CLOSED, FACE_FLAG, FACE_QUESTION
from replays.play.wire.server_messages import History, Moves

_MOVES: Final = Moves.type_byte
_HISTORY: Final = History.type_byte
#: From so many cells on numpy is faster than a loop.
_MANY: Final = 24
_ONE_BYTE: Final = [bytes((value,)) for value in range(0x80)]
_UP_TO_TWO_BYTES: Final = _ONE_BYTE + [bytes((value & 0x7F | 0x80, value >> 7)) for value in range(0x80, 0x4000)]
#: By face: one cell, at no distance, with that face.
_ITSELF: Final = [bytes((1, 0, face)) for face in range(FACE_QUESTION + 1)]


def uint(value: int) -> bytes:
    """LEB128."""
    if value < 0x4000:
        return _UP_TO_TWO_BYTES[value]
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def move_bytes(player: int, kind: int, cell: int) -> bytes:
    return uint(player) + _ONE_BYTE[kind] + uint(cell)


NO_CELLS: Final = uint(0)


def itself(face: int) -> bytes:
    """Return the bytes of a change of the clicked cell alone to ``face``, as :func:`near_bytes` would write them."""
    return _ITSELF[face]


def near_bytes(origin: int, cells: NDArray[np.int32], faces: NDArray[np.uint8]) -> bytes:
    """The cells that a move changed, each as its distance from the one before, the first from ``origin``."""
    if cells.size < _MANY:
        parts = [uint(cells.size)]
        for cell, face in sorted(zip(cells.tolist(), faces.tolist(), strict=True)):
            gap = cell - origin
            parts += (uint(gap * 2 if gap >= 0 else -gap * 2 - 1), _ONE_BYTE[face])
            origin = cell
        return b"".join(parts)
    order = np.argsort(cells)
    cells, faces = cells[order], faces[order]
    gaps = np.diff(cells, prepend=np.int32(origin)).astype(np.int64)
    return uint(cells.size) + _rows(np.where(gaps < 0, -gaps * 2 - 1, gaps * 2), faces)


def _rows(values: NDArray[np.int64], faces: NDArray[np.uint8]) -> bytes:
    """LEB128 of each value with its face behind it."""
    shifts = np.arange(0, 35, 7)
    parts = values[:, None] >> shifts
    table = np.empty((values.size, 6), np.uint8)
    table[:, :5] = parts & 0x7F
    goes_on = parts[:, 1:] > 0
    table[:, :4] |= goes_on.astype(np.uint8) << 7
    table[:, 5] = faces
    mask = np.ones(table.shape, np.bool_)
    mask[:, 1:5] = goes_on
    return table[mask].tobytes()


def moves_frame(epoch: int, first: int, moves: list[bytes]) -> bytes:
    """MOVES of what :func:`move_bytes` and :func:`near_bytes` wrote."""
    return b"".join([bytes((_MOVES,)), uint(epoch), uint(first), uint(len(moves)), *moves])


def history_frame(epoch: int, number: int, history: bytes | bytearray) -> bytes:
    return b"".join([bytes((_HISTORY,)), uint(epoch), uint(number), uint(number), history])


def shown_faces(numbers: NDArray[np.uint8], stamp: NDArray[np.uint32], flags: NDArray[np.uint16]) -> NDArray[np.uint8]:
    return np.where(stamp > 0, numbers, np.where(flags > 0, FACE_FLAG, FACE_CLOSED)).astype(np.uint8)


assert MINE == 9  # noqa: S101 - the face of a mine is its number
