"""Avatars: a small board of raised cells, drawn from the player's id.  Nobody uploads a picture."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import Final

_SIDE: Final = 5
_DRAWN_COLUMNS: Final = 3  # the others mirror them
_FEWEST_RAISED: Final = 8
HUES: Final = 8


@lru_cache(maxsize=4096)
def raised_cells(key: int | str) -> frozenset[tuple[int, int]]:
    """Return the (column, row) of the raised cells of the avatar of ``key``, a player's id or any text."""
    bits = int.from_bytes(sha256(f"sweepbook:{key}".encode()).digest()[1:4])
    half = {divmod(index, _SIDE) for index in range(_DRAWN_COLUMNS * _SIDE) if bits >> index & 1}
    cells = half | {(_SIDE - 1 - column, row) for column, row in half}
    if len(cells) < _FEWEST_RAISED:
        cells = {(column, row) for column in range(_SIDE) for row in range(_SIDE)} - cells
    return frozenset(cells)


@lru_cache(maxsize=4096)
def avatar_path(key: int | str) -> str:
    """Return the raised cells as the data of an SVG path; each begins at its lower left, so that dashes can shade its sides."""
    cells = sorted(raised_cells(key), key=lambda cell: (cell[1], cell[0]))
    return "".join(f"M{column} {row + 1}v-1h1v1z" for column, row in cells)


def avatar_hue(key: int | str) -> int:
    """Return the colour of an avatar, 1 to 8; 8 (grey) for whoever has no player."""
    return key * 5 % HUES + 1 if isinstance(key, int) else HUES
