"""Writes AVF, so that a test has files whose content it knows.  Shares no code with the reader."""

from __future__ import annotations

from datetime import datetime

from analysis.recording import Board, Kind, Level, Mode, Recording
from tests.encoders.seals import seal_of

LEVEL_BYTES = {Level.BEGINNER: 3, Level.INTERMEDIATE: 4, Level.EXPERT: 5}
CODES = {
    Kind.MOVE: 1,
    Kind.LEFT_PRESS: 3,
    Kind.LEFT_RELEASE: 5,
    Kind.RIGHT_PRESS: 9,
    Kind.SHIFT_LEFT_PRESS: 11,
    Kind.RIGHT_RELEASE: 17,
    Kind.MIDDLE_PRESS: 33,
    Kind.MIDDLE_RELEASE: 65,
}
COUNTRY_BYTES = {"": 0, "CN": 8, "GB": 10, "FR": 12, "DE": 13, "KR": 23, "PL": 29, "RU": 31, "US": 41, "JP": 69}
EMPTY = bytes([1, 0, 0, 0, 0, 0, 0, 0])
COPYRIGHT = b" Copyright \xa9 2005-2006 Dmitriy I. Sukhomlynov"


def encode(recording: Recording, **replaced: bytes) -> bytes:
    """The file of ``recording``; any part (see :func:`parts`) may be replaced by other bytes."""
    return b"".join({**parts(recording), **replaced}.values())


def parts(recording: Recording, *, freesweeper: bool = False) -> dict[str, bytes]:
    """The parts of the file by name, in their order."""
    board, name = recording.board, recording.player_bytes
    stamp = stamp_of(recording, clock_start_ms=0 if freesweeper else 1000)
    made = {
        "version": bytes([0 if freesweeper else 52]),
        "random": freesweeper_head(recording) if freesweeper else b"\x01\x1f\x10\x07",
        "level": level_part(recording),
        "mines": b"".join(bytes([row + 1, column + 1]) for row, column in mines_by_column(board)),
        "board_checksum": digits(board_checksum(board)),
        "record_count": shifted((len(recording.events) + 5).to_bytes(4, "big")),
        "country": bytes([COUNTRY_BYTES[recording.country]]),
        "name_length": bytes([len(name)]),
        "name": shifted(name),
        "name_checksum": digits(byte_checksum(name)),
        "question_marks": b"\x11" if recording.question_marks else b"\x7f",
        "stamp_length": bytes([len(stamp)]),
        "stamp": stamp,
        "stamp_checksum": digits(byte_checksum(stamp)),
        "events": b"".join(record(*event) for event in recording.events.tolist()),
        "empty": EMPTY * 6,
        "unknown": b"6123461753038799433515000100" + b"\x03\x05\x1f\x0a\x11\r",
        "final_checksum": b"",
        "real_time": b"RealTime: " + seconds(recording.claims.time_ms or 0, 3 if freesweeper else 2) + b"\r",
        "skin": b"Skin: 3.1\r",
        "footer_name": name + b"\r",
        "program": b"FreeSweeper R10" if freesweeper else b"Minesweeper Arbiter 0.52.3." + COPYRIGHT,
    }
    made["final_checksum"] = b"cs=" + fractions(recording, freesweeper) + seal_of(made.values(), 16) + b"\r"
    return made


def offset_of(part: str, recording: Recording) -> int:
    """Return the offset at which ``part`` begins in the file."""
    offset = 0
    for name, content in parts(recording).items():
        if name == part:
            return offset
        offset += len(content)
    raise KeyError(part)


def freesweeper_head(recording: Recording) -> bytes:
    lucky = recording.mode is Mode.LUCKY
    return bytes(
        [10, int(lucky) | 8 * ("LuckLibrary" in recording.extra) | 16 * ("LuckSolver" in recording.extra), 0, 0]
    )


def fractions(recording: Recording, freesweeper: bool) -> bytes:
    """FreeSweeper's thousandths, with noise in the high half; Arbiter has none."""
    if not freesweeper:
        return b""
    return bytes(0xA0 | time_ms % 10 for time_ms in recording.events["time_ms"].tolist()) + b"\x55"


def level_part(recording: Recording) -> bytes:
    board = recording.board
    if board.level in LEVEL_BYTES and recording.claims.level is not Level.CUSTOM:
        return bytes([LEVEL_BYTES[board.level]])
    return bytes([6, board.columns - 1, board.rows - 1]) + board.mine_count.to_bytes(2, "big")


def mines_by_column(board: Board) -> list[tuple[int, int]]:
    places = [(row, column) for column in range(board.columns) for row in range(board.rows)]
    return [place for place in places if board.mines[place]]


def board_checksum(board: Board) -> int:
    total = 0
    for row in range(board.rows):
        for column in range(board.columns):
            around = board.mines[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
            value = 10 if board.mines[row, column] else int(around.sum()) + 1
            total += value * (column + column * row)
    return total


def byte_checksum(raw: bytes) -> int:
    total = 0
    for index in range(len(raw)):
        total += (index + 1) * raw[index]
    return total


def shifted(raw: bytes) -> bytes:
    return bytes((value - 45) % 256 for value in raw)


def digits(number: int) -> bytes:
    return shifted(str(number).encode())


def record(time_ms: int, x_px: int, y_px: int, kind: int) -> bytes:
    """One event: eight bytes, the clock raised by one second."""
    second = time_ms // 1000 + 1
    return bytes(
        [
            CODES[Kind(kind)],
            x_px >> 8,
            second & 255,
            x_px & 255,
            time_ms % 1000 // 10,
            y_px >> 8,
            second >> 8,
            y_px & 255,
        ]
    )


def seconds(time_ms: int, decimals: int) -> bytes:
    """``12.34``: with ``decimals`` decimals, truncated."""
    return f"{time_ms // 1000}.{f'{time_ms % 1000:03d}'[:decimals]}".encode()


def stamp_of(recording: Recording, clock_start_ms: int = 1000) -> bytes:
    """The plain text stamp, brackets included."""
    board, claims = recording.board, recording.claims
    level = level_part(recording)[0] - 3
    size = f"W{board.columns}H{board.rows}M{board.mine_count}|" if level == 3 else ""
    begin, end = recording.played_at, recording.ended_at
    assert begin is not None
    assert end is not None
    assert claims.bv is not None
    assert claims.time_ms is not None
    time = seconds(claims.time_ms + clock_start_ms, 2 if clock_start_ms else 3).decode()
    first = f"{begin.day}.{begin.month}.{begin.year}.{clock(begin)}"
    return f"[{level}|{size}{first}|{end.day}.{clock(end)}|B{claims.bv}T{time}]".encode()


def clock(when: datetime) -> str:
    """``hh:mm:ss:f``, where f is the hundreds, the tens *of all* and the last digit of the milliseconds."""
    ms = when.microsecond // 1000
    return f"{when:%H:%M:%S}:{ms // 100}{ms // 10}{ms % 10}"
