"""Writes EVF and EVFS, so that a test has files whose content it knows.  Shares no code with the readers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from analysis.recording import Board
from tests.encoders.seals import seal_of

BEGIN = datetime(2025, 12, 18, 17, 13, 38, 358_093, UTC)
WON, OFFICIAL, FAIR, NF, CONVERTED = 0x80, 0x40, 0x20, 0x10, 0x08


@dataclass
class Game:
    """Content of a file; points must lie on the board or just behind it."""

    board: Board
    events: Sequence[tuple[int, int, int, int]]
    summary: int = WON | OFFICIAL | FAIR
    cell_px: int = 20
    mode: int = 0
    bv: int = 3
    time_ms: int = 1_900
    texts: dict[str, bytes] = field(
        default_factory=lambda: {
            "software": "元3.2.1".encode(),
            "player": "王嘉宁".encode(),
            "race": b"a race",
            "unique_id": b"7",
            "country": b"CN",
            "device": b"0123456789abcdef" * 2,
            "converter": b"",
            "encoding": b"",
        }
    )
    begin: bytes | None = None  # as text, before version 4; else microseconds
    began: datetime = BEGIN
    end_after_us: int | None = None  # microseconds after the beginning; by default the time and 300
    has_checksum: bool = True

    @property
    def end(self) -> datetime:
        """When the game ended, by the clock of the wall."""
        after_us = 1000 * self.time_ms + 300 if self.end_after_us is None else self.end_after_us
        return self.began + timedelta(microseconds=after_us)


def encode(game: Game, version: int, **replaced: bytes) -> bytes:
    """The file of ``game``; any part may be replaced."""
    made = new_parts(game) if version == 4 else old_parts(game, version)
    return b"".join({**made, **replaced}.values())


def old_parts(game: Game, version: int) -> dict[str, bytes]:
    """The parts of versions 0 to 3 by name, in their order."""
    names = ["software", "player", "race", "unique_id", "begin", "end", "country", *["device"] * (version >= 2)]
    texts = {
        **game.texts,
        "begin": str(microseconds(game.began)).encode() if game.begin is None else game.begin,
        "end": str(microseconds(game.end)).encode(),
    }
    made = {
        "version_byte": bytes([version]),
        "summary": bytes([game.summary]),
        "settings": b"\x80" if version == 3 else b"",
        **fixed(game),
        "time": game.time_ms.to_bytes(3, "big"),
        "texts": b"".join(texts[name] + b"\0" for name in names),
        "mines": mine_bits(game.board),
        "events": b"".join(record(*event) for event in game.events),
    }
    return {**made, "end": b"\0" + seal_of(made.values(), 32) if game.has_checksum else b"\xff"}


def new_parts(game: Game) -> dict[str, bytes]:
    """The parts of version 4."""
    converted = ["converter", "encoding"] if game.summary & CONVERTED else []
    names = ["software", *converted, "player", "race", "unique_id"]
    made = {
        "version_byte": b"\4",
        "summary": bytes([game.summary]),
        "settings": b"\x40",
        **fixed(game),
        "time": game.time_ms.to_bytes(4, "big"),
        "country": game.texts["country"],
        "begin": microseconds(game.began).to_bytes(8, "big"),
        "end": microseconds(game.end).to_bytes(8, "big"),
        "texts": b"".join(game.texts[name] + b"\0" for name in names),
        "device": len(game.texts["device"]).to_bytes(2, "big") + game.texts["device"],
        "mines": mine_bits(game.board),
        "metrics": b"\0\2first\0second\0",
        "events": steps(game.events),
        "stop": b"\0",
    }
    return {**made, "checksum": b"\0\x20" + seal_of(made.values(), 32) if game.has_checksum else b"\0\0"}


def fixed(game: Game) -> dict[str, bytes]:
    board = game.board
    return {
        "size": bytes([board.rows, board.columns]) + board.mine_count.to_bytes(2, "big"),
        "cell_px": bytes([game.cell_px]),
        "mode": game.mode.to_bytes(2, "big"),
        "bv": game.bv.to_bytes(2, "big"),
    }


def microseconds(when: datetime) -> int:
    return int(when.timestamp()) * 1_000_000 + when.microsecond


def mine_bits(board: Board) -> bytes:
    bits = "".join(str(cell) for row in board.mines.tolist() for cell in row)
    return bytes(int(bits[begin : begin + 8].ljust(8, "0"), 2) for begin in range(0, len(bits), 8))


def record(time_ms: int, x_px: int, y_px: int, kind: int) -> bytes:
    """One event before version 4."""
    return bytes([kind]) + time_ms.to_bytes(3, "big") + x_px.to_bytes(2, "big") + y_px.to_bytes(2, "big")


def steps(events: Sequence[tuple[int, int, int, int]]) -> bytes:
    """The events of version 4; a step back in time wraps around 32 bits, as a converter does it."""
    stored = bytearray()
    before = (0, 0, 0)
    for index, (time_ms, x_px, y_px, kind) in enumerate(events):
        wait = (time_ms - before[0]) % 2**32
        while wait > 255:
            pause = min(wait, 65_535)
            stored += b"\xff" + pause.to_bytes(2, "big")
            wait -= pause
        point = [x_px, y_px] if index == 0 else [x_px - before[1], y_px - before[2]]
        stored += bytes([kind, wait]) + b"".join(value.to_bytes(2, "big", signed=index > 0) for value in point)
        before = (time_ms, x_px, y_px)
    return bytes(stored)


def encode_set(cells: Sequence[tuple[bytes, bytes]], checksum_bytes: int = 32) -> bytes:
    """EVFS: names and files."""
    parts = [b"\0" + checksum_bytes.to_bytes(2, "big")]
    for name, data in cells:
        parts += [name + b"\0", len(data).to_bytes(4, "big"), data, b"\7" * checksum_bytes]
    return b"".join(parts)
