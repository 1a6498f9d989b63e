"""A reader of films in plain loops, by the description in ``analysis.film.encoding``."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


class FilmDamaged(Exception):
    """The bytes are not a whole film."""


@dataclass(frozen=True)
class ReadFilm:
    header: dict[str, Any]
    sections: dict[int, Any]


_NAMES = (
    "magic", "version", "bits", "rows", "columns", "mines", "cell_px", "unit_ms", "events", "acts", "faces",
    "start_act", "before_ms", "time_ms", "statistics", "hash", "sections",
)  # fmt: skip
_EVENTS, _ACTS, _FACES, _CELLS = "events", "acts", "faces", "board"
_COUNTS = {1: _EVENTS, 2: _EVENTS, 3: _EVENTS, 20: _FACES, 21: _FACES, 23: _CELLS, 24: _CELLS} | dict.fromkeys(
    (*range(4, 20),), _ACTS
)


def read_film(data: bytes) -> ReadFilm:
    if len(data) < 64:
        raise FilmDamaged("header")
    header = dict(zip(_NAMES, struct.unpack_from("<4sBBBBHBBIIIIiII16sH6x", data), strict=True))
    if header["magic"] != b"SBF1" or header["version"] != 1:
        raise FilmDamaged("version")
    header["board"] = header["rows"] * header["columns"]
    table, place = 64, 64 + 8 * header["sections"]
    sections = {}
    for _ in range(header["sections"]):
        if table + 8 > len(data):
            raise FilmDamaged("table")
        number, coding, length = struct.unpack_from("<BBxxI", data, table)
        table += 8
        content = data[place : place + length]
        if len(content) < length:
            raise FilmDamaged(f"section {number}")
        place += length
        values = list(decoded(coding, content))
        if number in _COUNTS and len(values) != header[_COUNTS[number]]:
            raise FilmDamaged(f"length of section {number}")
        sections[number] = values
    if place != len(data):
        raise FilmDamaged("end")
    return ReadFilm(header, sections)


def decoded(coding: int, content: bytes) -> Iterator[Any]:
    if coding == 0:
        yield from content
    elif coding == 4:
        yield from (value for (value,) in struct.iter_unpack("<d", content))
    else:
        total = 0
        for number in _leb128(content):
            if coding == 1:
                yield number
                continue
            total += number if coding == 3 else (number >> 1) ^ -(number & 1)
            yield total


def _leb128(content: bytes) -> Iterator[int]:
    number = shift = 0
    for byte in content:
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            yield number
            number = shift = 0
    if shift:
        raise FilmDamaged("number")


def faces_after(film: ReadFilm, acts: int) -> list[int]:
    """Return the face of each cell after the first ``acts`` acts: 0 closed, 1 flag, 2 question mark, 3 open."""
    shown, change = [0] * film.header["board"], 0
    for count in film.sections[19][:acts]:
        cell = -1
        for _ in range(count):
            gap = film.sections[20][change]
            cell = gap if cell < 0 else cell + gap + 1
            shown[cell] = film.sections[21][change]
            change += 1
    return shown
