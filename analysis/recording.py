"""The data structure into which every replay format is read.

A :class:`Recording` is what the file *says*: the board, the mouse events and the header.  Nothing in it has been
checked against the rules of the game; ``analysis.click_machine`` replays it and recomputes every number.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum, IntFlag, StrEnum
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis.errors import Inconsistent, LimitExceeded
from analysis.limits import MAX_SIDE

EventArray: TypeAlias = NDArray[np.void]

#: One mouse event: time in ms since the clock started (may be negative), cursor in px of the recording's own cell
#: size relative to the board's top left corner, and what happened (:class:`Kind`).
EVENT = np.dtype([("time_ms", "<i4"), ("x_px", "<i2"), ("y_px", "<i2"), ("kind", "u1")])


class Kind(IntEnum):
    """Kind of a mouse event.  The numbers 1 to 12 are those of the EVF format."""

    MOVE = 1
    LEFT_PRESS = 2
    LEFT_RELEASE = 3
    RIGHT_PRESS = 4
    RIGHT_RELEASE = 5
    MIDDLE_PRESS = 6
    MIDDLE_RELEASE = 7
    PREFLAG = 8  # a flag that stood before the first event
    SECOND_PRESS = 9  # the second button went down; which of the two is not recorded
    LEFT_CHANGE = 10  # left pressed or released; which is not recorded
    RIGHT_CHANGE = 11
    MIDDLE_CHANGE = 12
    SHIFT_LEFT_PRESS = 13  # left press with shift held: the release chords
    MARKS_TOGGLE = 14  # the question-mark setting was switched


class Level(StrEnum):
    """The categories that are ranked apart; ``CUSTOM`` is everything else."""

    BEGINNER = "beginner"  # 8x8, 10 mines
    BEGINNER_9X9 = "beginner-9x9"  # 9x9, 10 mines: much easier, never mixed with 8x8
    INTERMEDIATE = "intermediate"  # 16x16, 40 mines
    EXPERT = "expert"  # 16 rows of 30, 99 mines
    CUSTOM = "custom"


LEVEL_SHAPES: dict[Level, tuple[int, int, int]] = {  # rows, columns, mines
    Level.BEGINNER: (8, 8, 10),
    Level.BEGINNER_9X9: (9, 9, 10),
    Level.INTERMEDIATE: (16, 16, 40),
    Level.EXPERT: (16, 30, 99),
}
_LEVEL_OF_SHAPE = {shape: level for level, shape in LEVEL_SHAPES.items()}


class Mode(StrEnum):
    """Rules of the game as the file states them; only ``STANDARD`` is ranked."""

    STANDARD = "standard"
    UPK = "upk"
    CHEAT = "cheat"
    DENSITY = "density"
    WIN7 = "win7"
    NO_GUESS = "no-guess"  # EVF "classic no-guess"
    LUCKY = "lucky"
    OTHER = "other"  # a rule set that the file names and that is none of the above


class Help(IntFlag):
    """Helps of a program that change what a click does (``analysis.click_machine``); no game with one is ranked.

    The bits are those of :attr:`Recording.settings`, whose lowest one is question marks.
    """

    NONE = 0
    SUPER_CLICK = 2  # a left click on an open cell chords
    SUPER_FLAG = 4  # a right press on an open number flags its closed neighbours if all of them must be mines
    ELMAR_TECHNIQUE = 8  # pressing left presses and releases it


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """Places of the mines.

    ``mines``: uint8, shape (rows, columns), 1 = mine; read-only.
    """

    mines: NDArray[np.uint8]

    def __post_init__(self) -> None:
        mines = np.ascontiguousarray(self.mines, np.uint8)  # for any other numba would compile the kernels again
        rows, columns = mines.shape
        for name, side in (("rows", rows), ("columns", columns)):
            if not 1 <= side <= MAX_SIDE:
                raise LimitExceeded(name, limit=MAX_SIDE, value=side)
        if self.mine_count >= rows * columns:
            raise Inconsistent(f"The board has {rows * columns} cells and {self.mine_count} mines: no safe cell.")
        mines.setflags(write=False)
        object.__setattr__(self, "mines", mines)

    @property
    def rows(self) -> int:
        return int(self.mines.shape[0])

    @property
    def columns(self) -> int:
        return int(self.mines.shape[1])

    @property
    def mine_count(self) -> int:
        return int(np.count_nonzero(self.mines))

    @property
    def level(self) -> Level:
        return _LEVEL_OF_SHAPE.get((self.rows, self.columns, self.mine_count), Level.CUSTOM)

    def packed(self) -> bytes:
        """The mines as bits, row by row, most significant bit first, zero padded."""
        return np.packbits(self.mines.ravel()).tobytes()

    @classmethod
    def from_packed(cls, packed: bytes, rows: int, columns: int) -> Board:
        """The inverse of :meth:`packed`."""
        bits = np.unpackbits(np.frombuffer(packed, np.uint8), count=rows * columns)
        return cls(bits.reshape(rows, columns).copy())


@dataclass(frozen=True, slots=True)
class Claims:
    """Header's statements about the game.  Never used as a result, only compared with it.

    ``time_step_ms``: of its last decimal; the time may be cut or rounded there.
    ``fair``: its program's word on whether it was played by the rules; believed only where it is a no.
    """

    time_ms: int | None = None
    bv: int | None = None
    bvdone: int | None = None
    win: bool | None = None
    lcl: int | None = None
    rcl: int | None = None
    dcl: int | None = None
    level: Level | None = None
    nf: bool | None = None
    fair: bool | None = None
    time_step_ms: int = field(default=1, compare=False)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about the file that its reader should know: a stable ``code``, and the values that its sentence names.

    Texts of the file are excerpts; other texts are codes themselves.
    """

    code: str
    params: Mapping[str, str | int | float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Recording:
    """One game as its file tells it.

    ``format``: "avf", "rawvf" …; ``format_variant``: the format's own version, for people ("0.52.3", "Rev6").
    ``events``: dtype :data:`EVENT`, read-only, in file order; time never decreases (readers clamp and report it).
    ``player``: the name as text; ``player_bytes``: as it stands in the file (encodings are guesses, bytes are not);
    ``player_encoding``: the encoding that was guessed, empty where nothing had to be.
    ``country``: as the file states it, two letters or a name (:mod:`analysis.countries`).
    ``played_at``: when the game began; naive when the file has no zone (AVF writes the PC's local time).
    ``time_precision_ms``: the grid of the times, 10 for AVF, 1 for RMV, EVF and newer.
    ``clock_start_ms``: the time of the events at which the program's clock shows 0; ``None``: the opening release.
    ``extra``: further header fields worth showing or writing back, text by name.
    ``seal``: the checksum that the program wrote, which only it can verify; empty if there is none.
    ``trailing_bytes``: how many bytes stand behind the end that the format gives the file.
    ``converted``: the file says that another program made it from another format.
    ``code_texts``: texts besides the name in which a player may put a code of the site; never shown, one is a secret.
    """

    format: str
    format_variant: str
    board: Board
    events: EventArray
    cell_px: int = 16
    player: str = ""
    player_bytes: bytes = b""
    player_encoding: str = ""
    software: str = ""
    country: str = ""
    mode: Mode = Mode.STANDARD
    question_marks: bool = False
    played_at: datetime | None = None
    ended_at: datetime | None = None
    time_precision_ms: int = 1
    clock_start_ms: int | None = None
    helps: Help = Help.NONE
    claims: Claims = field(default_factory=Claims)
    findings: tuple[Finding, ...] = ()
    extra: dict[str, str] = field(default_factory=dict)
    seal: bytes = b""
    trailing_bytes: int = 0
    converted: bool = False
    code_texts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.events.setflags(write=False)

    @property
    def settings(self) -> int:
        """Bits of what changes the effect of a click: 1 question marks at the beginning, and those of ``helps``."""
        return int(self.helps) | self.question_marks

    def start_ms(self, opening: int) -> int:
        """Return the time from which the game's time counts, given the place of the opening release in ``events``.

        Never later than the opening: a text file may say anything about its clock.
        """
        opened_ms = int(self.events["time_ms"][opening])
        return opened_ms if self.clock_start_ms is None else min(self.clock_start_ms, opened_ms)


def events_from(rows: Any) -> EventArray:
    """An event array from ``(time_ms, x_px, y_px, kind)`` tuples."""
    return np.array([tuple(row) for row in rows], dtype=EVENT)


def digest(*parts: bytes) -> str:
    """SHA-256 over the parts, each preceded by its length so that no two lists of parts collide."""
    state = hashlib.sha256()
    for part in parts:
        state.update(len(part).to_bytes(8, "big"))
        state.update(part)
    return state.hexdigest()
