"""EVFS, a set of EVF replays in one file; version 0.

::

    1, 2        version 0, length of a checksum
    for each    name, ended by 0; size (4) and bytes of an EVF file; checksum

The checksums chain the replays; nothing is known of how they are made.  A set is no recording: :func:`cells` takes it
apart, and each part is read by ``analysis.formats``.

Sources: the paper on EVFS and the reader ``ms_toollib``; never met in a real file.
"""

from __future__ import annotations

from dataclasses import dataclass

from analysis.errors import BadField, LimitExceeded, ReplayError
from analysis.formats import evf
from analysis.formats.reader import ByteReader
from analysis.formats.text import decode
from analysis.limits import MAX_SET_REPLAYS, MAX_TEXT_BYTES


@dataclass(frozen=True, slots=True)
class Cell:
    """One replay of a set: its name without an ending, and the bytes of the file."""

    name: str
    data: bytes


def recognises(data: bytes) -> bool:
    """Return whether ``data`` begins like a set: its version, a name and a replay that can be EVF."""
    if not data.startswith(b"\0"):
        return False
    reader = ByteReader(data)
    try:
        _read_checksum_length(reader)
        first = _read_cell(reader)
    except ReplayError:
        return False
    return evf.recognises(first.data)


def cells(data: bytes) -> tuple[Cell, ...]:
    """The replays of a set, in their order.

    Parameters
    ----------
    data : bytes
        the whole file.

    Raises
    ------
    ReplayError
        ``Truncated``, ``BadField`` or ``LimitExceeded``; nothing else.  The replays themselves are not read here.
    """
    reader = ByteReader(data)
    checksum_bytes = _read_checksum_length(reader)
    found: list[Cell] = []
    while reader.remaining:
        if len(found) == MAX_SET_REPLAYS:
            raise LimitExceeded("number of replays in the set", limit=MAX_SET_REPLAYS, value=len(found) + 1)
        found.append(_read_cell(reader))
        reader.take(checksum_bytes, "checksum")
    return tuple(found)


def _read_checksum_length(reader: ByteReader) -> int:
    version = reader.u8("version")
    if version != 0:
        raise BadField("version", offset=0, value=version)
    return reader.u16("length of a checksum")


def _read_cell(reader: ByteReader) -> Cell:
    name = reader.until(b"\0", "name")
    if len(name) > MAX_TEXT_BYTES:
        raise LimitExceeded("length of a name", limit=MAX_TEXT_BYTES, value=len(name))
    return Cell(name=decode(name), data=reader.take(reader.u32("size of a replay"), "replay"))
