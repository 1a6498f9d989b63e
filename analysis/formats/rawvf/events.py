"""RawVF, the lines behind ``Events:``, in one pass over the bytes.

::

    mouse   time code [column row] (x y) [(held buttons)]
    board   id column row               what the program showed; checked and passed over
    game    [time] start|won|win|victory|lost|lose|loss|defeat|boom|blast|nonstandard
    scroll  time sx|sy horizontal vertical

Words compare without case.  Column and row of a mouse event are not used: the pixels are more precise.
"""

from __future__ import annotations

import numpy as np

from analysis.errors import BadField, LimitExceeded
from analysis.formats.rawvf.scan import CELL, END, FULL, HELD, LONG, OK, POINT, TIME, WORD, scan
from analysis.formats.rawvf.words import FIRST_LOSS, KIND_OF_WORD, WORD_LENGTHS, WORD_TABLE
from analysis.limits import MAX_EVENTS, MAX_LINE_CHARS
from analysis.recording import EVENT, EventArray

_SHORTEST_MOUSE_LINE = len(b"0 l(0 0)")
_FAULTS = {
    TIME: "time of the event",
    WORD: "kind of the event",
    CELL: "cell of the event",
    POINT: "point of the event",
    HELD: "held buttons",
    END: "end of the event line",
}


def parse_events(data: bytes, offset: int, line: int) -> tuple[EventArray, int, bool | None]:
    """The mouse events from ``offset`` to the end.

    ``offset``, ``line``: where the first event line begins, and how many lines stand before it.
    Raises ``BadField``: a line outside the grammar; ``offset`` is the number of the line; ``LimitExceeded``: too many
    events, a time beyond a day or a line that is too long.

    Returns
    -------
    events : dtype ``EVENT``, in file order; times not yet in order
    decimals : int
        the most decimals that a time of a mouse event has.
    won : bool or None
        what the last game line says: won or lost; ``None`` without such a line.
    """
    text = np.frombuffer(data, np.uint8)
    capacity = min((len(data) - offset) // _SHORTEST_MOUSE_LINE + 1, MAX_EVENTS)
    fields = np.empty((capacity, 4), np.int32)
    count, fault, at, decimals, outcome = scan(text, offset, fields, WORD_TABLE, WORD_LENGTHS)
    if fault != OK:
        _raise(fault, data, offset, int(at), line)
    events: EventArray = np.empty(count, EVENT)
    events["time_ms"] = fields[:count, 0]
    events["x_px"] = fields[:count, 1]
    events["y_px"] = fields[:count, 2]
    events["kind"] = KIND_OF_WORD[fields[:count, 3]]
    return events, int(decimals), outcome < FIRST_LOSS if outcome >= 0 else None


def _raise(fault: int, data: bytes, offset: int, at: int, line: int) -> None:
    number = line + data.count(b"\n", offset, at) + 1
    if fault == LONG:
        raise LimitExceeded(f"length of line {number}", limit=MAX_LINE_CHARS, value=MAX_LINE_CHARS + 1)
    if fault == FULL:
        raise LimitExceeded("number of events", limit=MAX_EVENTS, value=MAX_EVENTS + 1)
    end = data.find(b"\n", at)
    shown = data[at : end if end >= 0 else None].strip().decode("latin-1")
    raise BadField(_FAULTS[fault], offset=number, value=shown)
