"""One small game through the whole analysis, so that every kernel is compiled before real work comes."""

from __future__ import annotations

import numpy as np

from analysis import formats
from analysis.analyse import analyse_many
from analysis.formats import rawvf
from analysis.recording import Board, Kind, Recording, events_from

_CORNER_PX = 8


def compile_kernels() -> None:
    """Write, read and analyse a game of one click on a board with its mines in the last row but one corner."""
    mines = np.zeros((8, 8), np.uint8)
    mines[7, :7] = 1
    events = events_from(
        [
            (0, _CORNER_PX, _CORNER_PX, Kind.MOVE),
            (0, _CORNER_PX, _CORNER_PX, Kind.LEFT_PRESS),
            (100, _CORNER_PX, _CORNER_PX, Kind.LEFT_RELEASE),
        ]
    )
    recording = Recording(format=rawvf.NAME, format_variant="", board=Board(mines), events=events)
    analyse_many([formats.read(rawvf.write(recording))])
