"""AVF, the lines of text behind the events."""

from __future__ import annotations

import re
from dataclasses import dataclass

from analysis.errors import Truncated
from analysis.formats.reader import ByteReader
from analysis.formats.text import decode
from analysis.limits import MAX_TEXT_BYTES

_REAL_TIME = re.compile(rb"(\d{1,5})[.,](\d{1,3})\s*")
#: The last line of Arbiter's files, as 8,103 of 8,103 end.
_ARBITER_LINE = re.compile(rb"Minesweeper Arbiter \d+(?:\.\d+)*\.? Copyright \xa9 2005-20\d\d Dmitriy I\. Sukhomlynov")
_ARBITER = re.compile(r"(.*?(\d+(?:\.\d+)+))")


@dataclass(slots=True)
class Footer:
    """Part P."""

    time_ms: int | None = None
    skin: str = ""
    player_bytes: bytes = b""
    program: str = ""
    is_arbiters: bool = False  # the last line is the one that Arbiter writes, whatever stands behind it
    extra_bytes: int = 0  # between the final checksum and the lines, and behind the last line


def parse_footer(reader: ByteReader, player_bytes: bytes) -> Footer:
    """Read the part after the final checksum; ``player_bytes`` is the name in the header."""
    footer = Footer(extra_bytes=len(reader.until(b"\r", "end of the final checksum")))
    text = reader.rest()
    if text.startswith(b"RealTime:"):
        stated, _, text = text.partition(b"\r")
        match = _REAL_TIME.fullmatch(stated.removeprefix(b"RealTime:").strip())
        footer.time_ms = _milliseconds(match[1], match[2]) if match else None
    if text.startswith(b"Skin:"):
        skin, _, text = text.partition(b"\r")
        footer.skin = decode(skin.removeprefix(b"Skin:")[:MAX_TEXT_BYTES])
    # The name may hold a CR; its known length protects the program behind it.
    if text.startswith(player_bytes + b"\r"):
        footer.player_bytes, program = player_bytes, text[len(player_bytes) + 1 :]
    else:
        footer.player_bytes, _, program = text.rstrip(b"\r").rpartition(b"\r")
    line = _ARBITER_LINE.match(program)
    if line:
        footer.is_arbiters = True
        footer.extra_bytes += len(program) - line.end()
    # Bytes that somebody appended to the file become part of the program; they must not grow without end.
    program = program[:MAX_TEXT_BYTES].rstrip(b"\r")
    footer.program = decode(program, None if program.isascii() else "cp1252")  # ASCII is itself in both, UTF-8 faster
    if not footer.program or b"\r" not in text:
        raise Truncated("program", offset=reader.offset, wanted=1)
    return footer


def program(text: str, version: int, release: int) -> tuple[str, str]:
    """Software and its version: ("Minesweeper Arbiter 0.52.3", "0.52.3")."""
    if version == 0:
        return f"FreeSweeper R{release}", f"R{release}"
    match = _ARBITER.match(text)
    return (match[1], match[2]) if match else (text, f"0.{version}")


def _milliseconds(seconds: bytes, fraction: bytes) -> int:
    """Seconds and one to three decimals as milliseconds."""
    return int(seconds) * 1000 + int(fraction.ljust(3, b"0"))
