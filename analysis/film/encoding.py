"""The bytes of a film, version 1: a header, a table of sections, the sections.  Little endian.

The header has 64 bytes: ``SBF1``; version; bits (1 won, 2 lost, 4 question marks at the start, 8 unfinished); rows;
columns; mines (2); px of a cell; unit of time in ms; numbers of events, acts and changed faces (4 each); the act that
opened first (4); time of the first event since the opening in ms (4, signed); time of the game in ms (4); version of the
statistics (4); the first half of the game hash (16); number of sections (2); zeros (6).

Each row of the table has 8 bytes: id, coding, zeros (2), length in bytes (4).  Readers skip ids that they do not know.

| coding | a section is |
| --- | --- |
| 0 | bytes |
| 1 | LEB128 numbers |
| 2 | LEB128 of the zigzag numbers of the differences from the number before, first from 0 |
| 3 | LEB128 of the differences, none below 0 |
| 4 | float64 |

| id | coding | content |
| --- | --- | --- |
| 1 | 3 | events: time since the first event, in units |
| 2, 3 | 2 | events: x, y in px |
| 4 | 3 | acts: place among the events |
| 5 | 0 | acts: kind |
| 6 | 0 | acts: what is held afterwards |
| 7 to 17 | 2 | acts: lcl rcl dcl lce rce dce rce_strict flags bvdone opdone isdone afterwards |
| 18 | 4 | acts: path so far, px at 16 px a cell |
| 19 | 1 | acts: number of changed faces |
| 20 | 1 | faces: cell; the first of an act as it is, then the distance from the cell before, less 1 |
| 21 | 0 | faces: 0 closed, 1 flag, 2 question mark, 3 open |
| 22 | 0 | mines, as ``Board.packed`` |
| 23, 24 | 1 | cells, row by row: number of the opening, of the island; 0 for none |
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis.click_machine import Result
from analysis.film.film import Film
from analysis.statistics import VERSION as STATISTICS_VERSION

#: Version of the bytes; the address of a film names it.
FILM_VERSION: Final = 1
MAGIC: Final = b"SBF1"
HEADER: Final = struct.Struct("<4sBBBBHBBIIIIiII16sH6x")
SECTION: Final = struct.Struct("<BBxxI")
BYTES, NUMBERS, SIGNED_DIFFERENCES, DIFFERENCES, FLOATS = 0, 1, 2, 3, 4
_GROUP_BITS: Final = 7
_MOST_GROUPS: Final = 5  # of a number of 32 bits

_Section: TypeAlias = tuple[int, int, bytes]


def encode(film: Film) -> bytes:
    """The bytes of ``film``, which equal films share."""
    sections = list(_sections(film))
    return _header(film, len(sections)) + with_table(sections)


def with_table(sections: list[_Section]) -> bytes:
    """Sections (id, coding, content) behind their table."""
    table = b"".join(SECTION.pack(number, coding, len(content)) for number, coding, content in sections)
    return table + b"".join(content for _number, _coding, content in sections)


def _header(film: Film, sections: int) -> bytes:
    board = film.board
    bits = {Result.WON: 1, Result.LOST: 2, Result.UNFINISHED: 8}[film.result] | 4 * film.question_marks
    return HEADER.pack(
        MAGIC, FILM_VERSION, bits, board.rows, board.columns, board.mine_count, film.cell_px, film.precision_ms,
        len(film.events), len(film.places), len(film.cells), film.start_act, film.before_ms, film.time_ms,
        STATISTICS_VERSION, bytes.fromhex(film.game_hash)[:16], sections,
    )  # fmt: skip


def _sections(film: Film) -> Iterator[_Section]:
    events = film.events
    since = (events["time_ms"].astype(np.int64) - int(events["time_ms"][0])) // film.precision_ms
    yield 1, DIFFERENCES, differences(since)
    yield 2, SIGNED_DIFFERENCES, signed_differences(events["x_px"])
    yield 3, SIGNED_DIFFERENCES, signed_differences(events["y_px"])
    yield 4, DIFFERENCES, differences(film.places)
    yield 5, BYTES, events["kind"][film.places].tobytes()
    yield 6, BYTES, film.held.tobytes()
    for number, counter in enumerate(film.counters.T, start=7):
        yield number, SIGNED_DIFFERENCES, signed_differences(counter)
    yield 18, FLOATS, film.path.astype("<f8").tobytes()
    yield 19, NUMBERS, numbers(film.changed)
    yield 20, NUMBERS, numbers(cell_gaps(film.cells, film.changed))
    yield 21, BYTES, film.faces.tobytes()
    yield 22, BYTES, film.board.packed()
    yield 23, NUMBERS, numbers(film.facts.opening_id.ravel())
    yield 24, NUMBERS, numbers(film.facts.island_id.ravel())


def cell_gaps(cells: NDArray[np.integer], counts: NDArray[np.integer]) -> NDArray[np.int64]:
    """Cells that rise within groups of so many: the first of each as it is, then the distance from the last, less 1."""
    gaps = _steps(cells) - 1
    ends = np.cumsum(counts)
    firsts = (ends - counts)[counts > 0]
    gaps[firsts] = cells[firsts]
    return gaps


def numbers(values: NDArray[np.integer]) -> bytes:
    """LEB128 of whole numbers from 0 to 2**32 - 1."""
    rest = values.astype(np.uint64)
    length = np.ones(len(rest), np.int64)
    for groups in range(1, _MOST_GROUPS):
        length += rest >= (1 << (_GROUP_BITS * groups))
    out = np.empty(int(length.sum()), np.uint8)
    first = np.cumsum(length) - length
    for group in range(_MOST_GROUPS):
        has = length > group
        low = (rest[has] >> np.uint64(_GROUP_BITS * group)) & np.uint64(0x7F)
        more = length[has] > group + 1
        out[first[has] + group] = low.astype(np.uint8) | (more.astype(np.uint8) << 7)
    return out.tobytes()


def differences(values: NDArray[np.integer]) -> bytes:
    """LEB128 of the differences of numbers that never fall, the first from 0."""
    return numbers(_steps(values))


def signed_differences(values: NDArray[np.integer]) -> bytes:
    """LEB128 of the zigzag numbers of the differences, the first from 0."""
    steps = _steps(values)
    return numbers((steps << 1) ^ (steps >> 63))


def _steps(values: NDArray[np.integer]) -> NDArray[np.int64]:
    """The difference of each number from the one before, the first from 0."""
    steps = values.astype(np.int64)
    steps[1:] -= values[:-1]
    return steps
