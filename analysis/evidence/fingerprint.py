"""The fingerprint of a game: what a copy keeps when its times, its name, its moves or its board's direction change.

**Opening clicks** are the left clicks and chords that opened something, in their order, each as (kind, row, column).
Flags, other clicks, moves, times and names play no part.  A board has eight **images** (four mirrorings, each turned
over its diagonal or not); a game is described by the smallest of its eight images, so mirroring changes nothing.

- ``clicks`` is SHA-256 over rows, columns and the opening clicks of the smallest image, cut to 16 bytes; ``clicks_start``
  the same over the first 30 of them (Beginner: 20).  The smallest image of a list begins with the smallest image of its
  beginning, so a cut or lengthened copy has the same ``clicks_start``.
- ``board`` is the same over the smallest image of the mines: equal for one board and its mirror images.
- ``clicks_on_board`` is over the smallest image of clicks and mines together: equal only if one and the same mirroring
  takes the clicks to the clicks and the board to the board.
- ``offsets`` is over the points inside the cells of the first four opening clicks, in the image of ``clicks``.
- ``rhythm`` is, for 4 to 9 opening clicks, when each but the first and the last came, as a share of the time between
  those two, in 255ths.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import product
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis.kernels.walk import CELL, CHORD, EVENT_PLACE
from analysis.recording import Board, Level, Recording

Numbers: TypeAlias = NDArray[np.int64]

SAME_CLICKS: Final = "same_clicks"
SAME_BOARD: Final = "same_board"

_LONG_START: Final = 30
_SHORT_START: Final = 20
_BEGINNER: Final = frozenset({Level.BEGINNER, Level.BEGINNER_9X9})

_CLICKS_WITH_OFFSETS: Final = 4  # of 32.7 million pairs of games none shares the offsets of the first four clicks
_RHYTHM_CLICKS: Final = range(4, 10)
_RHYTHM_SLACK: Final = 4  # 255ths; times rounded to 10 ms move a click of a game of 1 s by as much

#: Fewer opening clicks tell something only together with the board: they may agree by chance.
TELLING_CLICKS: Final = 10


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """See the module.

    ``clicks``, ``board``, ``clicks_on_board``: 16 bytes; ``clicks_start``: 16, or ``None`` in a game with too few
    clicks; ``offsets``: 8; ``rhythm``: 0, or 2 to 7.
    """

    clicks: bytes
    clicks_start: bytes | None
    board: bytes
    clicks_on_board: bytes
    offsets: bytes
    rhythm: bytes
    opening_clicks: int


def fingerprint_of(recording: Recording, found: Numbers) -> Fingerprint:
    """The fingerprint of the opening clicks ``found``, as ``analysis.click_machine.Game`` has them."""
    board = recording.board
    along, across = np.divmod(found[:, CELL], board.columns)
    images = images_of(board)
    clicks = [_image_of_clicks(image, along, across, found[:, CHORD]) for image in images]
    boards = [_image_of_board(image, board.mines) for image in images]
    smallest = min(clicks)
    same = [place for place, text in enumerate(clicks) if text == smallest]
    first = slice(_CLICKS_WITH_OFFSETS)
    points = _points_in_cells(recording, found[first, EVENT_PLACE], along[first], across[first])
    start = _SHORT_START if board.level in _BEGINNER else _LONG_START
    return Fingerprint(
        clicks=_hash(b"clicks-1", smallest),
        clicks_start=_hash(b"start-1", smallest[: _HEAD + start * _CLICK]) if len(found) >= start else None,
        board=_hash(b"board-1", min(boards)),
        clicks_on_board=_hash(b"clicks-on-board-1", smallest + min(boards[place] for place in same)),
        offsets=_hash(b"offsets-1", min(_image_of_points(images[place], *points) for place in same))[:8],
        rhythm=_rhythm(recording.events["time_ms"][found[:, EVENT_PLACE]].tolist()),
        opening_clicks=len(found),
    )


_HEAD, _CLICK = 2, 4  # bytes of rows and columns, and of one click


class Image(NamedTuple):
    """One of the images of a board: mirrored, then turned over its diagonal."""

    rows: int
    columns: int
    down: bool
    right: bool
    turned: bool

    @property
    def size(self) -> bytes:
        """The size of the turned board, as the first bytes of whatever describes the image."""
        return bytes((self.columns, self.rows) if self.turned else (self.rows, self.columns))

    def places(self, along: Numbers, across: Numbers) -> tuple[Numbers, Numbers]:
        """Rows and columns in the image of cells in rows ``along`` and columns ``across`` of the board."""
        row = self.rows - 1 - along if self.down else along
        column = self.columns - 1 - across if self.right else across
        return (column, row) if self.turned else (row, column)


def images_of(board: Board) -> list[Image]:
    """The eight images; of a board that is not square only the four that lie, since their bytes are smaller."""
    rows, columns = board.rows, board.columns
    turns = [turned for turned in (False, True) if rows == columns or turned == (rows > columns)]
    return [Image(rows, columns, *flips) for flips in product((False, True), (False, True), turns)]


def _image_of_clicks(image: Image, along: Numbers, across: Numbers, chords: Numbers) -> bytes:
    """The size, then of each click: 0, 1 for a chord, row and column."""
    row, column = image.places(along, across)
    return image.size + (chords << 16 | row << 8 | column).astype(">u4").tobytes()


def _image_of_board(image: Image, mines: NDArray[np.uint8]) -> bytes:
    mirrored = mines[:: -1 if image.down else 1, :: -1 if image.right else 1]
    return image.size + np.packbits(mirrored.T if image.turned else mirrored).tobytes()


def _points_in_cells(recording: Recording, places: Numbers, along: Numbers, across: Numbers) -> tuple[Numbers, Numbers]:
    """Return the points of the events at ``places``, measured down and right from the middle of their cells.

    In halves of a pixel at 16 px a cell, rounded towards the middle: a mirrored game has exactly the mirrored numbers.
    """
    px = recording.cell_px
    events = recording.events[places]
    down = _from_middle(events["y_px"] - along * px, px)
    return down, _from_middle(events["x_px"] - across * px, px)


def _image_of_points(image: Image, down: Numbers, right: Numbers) -> bytes:
    pair = (-down if image.down else down, -right if image.right else right)
    return np.stack(pair[::-1] if image.turned else pair, axis=1).astype(np.int8).tobytes()


def _from_middle(inside: Numbers, cell_px: int) -> Numbers:
    doubled = 2 * inside + 1 - cell_px
    scaled: Numbers = np.sign(doubled) * (np.abs(doubled) * 16 // cell_px)
    return scaled


def _rhythm(times_ms: list[int]) -> bytes:
    span = times_ms[-1] - times_ms[0]
    if len(times_ms) not in _RHYTHM_CLICKS or span <= 0:
        return b""
    shares = (round(255 * (time_ms - times_ms[0]) / span) for time_ms in times_ms[1:-1])
    return bytes(min(max(share, 0), 255) for share in shares)  # a recording may have times that go back


def _hash(domain: bytes, content: bytes) -> bytes:
    return hashlib.sha256(domain + b"\0" + content).digest()[:16]


# --- comparing --------------------------------------------------------------------------------------------------------


def same_play(level: Level, a: Fingerprint, b: Fingerprint, *, both_won: bool) -> str | None:
    """Compare two games of one level: the same clicks, only the same board, or neither.

    ``both_won``: lost and unfinished games are short, so the same clicks count only on the same board.

    Returns
    -------
    ``SAME_CLICKS``, ``SAME_BOARD`` or ``None``.  A custom game is judged as one of Expert where it has 30 opening clicks,
    else as one of Beginner; fewer than ten clicks on the same custom board say nothing, since a board may be tiny.
    """
    if _same_clicks(level, a, b, both_won=both_won):
        return SAME_CLICKS
    telling = level is not Level.CUSTOM or min(a.opening_clicks, b.opening_clicks) >= TELLING_CLICKS
    return SAME_BOARD if telling and a.board == b.board else None


def _same_clicks(level: Level, a: Fingerprint, b: Fingerprint, *, both_won: bool) -> bool:
    if both_won and a.clicks_start is not None and a.clicks_start == b.clicks_start:
        return True
    if a.clicks != b.clicks:
        return False
    on_same_board = a.clicks_on_board == b.clicks_on_board
    same_hand = a.offsets == b.offsets
    if level in (Level.INTERMEDIATE, Level.EXPERT):
        return both_won or on_same_board
    if a.opening_clicks >= TELLING_CLICKS:
        return on_same_board or same_hand
    return on_same_board and (same_hand or same_rhythm(a.rhythm, b.rhythm))


def same_rhythm(a: bytes, b: bytes) -> bool:
    """Return whether the clicks of two games came at the same times, apart from speed and rounding."""
    if not a or len(a) != len(b):
        return False
    return all(abs(one - other) <= _RHYTHM_SLACK for one, other in zip(a, b, strict=True))
