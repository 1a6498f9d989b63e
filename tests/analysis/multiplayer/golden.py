"""The golden values of the multiplayer paper's system, and the boards that they are about."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from analysis.multiplayer.laying import Laying, lay, numbers_of

#: Computed apart from this code and compared with the paper's own program: its boards with 200 random ones, openings,
#: owners, scores and blasts in 60 games, colours in 200 runs of 300.  Cells are [row, column].
GOLDEN: Final[dict[str, Any]] = json.loads(Path(__file__).with_suffix(".json").read_text())

DEFAULT: Final = Laying()
TINY: Final = Laying(rows=4, columns=6, area=4, area_mines=3, modulus=101, start_number=7)
TINY_REPAIR: Final = Laying(rows=4, columns=8, area=4, area_mines=2, modulus=101, start_number=5)


@cache
def mines_of(laying: Laying) -> NDArray[np.uint8]:
    mines = lay(laying)
    mines.setflags(write=False)
    return mines


@cache
def numbers_on(laying: Laying) -> NDArray[np.uint8]:
    numbers = numbers_of(mines_of(laying))
    numbers.setflags(write=False)
    return numbers


def cell_of(laying: Laying, place: list[int]) -> int:
    row, column = place
    return row * laying.columns + column


def board_sha256(mines: NDArray[np.uint8]) -> str:
    return hashlib.sha256(np.packbits(mines.ravel()).tobytes()).hexdigest()
