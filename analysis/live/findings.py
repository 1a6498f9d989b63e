"""Findings for a judge about the way in which a live game was played.

None of them is a proof, and each has innocent causes; a finding changes no result by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from analysis.board import BoardFacts
from analysis.kernels.walk import CELL, CHORD, EVENT_PLACE, NEVER, walk
from analysis.recording import EventArray, Finding, Kind

#: A press this far from the point of the event before it did not get there by moving; rounding gives 1 px.
JUMP_PX: Final = 2
#: So many presses of that sort, or clicks quicker than seeing, are a finding; fewer happen (a window gets the focus).
MANY: Final = 4
#: From so many presses on, this share of intervals within 1 ms of the median is a finding.
EVEN_FROM: Final = 50
EVEN_SHARE: Final = 0.9
#: Nobody sees a number, decides and releases a button in less.
SEEING_MS: Final = 80

_PRESSES: Final = [Kind.LEFT_PRESS, Kind.RIGHT_PRESS, Kind.MIDDLE_PRESS, Kind.SHIFT_LEFT_PRESS]


def findings_of(events: EventArray, cell_px: int, facts: BoardFacts, *, question_marks: bool) -> list[Finding]:
    """The findings of a game.

    - ``live_jumps``: presses at another point than the event before them, by more than ``JUMP_PX``.
    - ``live_even_steps``: presses at equal intervals.
    - ``live_too_quick``: left clicks that opened a cell less than ``SEEING_MS`` after its first neighbour was opened.
      Whatever is seen from further away (the mine counter, a number two cells off) is left out of it.

    Parameters
    ----------
    events : EVENT, up to the deciding one
    cell_px : size of a cell
    facts : of the board
    question_marks : whether they were on at the beginning
    """
    return [*_jumps(events), *_even_steps(events), *_too_quick(events, cell_px, facts, question_marks)]


def _jumps(events: EventArray) -> Iterator[Finding]:
    x, y = events["x_px"].astype(np.int32), events["y_px"].astype(np.int32)
    far = (np.abs(np.diff(x)) > JUMP_PX) | (np.abs(np.diff(y)) > JUMP_PX)
    presses = np.isin(events["kind"], _PRESSES)
    jumps = int(np.count_nonzero(far & presses[1:]))
    if jumps >= MANY:
        yield Finding("live_jumps", {"jumps": jumps, "presses": int(presses.sum())})


def _even_steps(events: EventArray) -> Iterator[Finding]:
    intervals = np.diff(events["time_ms"][np.isin(events["kind"], _PRESSES)].astype(np.int64))
    if len(intervals) < EVEN_FROM:
        return
    even = int(np.count_nonzero(np.abs(intervals - np.median(intervals)) <= 1))
    if even > EVEN_SHARE * len(intervals):
        yield Finding("live_even_steps", {"even": even, "intervals": len(intervals)})


def _too_quick(events: EventArray, cell_px: int, facts: BoardFacts, question_marks: bool) -> Iterator[Finding]:
    walked = walk(events, cell_px, facts.numbers, facts.opening_id, facts.island_id, int(question_marks))
    clicks, opened_by = walked.clicks, walked.opened_by
    times = events["time_ms"][clicks[:, EVENT_PLACE]].astype(np.int64)
    quick = sum(
        _first_neighbour_ms(clicks[number, CELL], number, opened_by, times) > times[number] - SEEING_MS
        for number in range(1, len(clicks))
        if not clicks[number, CHORD]
    )
    if quick >= MANY:
        yield Finding("live_too_quick", {"count": quick, "limit_ms": SEEING_MS})


def _first_neighbour_ms(cell: int, number: int, opened_by: NDArray[np.int32], times: NDArray[np.int64]) -> float:
    """When the first neighbour of ``cell`` was opened by a click before ``number``; long ago if none was."""
    row, column = divmod(int(cell), opened_by.shape[1])
    around = opened_by[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
    earlier = around[(around != NEVER) & (around < number)]
    return float(times[earlier.min()]) if earlier.size else -np.inf
