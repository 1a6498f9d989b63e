"""Lists of cells in binary formats: pairs (column, row) of one byte each."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis.errors import BadField, Inconsistent, LimitExceeded
from analysis.formats.reader import ByteReader
from analysis.limits import MAX_SIDE
from analysis.recording import Board

Places: TypeAlias = NDArray[np.intp]


def read_mines(reader: ByteReader, rows: int, columns: int, count: int, *, first: int) -> Board:
    """The board whose ``count`` mines are listed next, each as (column, row).

    ``rows``, ``columns``, ``count``: as the file states them; checked here, before memory is taken.  ``first``: the
    number of the first row and column: 0 or 1.
    Raises ``LimitExceeded`` or ``Inconsistent``: a side or the number of mines makes no board, or a mine is listed
    twice; ``BadField``: a mine lies outside the board; ``Truncated``.
    """
    for name, side in (("rows", rows), ("columns", columns)):
        if not 1 <= side <= MAX_SIDE:
            raise LimitExceeded(name, limit=MAX_SIDE, value=side)
    if count >= rows * columns:
        raise Inconsistent(f"The board has {rows * columns} cells and {count} mines: no safe cell.")
    places = read_places(reader, rows, columns, count, "mine", first=first)
    mines = np.zeros((rows, columns), np.uint8)
    mines[places[:, 0], places[:, 1]] = 1
    if np.count_nonzero(mines) != count:
        raise Inconsistent("The mine list names a cell twice.")
    return Board(mines)


def read_places(reader: ByteReader, rows: int, columns: int, count: int, what: str, *, first: int) -> Places:
    """The next ``count`` pairs, each a cell of the board; see :func:`read_mines`.

    Returns intp, shape (count, 2): row and column, from 0.
    """
    offset = reader.offset
    places = reader.rows(count, 2, f"{what}s").astype(np.intp)[:, ::-1] - first
    outside = ((places < 0) | (places >= (rows, columns))).any(axis=1)
    if outside.any():
        index = int(outside.argmax())
        raise BadField(what, offset=offset + 2 * index, value=tuple((places[index] + first).tolist()))
    return places
