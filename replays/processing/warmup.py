"""Small games through the whole analysis, so that every kernel is compiled before real work comes."""

from __future__ import annotations

import numpy as np

from analysis import formats
from analysis.analyse import analyse_many
from analysis.formats import rawvf
from analysis.luck import luck_of
from analysis.recording import Board, Kind, Recording, events_from

_CORNER_PX = 8


def compile_kernels() -> None:
    """Compile all kernels, or load them from the cache."""
    compile_analysis()
    compile_luck()


def compile_analysis() -> None:
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


def compile_luck() -> None:
    """The luck of a game of three clicks: the first, a guess, and a needless guess."""
    mines = np.zeros((4, 4), np.uint8)
    mines[1, 1] = mines[3, 3] = 1
    events = events_from(
        [
            (0, 16 * column + _CORNER_PX, 16 * row + _CORNER_PX, kind)
            for row, column in ((0, 0), (0, 1), (1, 0))
            for kind in (Kind.LEFT_PRESS, Kind.LEFT_RELEASE)
        ]
    )
    luck_of(Recording(format=rawvf.NAME, format_variant="", board=Board(mines), events=events))
