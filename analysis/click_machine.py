"""The click machine: what happened in a recorded game.

The convention is Arbiter's, with these details fixed:

- **left**: every completed left click counts, released outside the board too.  Effective when it opens at least one
  cell, a mine included.
- **right**: counts at the press when it toggles a cell's label, else at the release when it was pressed and released
  alone.  Effective when it toggles.  Labels go closed -> flag -> closed, with question marks (the file's setting, which
  an event may switch) closed -> flag -> question mark -> closed.  A question mark protects nothing.
- **double**: every chord attempt counts: both buttons (at the first release of either), shift and left, or the middle
  button.  Released outside and before the start too.  It opens all closed unflagged neighbours of an open cell that
  shows as many flags around as its number; of a zero always.  Effective when it opens at least one cell.
- After a chord the button still held gives no click of its own until it is pressed again; left pressed again while
  right is held chords again.
- Flags and clicks before the first opening count and persist; a flag that stood before the first event counts as a
  right click.  Nothing counts after the deciding release.
- An opening is solved when its last zero cell is open, an island when its last cell is; each number of an island and
  each opening is one 3BV.
- The helps that some programs offer (``Recording.helps``) are played: with *SuperClick* a left click on an open cell is a
  chord; with *SuperFlag* a right press on an open number that has as many closed neighbours as mines flags them all, as
  one effective right click; with *ElmarTechnique* pressing left presses and releases it, and its own release is nothing.
- A release is taken at its word: a left release with right held, or a right release with left held, is a chord even if
  the file holds no press of the released button (presses outside the window are not recorded by every clone).

Source: comparison of the clones' counting, Arbiter 0.52.3 as the measure.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from analysis.board import BoardFacts
from analysis.errors import Inconsistent
from analysis.kernels import click_machine as kernels
from analysis.kernels.click_machine import NORMAL_CELL_PX
from analysis.kernels.walk import CELL, CHORD, Walk, walk
from analysis.limits import MAX_CELL_PX
from analysis.recording import EVENT, Recording


class Result(StrEnum):
    """Outcome of a game; ``UNFINISHED``: the recording stops before it is decided."""

    WON = "won"
    LOST = "lost"
    UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True)
class Game:
    """Results of replaying a game.

    ``time_ms``: from the opening release, or where the program's clock starts (``Recording.clock_start_ms``), to the
    deciding event (unfinished: to the last event).
    ``path``: Euclidean cursor distance from the opening release to there in pixels at 16 px a cell, points outside skipped.
    ``lcl rcl dcl`` / ``lce rce dce``: clicks and effective clicks; ``rce_strict``: first flags on true mines only.
    ``flags``: flags left at the end.  ``bvdone opdone isdone``: 3BV, openings and islands solved.
    ``start_index``, ``end_index``: positions in ``recording.events`` of the opening release and the deciding event
    (unfinished: the last event).
    ``clicks``, ``opened_by``: as in :class:`Walk`.
    """

    result: Result
    time_ms: int
    path: float
    lcl: int
    rcl: int
    dcl: int
    lce: int
    rce: int
    dce: int
    rce_strict: int
    flags: int
    bvdone: int
    opdone: int
    isdone: int
    start_index: int
    end_index: int
    clicks: NDArray[np.int32] = field(compare=False, repr=False)
    opened_by: NDArray[np.int32] = field(compare=False, repr=False)

    @property
    def toggles(self) -> int:
        """Number of label changes, flags from before the first event included: each is an effective right click."""
        return self.rce


def play(recording: Recording, facts: BoardFacts) -> Game:
    """Replay ``recording`` by the rules above.

    ``facts``: of ``recording.board``.
    Raises ``Inconsistent`` if no cell is ever opened, an event up to the end is of no known kind, time runs backwards
    or cells have no size; ``TypeError`` or ``ValueError`` if the arrays are not of the agreed dtype and shape (an error
    of the caller, not of the replay).
    """
    walked = walk_of(recording, facts)
    tally = walked.tally
    if tally[kernels.UNKNOWN] > 0:
        raise Inconsistent("An event is of no known kind.")
    if tally[kernels.START] < 0:
        raise Inconsistent("No cell is ever opened.")
    counts = tally.tolist()
    decided = counts[kernels.END] >= 0
    start = counts[kernels.START]
    end = counts[kernels.END] if decided else len(recording.events) - 1
    return Game(
        result=_result(decided=decided, blasts=counts[kernels.BLASTS]),
        time_ms=_span_ms(recording, start, end),
        path=walked.path_px * NORMAL_CELL_PX / recording.cell_px,
        lcl=counts[kernels.LCL],
        rcl=counts[kernels.RCL],
        dcl=counts[kernels.DCL],
        lce=counts[kernels.LCE],
        rce=counts[kernels.RCE],
        dce=counts[kernels.DCE],
        rce_strict=counts[kernels.RCE_STRICT],
        flags=counts[kernels.FLAGS],
        bvdone=counts[kernels.BVDONE],
        opdone=counts[kernels.OPDONE],
        isdone=counts[kernels.ISDONE],
        start_index=start,
        end_index=end,
        clicks=walked.clicks,
        opened_by=walked.opened_by,
    )


def walk_of(recording: Recording, facts: BoardFacts) -> Walk:
    """Play ``recording`` act by act; ``facts`` and errors of the caller as for :func:`play`."""
    _check(recording, facts)
    return walk(
        recording.events, recording.cell_px, facts.numbers, facts.opening_id, facts.island_id, recording.settings
    )


def chosen_cells(clicks: NDArray[np.int32], opened_by: NDArray[np.int32], click: int) -> NDArray[np.int64]:
    """The cells that a click opened by itself, not by the flood from a zero, in rising order.

    A chord opens closed neighbours itself, and a flood past it reaches no other neighbour: those have flags.
    """
    columns = opened_by.shape[1]
    row, column = divmod(int(clicks[click, CELL]), columns)
    if not clicks[click, CHORD]:
        return np.array([row * columns + column])
    top, left = max(row - 1, 0), max(column - 1, 0)
    rows, across = np.nonzero(opened_by[top : row + 2, left : column + 2] == click)
    cells: NDArray[np.int64] = (top + rows) * columns + left + across
    return cells


def _check(recording: Recording, facts: BoardFacts) -> None:
    events, board = recording.events, recording.board
    if events.dtype != EVENT or events.ndim != 1:
        raise TypeError(f"events must be one row of EVENT, not {events.dtype} of shape {events.shape}")
    if facts.numbers.shape != (board.rows, board.columns):
        raise ValueError(f"facts of a board of shape {facts.numbers.shape} for one of {board.rows} by {board.columns}")
    if not 1 <= recording.cell_px <= MAX_CELL_PX:
        raise Inconsistent(f"A cell of {recording.cell_px} px is not from 1 to {MAX_CELL_PX} px.")


def _result(*, decided: bool, blasts: int) -> Result:
    if not decided:
        return Result.UNFINISHED
    return Result.LOST if blasts else Result.WON


def _span_ms(recording: Recording, start: int, end: int) -> int:
    span = int(recording.events["time_ms"][end]) - recording.start_ms(start)
    if span < 0:
        raise Inconsistent("Time runs backwards between the opening and the end.")
    return span
