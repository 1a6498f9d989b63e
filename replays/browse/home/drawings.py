"""Boards of the home page as SVG, drawn like those of play: a cell has 100 units.

The paths are relative to the corner of their cell (``play/skin.js`` has the same shapes).  A finished board merges all
cells of a kind into one path, so an Expert board has 16 elements; a board to be played has one ``<use>`` for each cell,
whose reference the script changes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from numpy.typing import NDArray

from analysis.board import MINE, BoardFacts

_CELL: Final = 100
#: Codes of faces beyond the numbers, those of ``play/skin.js``.
BLAST, CLOSED, FLAG, PRESSED, QUESTION, WRONG_FLAG, BARE_MINE = 9, 10, 11, 12, 13, 14, 15
_DIGITS: Final = (
    "m37 37 15-11v49m-15 0h30",
    "m33 38c1-18 34-18 34 0c0 14-23 20-34 37h36",
    "m32 26h34l-18 19c26-1 26 31 1 31c-8 0-14-3-18-9",
    "m60 77v-52l-30 36h42",
    "m66 26h-28l-3 22c11-6 35-5 34 12c-1 18-27 19-38 9",
    "m63 25c-17 4-31 20-31 35a18 16 0 0 0 36 0a18 16 0 0 0-36 0",
    "m31 26h38l-23 51",
    "m50 25a15 12 0 0 0 0 24a15 12 0 0 0 0-24m0 24a18 14 0 0 0 0 28a18 14 0 0 0 0-28",
)
_SQUARE: Final = "m0 0h100v100h-100z"
_RAISED: Final = (
    ("b0", _SQUARE),
    ("bhi", "m0 0h100l-12 12h-76v76l-12 12z"),
    ("blo", "m100 100h-100l12-12h76v-76l12-12z"),
)
_FLAG: Final = (
    ("pole", "m50 18h8v55h-8z"),
    ("pole base", "m31 71h44v10h-44zm9-7h26v8h-26z"),
    ("cloth", "m58 16v36l-35-18z"),
)
_MINE: Final = (
    ("spk", "m50 17v66m-33-33h66m-56-23 46 46m0-46-46 46"),
    ("mn", "m26 50a24 24 0 1 0 48 0a24 24 0 1 0-48 0z"),
)
_CROSS: Final = (("cross", "m20 20 60 60m0-60-60 60"),)
_QUESTION: Final = (("ask", "m35 37c1-17 31-17 31 1c0 12-16 11-16 24m0 15h.1"),)
_SHAPES: Final[dict[int, tuple[tuple[str, str], ...]]] = {
    **{number: ((f"dg d{number}", path),) for number, path in enumerate(_DIGITS, 1)},
    BLAST: (("bx", _SQUARE), *_MINE),
    CLOSED: _RAISED,
    FLAG: (*_RAISED, *_FLAG),
    PRESSED: (("pressed", _SQUARE),),
    QUESTION: (*_RAISED, *_QUESTION),
    WRONG_FLAG: (*_RAISED, *_FLAG, *_CROSS),
    BARE_MINE: _MINE,
}


def finished_board(facts: BoardFacts, flags: NDArray[np.bool_], title: str) -> SafeString:
    """Draw the board of a won game as the film ends: every safe cell open, the mines with the player's own ``flags``."""
    mines = facts.numbers == MINE
    kinds = [
        *((_SHAPES[number], facts.numbers == number) for number in range(1, MINE)),
        (_SHAPES[FLAG], mines & flags),
        (_SHAPES[BARE_MINE], mines & ~flags),
    ]
    drawn = ((name, _placed(path, cells)) for shape, cells in kinds if cells.any() for name, path in shape)
    return _board(facts.numbers.shape, title, format_html_join("", '<path class="{}" d="{}"/>', drawn))


def started_board(facts: BoardFacts, opened: NDArray[np.bool_], title: str) -> SafeString:
    """Draw a board to be played on, with the cells ``opened``; a cell without a number has no picture."""
    faces = np.where(opened, facts.numbers, CLOSED)
    cells = (
        (f'#cell-{face}', column * _CELL, row * _CELL) for (row, column), face in np.ndenumerate(faces)
    )  # fmt: skip
    return _board(facts.numbers.shape, title, format_html_join("", '<use href="{}" x="{}" y="{}"/>', cells))


def cell_symbols() -> SafeString:
    """Define the pictures that :func:`started_board` and ``browse/home/try.js`` use."""
    parts = (
        (face, format_html_join("", '<path class="{}" d="{}"/>', shape)) for face, shape in _SHAPES.items()
    )  # fmt: skip
    return format_html_join("", '<g id="cell-{}">{}</g>', parts)


def first_opening(facts: BoardFacts) -> tuple[int, NDArray[np.bool_]] | None:
    """Return a cell (row by row) whose click opens most of the board but does not win, and the cells that it opens."""
    number, left = facts.numbers, int((facts.numbers != MINE).sum())
    found = [(_around(facts.opening_id == one) & (number != MINE), one) for one in range(1, facts.op + 1)]
    found = [(cells, one) for cells, one in found if cells.sum() < left]
    if not found:
        return None
    cells, one = max(found, key=lambda pair: int(pair[0].sum()))
    return int(np.flatnonzero(facts.opening_id == one)[0]), cells


def _around(cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return ``cells`` and all their neighbours."""
    rows, columns = cells.shape
    padded = np.pad(cells, 1)
    grown: NDArray[np.bool_] = np.any(
        [padded[dy : dy + rows, dx : dx + columns] for dy in range(3) for dx in range(3)], axis=0
    )
    return grown


def _placed(path: str, cells: NDArray[np.bool_]) -> str:
    return "".join(f"M{column * _CELL} {row * _CELL}{path}" for row, column in np.argwhere(cells))


def _board(shape: tuple[int, ...], title: str, content: Iterable[str]) -> SafeString:
    rows, columns = shape
    across = (f"M0 {row * _CELL}h{columns * _CELL}" for row in range(1, rows))
    down = (f"M{column * _CELL} 0v{rows * _CELL}" for column in range(1, columns))
    return format_html(
        '<svg class="cells" viewBox="0 0 {width} {height}" role="img" aria-label="{title}">'
        '<path class="ground" d="M0 0h{width}v{height}h-{width}z"/><path class="grid" d="{grid}"/>{content}</svg>',
        width=columns * _CELL, height=rows * _CELL, title=title, grid="".join([*across, *down]), content=content,
    )  # fmt: skip
