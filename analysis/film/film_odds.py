"""The chances of a mine in every closed cell at every moment of a film, and which clicks were guesses.

A *position* is what the player saw between two clicks that opened cells; flags are no evidence (``analysis.luck``).  The
bytes are a header, the table of sections of ``analysis.film.encoding``, and the sections.  The header has 40 bytes:
``SBO1``; version; zero; rows; columns; numbers of positions and of changes (4 each); version of the luck (4); the first
half of the game hash (16); number of sections (2); zeros (2).

| id | coding | content |
| --- | --- | --- |
| 1 | 3 | positions: how many acts are played when it begins |
| 2 | 0 | positions: 0 counted, 1 not: its layouts would take too long to count |
| 3 | 0 | positions: the click that ended it: 0 certain, 1 first, 2 guess, 3 needless guess, 4 unknown, 5 none |
| 4 | 1 | positions: number of changed cells |
| 5 | 1 | changes: cell, as in section 20 of a film |
| 6 | 0 | changes: 0 certainly safe, 200 certainly a mine, 1 to 199 the chance in half percents |

What a cell had before it was opened stays there; a position that is not counted changes nothing.
"""

from __future__ import annotations

import struct
import time
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from analysis.board import MINE
from analysis.click_machine import chosen_cells
from analysis.film.encoding import BYTES, DIFFERENCES, NUMBERS, cell_gaps, differences, numbers, with_table
from analysis.film.film import Film
from analysis.kernels.probability import ANSWERED
from analysis.kernels.probability import odds_of as count_odds
from analysis.kernels.probability_front import CLOSED, SAFE
from analysis.kernels.probability_front import MINE as CERTAIN_MINE
from analysis.kernels.walk import EVENT_PLACE
from analysis.statistics import LUCK_VERSION

#: Version of the bytes; the address of a pack names it.
ODDS_VERSION: Final = 1
HEADER: Final = struct.Struct("<4sBBBBIII16sH2x")
CERTAIN, FIRST, GUESS, NEEDLESS, UNKNOWN, NONE = range(6)
SURE_MINE: Final = 200
#: Weights that one position may need: milliseconds.  The hardest positions of real Expert games need less.
MAX_WEIGHTS: Final = 1 << 16
#: The first value of every cell, which none has.
_NO_VALUE: Final = 255


@dataclass(frozen=True, slots=True, eq=False)
class OddsPack:
    """The odds of a film with p positions and c changes; the arrays are those of the sections, cells as they are.

    ``is_complete``: whether all positions were looked at; of the others ``counted`` is 1 as if they were too wide.
    """

    film: Film
    acts: NDArray[np.int32]
    uncounted: NDArray[np.uint8]
    ended_by: NDArray[np.uint8]
    changed: NDArray[np.int32]
    cells: NDArray[np.int32]
    values: NDArray[np.uint8]
    is_complete: bool


def odds_of(film: Film, max_seconds: float = float("inf")) -> OddsPack:
    """The odds of every position of ``film``.

    About 0.1 ms a position of a ranked level.  After ``max_seconds`` of processor time of this thread the positions that
    are left are not counted.
    """
    board, facts = film.board, film.facts
    clicks, opened_by = film.clicks, film.opened_by
    acts = np.searchsorted(film.places, clicks[:, EVENT_PLACE])
    until = time.thread_time() + max_seconds
    grid = np.full(facts.numbers.shape, CLOSED, np.uint8)
    last = np.full(facts.numbers.size, _NO_VALUE, np.uint8)
    size = len(clicks) + 1
    uncounted, ended_by, is_complete = np.zeros(size, np.uint8), np.full(size, NONE, np.uint8), True
    cells: list[NDArray[np.int32]] = []
    values: list[NDArray[np.uint8]] = []
    for place in range(size):
        if bool((grid == MINE).any()):  # the game is lost: there is no position any more
            size = place
            break
        late = time.thread_time() > until
        is_complete = is_complete and not late
        odds = None if late else count_odds(grid, board.mine_count, False, MAX_WEIGHTS)
        if odds is None or odds.verdict != ANSWERED:
            uncounted[place] = 1
            cells.append(np.empty(0, np.int32))
            values.append(np.empty(0, np.uint8))
            status = None
        else:
            status = odds.status
            now = _values(odds.mine, status).ravel()
            different = np.flatnonzero((grid.ravel() == CLOSED) & (now != last)).astype(np.int32)
            last[different] = now[different]
            cells.append(different)
            values.append(now[different])
        if place < len(clicks):
            ended_by[place] = _sort(place, clicks, opened_by, status)
            opened = opened_by == place
            grid[opened] = facts.numbers[opened]
    return OddsPack(
        film=film,
        acts=np.concatenate([[0], acts + 1]).astype(np.int32)[:size],
        uncounted=uncounted[:size],
        ended_by=ended_by[:size],
        changed=np.array([len(one) for one in cells], np.int32),
        cells=np.concatenate(cells),
        values=np.concatenate(values),
        is_complete=is_complete,
    )


def _values(mine: NDArray[np.float64], status: NDArray[np.int8]) -> NDArray[np.uint8]:
    """Half percents; certainty comes from the status and never from rounding."""
    halves = np.clip(np.rint(mine * SURE_MINE), 1, SURE_MINE - 1)
    halves[status == SAFE] = 0
    halves[status == CERTAIN_MINE] = SURE_MINE
    return halves.astype(np.uint8)


def _sort(click: int, clicks: NDArray[np.int32], opened_by: NDArray[np.int32], status: NDArray[np.int8] | None) -> int:
    """Classify the decision behind a click in the same way as ``analysis.luck``."""
    if click == 0:
        return FIRST
    if status is None:
        return UNKNOWN
    if bool((status.ravel()[chosen_cells(clicks, opened_by, click)] == SAFE).all()):
        return CERTAIN
    return NEEDLESS if bool((status == SAFE).any()) else GUESS


def encode_odds(pack: OddsPack) -> bytes:
    film = pack.film
    sections = [
        (1, DIFFERENCES, differences(pack.acts)),
        (2, BYTES, pack.uncounted.tobytes()),
        (3, BYTES, pack.ended_by.tobytes()),
        (4, NUMBERS, numbers(pack.changed)),
        (5, NUMBERS, numbers(cell_gaps(pack.cells, pack.changed))),
        (6, BYTES, pack.values.tobytes()),
    ]
    header = HEADER.pack(
        b"SBO1", ODDS_VERSION, 0, film.board.rows, film.board.columns, len(pack.acts), len(pack.cells), LUCK_VERSION,
        bytes.fromhex(film.game_hash)[:16], len(sections),
    )  # fmt: skip
    return header + with_table(sections)
