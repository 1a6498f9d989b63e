"""MVF, the records: states of the mouse, and the events between them."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, sin, sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis.errors import LimitExceeded
from analysis.formats.reader import ByteReader
from analysis.limits import MAX_EVENTS
from analysis.recording import EVENT, EventArray, Kind

Numbers: TypeAlias = NDArray[np.int32]
Words: TypeAlias = NDArray[np.int64]

LEFT, MIDDLE, RIGHT = 1, 2, 4  # bits of ``States.buttons``

# What a change of state can mean, in the order of the events of one change.
_CHANGES: tuple[tuple[Kind, int, bool], ...] = (
    (Kind.LEFT_PRESS, LEFT, True),
    (Kind.RIGHT_PRESS, RIGHT, True),
    (Kind.MIDDLE_PRESS, MIDDLE, True),
    (Kind.LEFT_RELEASE, LEFT, False),
    (Kind.RIGHT_RELEASE, RIGHT, False),
    (Kind.MIDDLE_RELEASE, MIDDLE, False),
)
_PIECE = 1 << 16  # records worked on at a time, so that what is computed on the way stays small
_BITS_OF_VALUE = np.arange(256) >> np.arange(8)[:, np.newaxis] & 1  # lowest bit first
_KINDS = np.array([Kind.MOVE, *(kind for kind, _, _ in _CHANGES)], np.uint8)


@dataclass(frozen=True, slots=True)
class States:
    """States of the mouse, one element a record: int32 arrays of one length, at least 1.

    ``buttons``: the sum of the buttons that are down.
    """

    time_ms: Numbers
    x_px: Numbers
    y_px: Numbers
    buttons: Numbers


@dataclass(frozen=True, slots=True)
class BitField:
    """Place of a number in a record once its bits are in order: the lowest bit, and the number of bits."""

    first: int
    count: int

    def of(self, words: Words) -> Numbers:
        """The number of every record."""
        return np.asarray((words >> self.first) & ((1 << self.count) - 1), np.int32)


@dataclass(frozen=True, slots=True)
class RecordLayout:
    """The fields of a record of ``size`` bytes: points are raised by ``margin_px``, times in two parts or one."""

    size: int
    y_px: BitField
    x_px: BitField
    low_time: BitField
    low_ms: int  # what one unit of the low part is worth
    seconds: BitField | None
    margin_px: int


FIVE_BYTES = RecordLayout(
    size=5,
    y_px=BitField(3, 9),
    x_px=BitField(12, 9),
    low_time=BitField(21, 7),
    low_ms=10,
    seconds=BitField(28, 10),
    margin_px=0,
)
SIX_BYTES = RecordLayout(
    size=6,
    y_px=BitField(3, 11),
    x_px=BitField(14, 11),
    low_time=BitField(25, 22),
    low_ms=1,
    seconds=None,
    margin_px=32,
)


def bit_order(key: int, size: int) -> NDArray[np.intp]:
    """The place of every bit of a record of ``size`` bytes, in the order of the fields.

    A bit's place counts from the lowest bit of the first byte.  The order is that of decimal digits made from ``key``:
    all places that hold a 0 from left to right, then all that hold a 1, and so on.
    """
    n1, n2 = sqrt(key), sqrt(key + 1000)
    n3, n4 = sqrt(n1 + 1000), sqrt(n2 + 1000)
    sources = (cos(n3 + 1000), sin(sqrt(n2)), cos(n3), sin(sqrt(n1) + 1000), cos(n4), sin(n4))
    # Rounding may give 100000000, nine digits, of which the program uses the first eight.
    digits = "".join(f"{abs(source) * 1e8:08.0f}"[:8] for source in sources[:size])
    return np.argsort(np.array(list(digits)), kind="stable")


def words_in_order(packed: NDArray[np.uint8], order: NDArray[np.intp]) -> Words:
    """The bits of every record in the order of the fields, as one number.

    ``packed``: uint8, shape (records, bytes).  ``order``: shape (8 * bytes,), see :func:`bit_order`.
    Returns int64, shape (records,).
    """
    size = packed.shape[1]
    target = np.argsort(order).reshape(size, 8)  # where each place of the file goes
    # What each value of each byte adds to the word: far fewer values than records.
    tables = np.left_shift(1, target) @ _BITS_OF_VALUE
    words: Words = tables[0, packed[:, 0]]
    for byte in range(1, size):
        words |= tables[byte, packed[:, byte]]
    return words


def read_states(reader: ByteReader, count: int, key: int, layout: RecordLayout) -> States:
    """The next ``count`` records (at least 1)."""
    packed, order = reader.rows(count, layout.size, "records"), bit_order(key, layout.size)
    states = States(*(np.empty(count, np.int32) for _ in range(4)))
    for begin in range(0, count, _PIECE):
        piece = slice(begin, begin + _PIECE)
        found = _states_of(words_in_order(packed[piece], order), layout)
        states.time_ms[piece], states.buttons[piece] = found.time_ms, found.buttons
        states.x_px[piece], states.y_px[piece] = found.x_px, found.y_px
    return states


def _states_of(words: Words, layout: RecordLayout) -> States:
    time_ms = layout.low_time.of(words) * layout.low_ms
    if layout.seconds is not None:
        time_ms += layout.seconds.of(words) * 1000
    right, middle, left = (BitField(place, 1).of(words) for place in range(3))
    return States(
        time_ms=time_ms,
        x_px=layout.x_px.of(words) - layout.margin_px,
        y_px=layout.y_px.of(words) - layout.margin_px,
        buttons=left * LEFT + middle * MIDDLE + right * RIGHT,
    )


def events_between(states: States) -> EventArray:
    """The events that lead from state to state; one that changes nothing gives none.

    The first state gives its presses, or a move if no button is down.  Raises ``LimitExceeded`` before more events than
    are allowed are made: a record can give four.
    """
    pieces, count = [], 0
    for begin in range(0, len(states.buttons), _PIECE):
        piece = _events_of_piece(states, begin, begin + _PIECE)
        count += len(piece)
        if count > MAX_EVENTS:
            raise LimitExceeded("number of events", limit=MAX_EVENTS, value=count)
        pieces.append(piece)
    return np.concatenate(pieces)


def _events_of_piece(states: States, begin: int, end: int) -> EventArray:
    """The events that lead to the states from ``begin`` to ``end``."""
    lead = max(begin - 1, 0)  # where the first of them comes from
    x_px, y_px, buttons = states.x_px[lead:end], states.y_px[lead:end], states.buttons[lead:end]
    before = np.concatenate(([0], buttons[:-1]))
    happened = np.zeros((len(before), len(_KINDS)), np.bool_)
    happened[1:, 0] = (np.diff(x_px) != 0) | (np.diff(y_px) != 0)
    happened[0, 0] = buttons[0] == 0
    for column, (_, button, down) in enumerate(_CHANGES, start=1):
        changed = (buttons ^ before) & button != 0
        happened[:, column] = changed & ((buttons & button != 0) == down)
    if begin:
        happened[0] = False  # the state that leads in belongs to the piece before
    record, column_of = np.nonzero(happened)
    events: EventArray = np.empty(len(record), EVENT)
    events["time_ms"] = states.time_ms[lead:end][record]
    events["x_px"] = x_px[record]
    events["y_px"] = y_px[record]
    events["kind"] = _KINDS[column_of]
    return events
