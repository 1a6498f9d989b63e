"""Codecs for the values of a message, which are written as bytes.

A *codec* writes one value to the end of a ``bytearray`` and reads one from a :class:`Reader`.  Reading is strict: each
value has exactly one form, a count is compared with the bytes that are left before anything is made of it, and whatever
is wrong raises :class:`WireError`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NoReturn, Protocol

#: What the two sizes of integers hold at most, and their length in bytes.  2**53 - 1 is the largest safe integer of JavaScript.
UINT_MOST, UINT_BYTES = 2**32 - 1, 5
LONG_MOST, LONG_BYTES = 2**53 - 1, 8
_SINT_MOST: Final = 2**31 - 1


class WireError(ValueError):
    """Bytes that are no message, or a value that does not fit into one."""


def refuse(reason: str) -> NoReturn:
    raise WireError(reason)


class Reader:
    __slots__ = ("at", "data", "length")

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data, self.at, self.length = data, at, len(data)

    def byte(self) -> int:
        at = self.at
        if at >= self.length:
            refuse("the message ends too early")
        self.at = at + 1
        return self.data[at]

    def take(self, count: int) -> bytes:
        at = self.at
        if count > self.length - at:
            refuse("the message ends too early")
        self.at = at + count
        return self.data[at : at + count]

    def uint(self, most: int = UINT_MOST, longest: int = UINT_BYTES) -> int:
        """An integer in LEB128 of at most ``longest`` bytes, without padding."""
        data, at = self.data, self.at
        if at < self.length and (first := data[at]) < 0x80:
            self.at = at + 1
            value = first
        else:
            value = self._long_uint(longest)
        if value > most:
            refuse("a number is too large")
        return value

    def _long_uint(self, longest: int) -> int:
        value = shift = 0
        for place in range(self.at, min(self.at + longest, self.length)):
            byte = self.data[place]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                if byte == 0:
                    refuse("a number is padded")
                self.at = place + 1
                return value
            shift += 7
        refuse("a number does not end")

    def sint(self) -> int:
        """Read a signed integer, zigzag: 0, -1, 1, -2 and so on are written as 0, 1, 2, 3 and so on."""
        value = self.uint()
        return (value >> 1) ^ -(value & 1)

    def count(self, smallest: int) -> int:
        """Read how many values follow, each of at least ``smallest`` bytes; refuse more than there is room for."""
        count = self.uint()
        if count * smallest > self.length - self.at:
            refuse("a count is larger than the message")
        return count


def write_uint(out: bytearray, value: int, most: int = UINT_MOST) -> None:
    """Append ``value`` in LEB128."""
    if not 0 <= value <= most:
        refuse(f"{value} is no number from 0 to {most}")
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)


def write_sint(out: bytearray, value: int) -> None:
    """Append ``value`` as zigzag."""
    if not -_SINT_MOST <= value <= _SINT_MOST:
        refuse(f"{value} is no number of 32 bits")
    write_uint(out, value << 1 if value >= 0 else -value * 2 - 1)


class Codec(Protocol):
    """``smallest``: the least number of bytes of a value; ``word``: its name in ``docs/play-protocol.md``."""

    smallest: int
    word: str

    def read(self, reader: Reader) -> Any: ...

    def write(self, out: bytearray, value: Any) -> None: ...


class Uint:
    """An integer from 0 to ``most``."""

    smallest = 1

    def __init__(self, most: int = UINT_MOST) -> None:
        self.most = most
        self.word = "uint" if most <= UINT_MOST else "long"
        self._longest = UINT_BYTES if most <= UINT_MOST else LONG_BYTES

    def read(self, reader: Reader) -> int:
        return reader.uint(self.most, self._longest)

    def write(self, out: bytearray, value: int) -> None:
        write_uint(out, value, self.most)


class Sint:
    """A signed integer of 32 bits, without -2**31."""

    smallest = 1
    word = "sint"

    def read(self, reader: Reader) -> int:
        value = reader.sint()
        if value < -_SINT_MOST:
            refuse("a number is too large")
        return value

    def write(self, out: bytearray, value: int) -> None:
        write_sint(out, value)


class Byte:
    """One byte, from ``least`` to ``most``."""

    smallest = 1
    word = "u8"

    def __init__(self, most: int = 255, least: int = 0) -> None:
        self.least, self.most = least, most

    def read(self, reader: Reader) -> int:
        value = reader.byte()
        if not self.least <= value <= self.most:
            refuse(f"the byte {value} is unknown")
        return value

    def write(self, out: bytearray, value: int) -> None:
        if not self.least <= value <= self.most:
            refuse(f"the byte {value} is unknown")
        out.append(value)


class Flag:
    """True or false, as the byte 1 or 0."""

    smallest = 1
    word = "bool"

    def read(self, reader: Reader) -> bool:
        value = reader.byte()
        if value > 1:
            refuse(f"{value} is neither 0 nor 1")
        return value == 1

    def write(self, out: bytearray, value: bool) -> None:
        out.append(1 if value else 0)


class Fixed:
    def __init__(self, size: int) -> None:
        self.smallest = size
        self.word = f"{size} bytes"

    def read(self, reader: Reader) -> bytes:
        return reader.take(self.smallest)

    def write(self, out: bytearray, value: bytes) -> None:
        if len(value) != self.smallest:
            refuse(f"{len(value)} bytes instead of {self.smallest}")
        out += value


class Blob:
    """Up to ``most`` bytes, their number first."""

    smallest = 1

    def __init__(self, most: int) -> None:
        self.most = most
        self.word = f"bytes ≤ {most}"

    def read(self, reader: Reader) -> bytes:
        return reader.take(reader.uint(self.most))

    def write(self, out: bytearray, value: bytes) -> None:
        write_uint(out, len(value), self.most)
        out += value


class Text:
    """Text of up to ``most`` bytes of UTF-8, their number first."""

    smallest = 1

    def __init__(self, most: int) -> None:
        self._blob = Blob(most)
        self.most = most
        self.word = f"text ≤ {most}"

    def read(self, reader: Reader) -> str:
        try:
            return self._blob.read(reader).decode()
        except UnicodeDecodeError as error:
            raise WireError("a text is no UTF-8") from error

    def write(self, out: bytearray, value: str) -> None:
        try:
            self._blob.write(out, value.encode())
        except UnicodeEncodeError as error:
            raise WireError("a text has no form in UTF-8") from error


class Rows:
    """A count and as many rows, each a named tuple ``row`` of the values that ``codecs`` write."""

    smallest = 1

    def __init__(self, row: Any, *codecs: Codec) -> None:
        self.row, self.codecs = row, codecs
        names = zip(row._fields, codecs, strict=True)
        self.word = "list of (" + ", ".join(f"{name} {codec.word}" for name, codec in names) + ")"
        self._smallest_row = sum(codec.smallest for codec in codecs)

    def read(self, reader: Reader) -> tuple[Any, ...]:
        codecs, row = self.codecs, self.row
        count = reader.count(self._smallest_row)
        return tuple([row(*[codec.read(reader) for codec in codecs]) for _ in range(count)])

    def write(self, out: bytearray, value: Sequence[tuple[Any, ...]]) -> None:
        write_uint(out, len(value))
        for row in value:
            for codec, item in zip(self.codecs, row, strict=True):
                codec.write(out, item)
