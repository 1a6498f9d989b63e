"""A film at one moment, and its clicks one by one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from analysis.film.film import Film
from analysis.kernels.click_machine import FLAGGED as FLAGGED

#: The columns of ``Film.counters`` that count effective clicks, and what a click is called that raises them.
EFFECTIVE: Final = ((3, "left"), (4, "right"), (5, "double"))


@dataclass(frozen=True, slots=True)
class EffectiveClick:
    """A click that changed the board.  ``cell``: row * columns + column; ``time_ms``: since the opening."""

    sort: str
    cell: int
    time_ms: int


def events_until(film: Film, time_ms: float) -> int:
    """Return the number of events that have happened ``time_ms`` after the opening."""
    return int(np.searchsorted(film.events["time_ms"], time_ms + film.start_ms, side="right"))


def acts_within(film: Film, events: int) -> int:
    return int(np.searchsorted(film.places, events))


def faces_after(film: Film, events: int) -> NDArray[np.uint8]:
    """Return every cell's face after ``events`` events, (rows, columns): 0 closed, 1 flag, 2 question mark, 3 open."""
    acts = acts_within(film, events)
    faces = np.zeros(film.board.rows * film.board.columns, np.uint8)
    changes = int(film.changed[:acts].sum())
    faces[film.cells[:changes]] = film.faces[:changes]  # of a cell that is named twice the last value stays
    return faces.reshape(film.board.rows, film.board.columns)


def cursor_after(film: Film, events: int) -> tuple[float, float]:
    """Return the cursor's place after ``events`` events (at the first one before it), in cells: x, y."""
    event = film.events[max(events - 1, 0)]
    return float(event["x_px"]) / film.cell_px, float(event["y_px"]) / film.cell_px


def effective_clicks(film: Film) -> list[EffectiveClick]:
    """The clicks on the board that changed it, in their order."""
    times = _times(film)
    found = []
    for column, sort in EFFECTIVE:
        for act in np.flatnonzero(np.diff(film.counters[:, column], prepend=0) > 0).tolist():
            cell = _cell(film, int(film.places[act]))
            if cell is not None:
                found.append((act, EffectiveClick(sort, cell, int(times[act]))))
    return [click for _act, click in sorted(found, key=lambda one: one[0])]


def _cell(film: Film, event: int) -> int | None:
    row = int(film.events["y_px"][event]) // film.cell_px
    column = int(film.events["x_px"][event]) // film.cell_px
    inside = 0 <= row < film.board.rows and 0 <= column < film.board.columns
    return row * film.board.columns + column if inside else None


def _times(film: Film) -> NDArray[np.int64]:
    """Return the times of the acts, in ms since the opening."""
    times = film.events["time_ms"].astype(np.int64)
    acts: NDArray[np.int64] = times[film.places] - film.start_ms
    return acts
