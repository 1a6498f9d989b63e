"""Writes MVF, so that a test has files whose content it knows.  Shares no code with the reader."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

import numpy as np

from analysis.recording import Board, Kind
from tests.encoders.seals import seal_of

State: TypeAlias = tuple[int, int, int, str]  # time_ms, x_px, y_px, the buttons that are down: any of l, m, r

PLAYED_AT = datetime(2007, 4, 12, 20, 50, 27)  # noqa: DTZ001 - no zone in the file
LEVEL_BYTES = {(8, 8, 10): 1, (16, 16, 40): 2, (16, 30, 99): 3}
VERSIONS = {
    "0.97": (b"2004-2005", b"version 0.97 beta"),
    "funny": (b"2004-2008", b"version 0.97 beta"),
    "2006": (b"2004-2006", b"2006 release 1"),
    "2007": (b"2004-2007", b"2007 release 1"),
}


@dataclass
class Game:
    """Content of a file."""

    board: Board
    states: Sequence[State]
    name: bytes = b"Ann"
    time_ms: int = 1_230
    mode: int = 1
    question_marks: bool = False
    key: int = 56_766
    totals: tuple[int, int, int, int, int] = (2, 2, 3, 4, 5)  # 3BV, solved 3BV, left, double, right
    date_bytes: bytes = field(default=bytes([4, 12, 7, 215, 20, 50, 27]))


def encode(game: Game, release: str, **replaced: bytes) -> bytes:
    """The file of ``game`` as ``release`` wrote it; any part may be replaced."""
    made = old_parts(game, release) if release.startswith("old") else parts(game, release)
    return b"".join({**made, **replaced}.values())


def parts(game: Game, release: str) -> dict[str, bytes]:
    """The parts of a file with a header by name, in their order."""
    board, small = game.board, release in ("0.97", "funny", "hack")
    shape = (board.rows, board.columns, board.mine_count)
    made = {
        "head": b"\0\0\1\2\3\4\5" if release == "hack" else header(*VERSIONS[release]),
        "date_bytes": game.date_bytes,
        "level": bytes([LEVEL_BYTES.get(shape, 4)]),
        "mode": bytes([game.mode]),
        "time": five_time(game.time_ms) if small else game.time_ms.to_bytes(3, "big"),
        "totals": b"".join(total.to_bytes(2, "big") for total in game.totals) if small else b"",
        "question_marks": bytes([game.question_marks]),
        "size": bytes([board.columns, board.rows]) + board.mine_count.to_bytes(2, "big"),
        "mines": mine_list(board, 1),
        "name": bytes([len(game.name)]) + game.name,
        "key": game.key.to_bytes(2, "big"),
        "count": len(game.states).to_bytes(3, "big"),
        "records": b"".join(record(state, game.key, 5 if small else 6) for state in game.states),
    }
    return {**made, "checksum": seal_of(made.values(), 32)}


def old_parts(game: Game, release: str) -> dict[str, bytes]:
    """The parts of a file before 0.97: ``old96``, ``old76`` or ``old75``."""
    board = game.board
    made = {
        "size": bytes([board.columns, board.rows]) + board.mine_count.to_bytes(2, "big"),
        "mines": mine_list(board, 0),
        "question_marks": bytes([game.question_marks]),
        "unknown": b"\0",
        "records": b"".join(old_record(*state) for state in game.states),
        "stray": b"",
        "time": five_time(game.time_ms),
    }
    seal = seal_of(made.values(), 20)
    tails = {
        "old96": game.name.ljust(100) + b"\0" + seal + b"\0",
        "old76": game.name.ljust(100) + b"%010d" % (int.from_bytes(seal, "big") % 10**10),
        "old75": b"%010d" % (int.from_bytes(seal, "big") % 10**10),
    }
    return {**made, "tail": tails[release]}


def header(years: bytes, version: bytes) -> bytes:
    texts = (b"Minesweeper Clone", years, b"Rodrigo Silveira Camargo", version)
    return b"".join(bytes([len(text)]) + text for text in texts) + b"\xbd\xbe\xc3"


def five_time(time_ms: int) -> bytes:
    """Two bytes of seconds, one of hundredths."""
    return (time_ms // 1000).to_bytes(2, "big") + bytes([time_ms % 1000 // 10])


def mine_list(board: Board, first: int) -> bytes:
    return b"".join(bytes([column + first, row + first]) for row, column in np.argwhere(board.mines).tolist())


def old_record(time_ms: int, x_px: int, y_px: int, buttons: str) -> bytes:
    pressed = sum({"l": 1, "m": 2, "r": 4}[button] for button in buttons)
    point = x_px.to_bytes(2, "big", signed=True) + y_px.to_bytes(2, "big", signed=True)
    return bytes([time_ms // 1000, time_ms % 1000 // 10, pressed]) + point + b"\0"


def digit_string(key: int, size: int) -> str:
    """The decimal digits that order the bits."""
    a, b = math.sqrt(key), math.sqrt(key + 1000)
    c, d = math.sqrt(a + 1000), math.sqrt(b + 1000)
    values = [math.cos(c + 1000), math.sin(math.sqrt(b)), math.cos(c), math.sin(math.sqrt(a) + 1000), math.cos(d)]
    values += [math.sin(d)] * (size - 5)
    return "".join(str(round(abs(value) * 100_000_000)).zfill(8)[:8] for value in values)


def record(state: State, key: int, size: int) -> bytes:
    """One packed record."""
    time_ms, x_px, y_px, buttons = state
    fields = [(int("r" in buttons), 1), (int("m" in buttons), 1), (int("l" in buttons), 1)]
    if size == 5:
        fields += [(y_px, 9), (x_px, 9), (time_ms % 1000 // 10, 7), (time_ms // 1000, 10), (0b10, 2)]
    else:
        fields += [(y_px + 32, 11), (x_px + 32, 11), (time_ms, 22), (1, 1)]
    bits = [number >> place & 1 for number, width in fields for place in range(width)]
    digits = digit_string(key, size)
    order = [place for digit in "0123456789" for place in range(size * 8) if digits[place] == digit]
    packed = bytearray(size)
    for bit, place in zip(bits, order, strict=True):
        packed[place // 8] |= bit << place % 8
    return bytes(packed)


def events_of(states: Sequence[State]) -> list[tuple[int, int, int, int]]:
    """Return the events from state to state, one button after the other."""
    press = {"l": Kind.LEFT_PRESS, "r": Kind.RIGHT_PRESS, "m": Kind.MIDDLE_PRESS}
    release = {"l": Kind.LEFT_RELEASE, "r": Kind.RIGHT_RELEASE, "m": Kind.MIDDLE_RELEASE}
    events: list[tuple[int, int, int, int]] = []
    point: tuple[int, int] | None = None
    held = ""
    for time_ms, x_px, y_px, buttons in states:
        first = point is None
        if (first and not buttons) or (not first and point != (x_px, y_px)):
            events.append((time_ms, x_px, y_px, Kind.MOVE))
        events += [(time_ms, x_px, y_px, press[one]) for one in "lrm" if one in buttons and one not in held]
        events += [(time_ms, x_px, y_px, release[one]) for one in "lrm" if one in held and one not in buttons]
        point, held = (x_px, y_px), buttons
    return events
