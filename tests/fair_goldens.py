"""Golden boards of fair-1, made by two independent implementations, in Python and in JavaScript."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SECRET: Final = bytes(range(32))
NONCE: Final = bytes(range(16))
COMMITMENT_OF_GAME_1: Final = "d42fa20a157ec67f2856e79790839ec5d8da72016012a09b95f127682cfcc352"  # of "game-1"


@dataclass(frozen=True)
class Golden:
    """A board of ``SECRET`` and ``NONCE``: its first mines in row-major order, and the SHA-256 of ``Board.packed``."""

    rows: int
    columns: int
    mines: int
    rules: str
    first: tuple[int, int]
    first_mines: tuple[tuple[int, int], ...]
    sha256: str

    @property
    def first_cell(self) -> int:
        return self.first[0] * self.columns + self.first[1]

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns} {self.rules}"


GOLDENS: Final = (
    Golden(
        8, 8, 10, "xp", (0, 0),
        ((0, 1), (0, 3), (0, 6), (2, 7), (3, 1), (3, 2), (4, 3), (5, 3)),
        "e945a69a1f780e9648248e909e6de083b8238e67b2ad092d7761c06e0d38d271",
    ),
    Golden(
        16, 16, 40, "win7", (2, 2),
        ((1, 12), (1, 14), (2, 0), (2, 4), (2, 8), (2, 13), (3, 0), (5, 2)),
        "fdf93ca1d4a9236375ad89c1bee5b3da11be40861451829fad9f02e638f37b3f",
    ),
    Golden(
        16, 30, 99, "xp", (7, 14),
        ((0, 1), (0, 13), (0, 16), (0, 23), (0, 24), (0, 26), (0, 27), (1, 11)),
        "b5e160b75d610257bd2afe49e20047dd1b6a87d8a1c6a05c1618f76346bcdb0f",
    ),
    Golden(
        16, 30, 99, "win7", (3, 3),
        ((0, 1), (0, 5), (0, 7), (0, 10), (0, 20), (0, 28), (1, 0), (1, 2)),
        "eb09f03bf1cc383d71be60fdaac32204268b30629b94963869e63d6c5680e6d6",
    ),
)  # fmt: skip
