"""A game, event by event and act by act."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.analyse import Analysis
from analysis.board import BoardFacts
from analysis.click_machine import Result, walk_of
from analysis.kernels.click_machine import NORMAL_CELL_PX
from analysis.recording import Board, EventArray


@dataclass(frozen=True, slots=True, eq=False)
class Film:
    """An *act* is an event that is no move; there are ``m`` of them among ``n`` events, and ``c`` changed faces.

    ``events``: EVENT, shape (n,), up to the deciding one; ``start_act``: the number of the act that opened first.
    ``start_ms``: the time of the events from which the game's time counts.
    ``places``: int32 (m,), of each act among the events.  ``held``: uint8 (m,), bits of ``analysis.kernels.walk``.
    ``counters``: int32 (m, 11), after each act: lcl rcl dcl lce rce dce rce_strict flags bvdone opdone isdone.
    ``path``: float64 (m,), px at 16 px a cell.  ``changed``: int32 (m,), how many of ``cells`` (int32, (c,), row *
    columns + column) and ``faces`` (uint8, (c,), 0 closed, 1 flag, 2 question mark, 3 open) belong to each act.
    ``clicks``, ``opened_by``: as in ``analysis.click_machine.Game``.  ``precision_ms``: the unit in which every time is a whole number.
    """

    board: Board
    facts: BoardFacts
    result: Result
    question_marks: bool
    cell_px: int
    precision_ms: int
    time_ms: int
    game_hash: str
    start_act: int
    start_ms: int
    events: EventArray
    places: NDArray[np.int32]
    held: NDArray[np.uint8]
    counters: NDArray[np.int32]
    path: NDArray[np.float64]
    changed: NDArray[np.int32]
    cells: NDArray[np.int32]
    faces: NDArray[np.uint8]
    clicks: NDArray[np.int32]
    opened_by: NDArray[np.int32]

    @property
    def before_ms(self) -> int:
        """Time of the first event on the clock of the game: 0 or less, unless the file lacks its beginning."""
        return int(self.events["time_ms"][0]) - self.start_ms


def film_of(analysis: Analysis) -> Film:
    recording, game, facts = analysis.recording, analysis.game, analysis.facts
    events = recording.events[: game.end_index + 1]
    walked = walk_of(recording, facts)
    return Film(
        board=recording.board,
        facts=facts,
        result=game.result,
        question_marks=recording.question_marks,
        cell_px=recording.cell_px,
        precision_ms=_precision_ms(events, recording.time_precision_ms),
        time_ms=game.time_ms,
        game_hash=analysis.game_hash,
        start_act=int(np.searchsorted(walked.places, game.start_index)),
        start_ms=recording.start_ms(game.start_index),
        events=events,
        places=walked.places,
        held=walked.held,
        counters=walked.counters,
        path=walked.paths_px * NORMAL_CELL_PX / recording.cell_px,
        clicks=game.clicks,
        opened_by=game.opened_by,
        changed=walked.changed,
        cells=walked.cells,
        faces=walked.faces,
    )


def _precision_ms(events: EventArray, stated: int) -> int:
    """The precision that the file states, if every time since the first event keeps it, else 1."""
    since = events["time_ms"] - events["time_ms"][0]
    return stated if 1 < stated <= 255 and not np.any(since % stated) else 1
