"""Files that are dear to analyse: as many opening clicks as fit on a board of the largest size."""

from __future__ import annotations

import io
import struct
import zipfile
from datetime import datetime

import numpy as np

from analysis.limits import MAX_SIDE
from analysis.recording import Board, Claims, Kind, Recording, events_from
from tests.encoders import avf

CELL_PX = 16


def heavy_game(clicks: int, seed: int = 0) -> Recording:
    """Single cells opened one by one on a board of 255 x 255 without an opening, in another order for each ``seed``."""
    mines = np.zeros((MAX_SIDE, MAX_SIDE), np.uint8)
    mines[1::3, 1::3] = 1  # every other cell is beside one
    safe = np.argwhere(mines == 0)
    chosen = np.random.default_rng(seed).permutation(len(safe))[:clicks]
    rows = []
    for number, (row, column) in enumerate(safe[chosen].tolist()):
        x, y, when = column * CELL_PX + 8, row * CELL_PX + 8, 20 * number
        rows += [(when, x, y, Kind.LEFT_PRESS), (when + 10, x, y, Kind.LEFT_RELEASE)]
    events = events_from(rows)
    return Recording(
        format="avf", format_variant="", board=Board(mines), events=events, cell_px=CELL_PX,
        player="Heavy", player_bytes=b"Heavy", question_marks=False, time_precision_ms=10,
        played_at=datetime(2024, 5, 4, 12, 0, 0),  # noqa: DTZ001 - AVF has no zone
        ended_at=datetime(2024, 5, 4, 12, 30, 0),  # noqa: DTZ001
        claims=Claims(time_ms=int(events["time_ms"][-1]), bv=len(safe)),
    )  # fmt: skip


def heavy_file(clicks: int, seed: int = 0) -> bytes:
    """The AVF file of :func:`heavy_game`."""
    return avf.encode(heavy_game(clicks, seed))


def overlapping(count: int, data: bytes = bytes(4 * 1024 * 1024), shift: int = 0) -> bytes:
    """An archive of which ``count`` members are the same bytes; ``shift``: each begins so many bytes after the one before."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.avf", data)
    one = stream.getvalue()
    at, end_at = one.index(b"PK\x01\x02"), one.index(b"PK\x05\x06")
    entry, end = bytearray(one[at:end_at]), bytearray(one[end_at:])
    directory = b""
    for number in range(count):
        struct.pack_into("<L", entry, 42, number * shift)
        directory += bytes(entry)
    struct.pack_into("<2H2L", end, 8, count, count, len(directory), at)
    return one[:at] + directory + bytes(end)
