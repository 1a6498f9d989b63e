"""EVFS, a set of EVF replays in one file; version 0.

::

    1, 2        version 0, length of a checksum
    for each    name, ended by 0; size (4) and bytes of an EVF file; checksum

The checksums chain the replays; nothing is known of how they are made.  A set is no recording: :func:`cells` takes it
apart, and each part is read by ``analysis.formats``.  A set may be larger than any replay, so :func:`places` reads nothing
of the replays themselves.

Sources: the paper on EVFS and the reader ``ms_toollib``; never met in a real file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import SEEK_CUR, BytesIO
from itertools import islice
from typing import IO, Final

from analysis.errors import BadField, LimitExceeded, ReplayError, Truncated
from analysis.formats import evf
from analysis.formats.text import decode
from analysis.limits import MAX_SET_REPLAYS, MAX_TEXT_BYTES

FIRST_BYTE: Final = b"\0"  # the version
_LOOKED_AT: Final = 100  # replays, to recognise a set of which the first ones are broken


@dataclass(frozen=True, slots=True)
class Cell:
    """One replay of a set: its name without an ending, and the bytes of the file."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a replay in the file of its set: its name, the offset of its first byte, how many bytes it has."""

    name: str
    offset: int
    size: int


def recognises(data: bytes) -> bool:
    """Return whether ``data`` begins like a set: its version, then names and replays, of which one can be EVF.

    A file that can itself be EVF is a set only if the first of them can.
    """
    if not data.startswith(FIRST_BYTE):
        return False
    most = 1 if evf.recognises(data) else _LOOKED_AT
    try:
        return any(
            evf.recognises(data[one.offset : one.offset + one.size])
            for one in islice(places(BytesIO(data), len(data)), most)
        )
    except ReplayError:
        return False


def cells(data: bytes) -> tuple[Cell, ...]:
    """The replays of a set, in their order.

    Raises ``ReplayError`` as :func:`places`.
    """
    found = places(BytesIO(data), len(data))
    return tuple(Cell(one.name, data[one.offset : one.offset + one.size]) for one in found)


def places(stream: IO[bytes], size: int) -> Iterator[Place]:
    """Yield the places of the replays of a set, in their order, up to the first damage; takes memory for a name alone.

    ``stream``: open file, seekable, at its beginning.  ``size``: of the file.
    Raises ``ReplayError``: ``Truncated``, ``BadField`` or ``LimitExceeded``; nothing else.  The replays themselves are
    not read here.
    """
    reader = _Forward(stream, size)
    checksum_bytes = _read_checksum_length(reader)
    count = 0
    while reader.offset < size:
        if count == MAX_SET_REPLAYS:
            raise LimitExceeded("number of replays in the set", limit=MAX_SET_REPLAYS, value=count + 1)
        yield _read_place(reader)
        count += 1
        reader.skip(checksum_bytes, "checksum")


class _Forward:
    """A cursor that never goes back, for a compressed file would be unpacked again from its beginning."""

    def __init__(self, stream: IO[bytes], size: int) -> None:
        self._stream, self._size = stream, size
        self._ahead = b""  # read, and not taken yet
        self.offset = 0

    def take(self, count: int, what: str) -> bytes:
        if len(self._look(count)) < count:
            raise Truncated(what, offset=self.offset, wanted=count)
        return self._cut(count)

    def text(self, what: str) -> bytes:
        """Return the bytes up to the next zero, which is passed over."""
        text, zero, _rest = self._look(MAX_TEXT_BYTES + 1)[: MAX_TEXT_BYTES + 1].partition(b"\0")
        if not zero and len(text) > MAX_TEXT_BYTES:
            raise LimitExceeded(f"length of a {what}", limit=MAX_TEXT_BYTES, value=len(text))
        if not zero:
            raise Truncated(what, offset=self.offset, wanted=len(text) + 1)
        return self._cut(len(text) + 1)[:-1]

    def skip(self, count: int, what: str) -> None:
        if count > self._size - self.offset:
            raise Truncated(what, offset=self.offset, wanted=count)
        self._stream.seek(max(count - len(self._ahead), 0), SEEK_CUR)
        self._cut(count)

    def _look(self, count: int) -> bytes:
        if len(self._ahead) < count:
            self._ahead += self._stream.read(count - len(self._ahead))
        return self._ahead

    def _cut(self, count: int) -> bytes:
        cut, self._ahead = self._ahead[:count], self._ahead[count:]
        self.offset += count
        return cut


def _read_checksum_length(reader: _Forward) -> int:
    version = reader.take(1, "version")[0]
    if version != 0:
        raise BadField("version", offset=0, value=version)
    return int.from_bytes(reader.take(2, "length of a checksum"), "big")


def _read_place(reader: _Forward) -> Place:
    """Return the place of the next replay, which is passed over."""
    name = decode(reader.text("name"))
    size = int.from_bytes(reader.take(4, "size of a replay"), "big")
    place = Place(name, reader.offset, size)
    reader.skip(size, "replay")
    return place
