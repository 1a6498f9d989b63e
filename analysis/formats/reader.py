"""A bounds-checked cursor over the bytes of a replay: the only code that indexes them.

Every method names what it reads, so that an error says what was missing and where.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from analysis.errors import LimitExceeded, Truncated
from analysis.limits import MAX_LINE_CHARS

_BLANK_LINES = re.compile(rb"(?:\n+|[ \t\r\v\f]{1,%d}\n)+" % (MAX_LINE_CHARS + 1))


class ByteReader:
    """Reads forward through ``data``; every read past the end raises :class:`analysis.errors.Truncated`.

    Numbers are unsigned and big-endian, as in every binary replay format.

    Parameters
    ----------
    data : bytes
    offset : int
        where to begin; ``0 <= offset <= len(data)``.
    """

    __slots__ = ("_data", "offset")

    def __init__(self, data: bytes, offset: int = 0) -> None:
        if not 0 <= offset <= len(data):
            raise ValueError(f"offset {offset} lies outside the {len(data)} bytes")
        self._data = data
        self.offset = offset

    @property
    def remaining(self) -> int:
        return len(self._data) - self.offset

    def need(self, count: int, what: str) -> None:
        """Raise ``Truncated`` unless ``count`` more bytes are there; takes no memory."""
        if count > self.remaining:
            raise Truncated(what, offset=self.offset, wanted=count)

    def take(self, count: int, what: str) -> bytes:
        begin = self.offset
        end = begin + count
        if end > len(self._data):
            self.need(count, what)
        self.offset = end
        return self._data[begin:end]

    def number(self, size: int, what: str) -> int:
        return int.from_bytes(self.take(size, what), "big")

    def u8(self, what: str) -> int:
        begin = self.offset
        if begin == len(self._data):
            self.need(1, what)
        self.offset = begin + 1
        return self._data[begin]

    def u16(self, what: str) -> int:
        return self.number(2, what)

    def u24(self, what: str) -> int:
        return self.number(3, what)

    def u32(self, what: str) -> int:
        return self.number(4, what)

    def u64(self, what: str) -> int:
        return self.number(8, what)

    def rows(self, count: int, width: int, what: str) -> NDArray[np.uint8]:
        """The next ``count`` records of ``width`` bytes.

        Returns uint8, shape (count, width); a read-only view of the data, no copy.
        """
        self.need(count * width, what)
        view = np.frombuffer(self._data, np.uint8, count=count * width, offset=self.offset)
        self.offset += count * width
        return view.reshape(count, width)

    def until(self, mark: bytes, what: str) -> bytes:
        """The bytes before the next ``mark``, which is passed over; ``Truncated`` if there is none."""
        end = self._data.find(mark, self.offset)
        if end < 0:
            raise Truncated(what, offset=self.offset, wanted=self.remaining + len(mark))
        begin, self.offset = self.offset, end + len(mark)
        return self._data[begin:end]

    def rest(self) -> bytes:
        return self.take(self.remaining, "rest")


class LineReader:
    """Reads forward through the lines of ``data``, for text formats.

    A line ends with LF or CR LF.  ``line`` is the number of the line read last, from 1; ``offset`` is where the next
    one begins.
    """

    __slots__ = ("_data", "line", "offset")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.offset = 0
        self.line = 0

    @property
    def at_end(self) -> bool:
        return self.offset >= len(self._data)

    def next(self, what: str) -> bytes:
        """The next line without its end and without blanks around it.

        Raises ``Truncated``: there is none; ``LimitExceeded``: it is longer than ``MAX_LINE_CHARS`` bytes.
        """
        if self.at_end:
            raise Truncated(what, offset=self.offset, wanted=1)
        begin = self.offset
        end = self._data.find(b"\n", begin)
        end = len(self._data) if end < 0 else end
        self.line += 1
        if end - begin > MAX_LINE_CHARS + 1:  # a CR may stand before the LF
            raise LimitExceeded(f"length of line {self.line}", limit=MAX_LINE_CHARS, value=end - begin)
        self.offset = end + 1
        return self._data[begin:end].strip()

    def skip_blank(self) -> None:
        """Pass over the blank lines that come next, in one step: a file may hold millions."""
        found = _BLANK_LINES.match(self._data, self.offset)
        if found:
            self.line += self._data.count(b"\n", self.offset, found.end())
            self.offset = found.end()

    def next_filled(self, what: str) -> bytes:
        self.skip_blank()
        while True:
            line = self.next(what)
            if line:
                return line
