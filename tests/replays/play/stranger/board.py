"""Boards: faces, what they tell, and how mines are drawn."""

from __future__ import annotations

import hashlib
import hmac
import uuid
import zlib
from collections.abc import Iterable, Iterator

from tests.replays.play.stranger.wire import Changed, Face, Game, Over

CLOSED, FLAG, MINE = 10, 11, 9


def placed(rows: Iterable[Face | Changed], start: int = 0) -> Iterator[tuple[int, int]]:
    """Yield cell and face; gaps count from the cell before."""
    for row in rows:
        start += row.gap
        yield start, row.face


def unpack(packed: bytes) -> bytes:
    """Return bytes that were packed with raw deflate."""
    return zlib.decompress(packed, wbits=-15)


def around(cell: int, rows: int, columns: int) -> list[int]:
    """Return the neighbours of a cell."""
    row, column = divmod(cell, columns)
    return [
        r * columns + c
        for r in range(max(row - 1, 0), min(row + 2, rows))
        for c in range(max(column - 1, 0), min(column + 2, columns))
        if (r, c) != (row, column)
    ]


def deduce(faces: list[int], rows: int, columns: int) -> tuple[set[int], set[int]]:
    """Return the cells that are safe and the ones that are mines, as single numbers tell; flags tell nothing."""
    safe, mines = set[int](), set[int]()
    before = -1
    while before != len(safe) + len(mines):
        before = len(safe) + len(mines)
        for cell, face in enumerate(faces):
            near = [n for n in around(cell, rows, columns) if faces[n] >= MINE] if 0 < face < MINE else []
            known = [n for n in near if n in mines or faces[n] == MINE]
            unknown = set(near) - set(known) - safe
            if len(known) == face:
                safe |= unknown
            elif len(known) + len(unknown) == face:
                mines |= unknown
    return safe, mines


def lay(game: Game, over: Over, first: int) -> set[int]:
    """Draw the mines again from what `Over` has disclosed; `first` is the first opened cell."""
    row, column = divmod(first, game.columns)
    shape = f"{game.rows} {game.columns} {game.mines} {game.rules} {row} {column} {over.attempt}".encode()
    base = b"sweepbook fair-1\0" + shape + b"\0" + over.nonce

    def words() -> Iterator[int]:
        counter = 0
        while True:
            digest = hmac.digest(over.secret, base + counter.to_bytes(4, "big"), "sha256")
            yield from (int.from_bytes(digest[i : i + 4], "big") for i in range(0, 32, 4))
            counter += 1

    stream = words()
    kept = {first} if game.rules == "xp" else {first, *around(first, game.rows, game.columns)}
    free = [cell for cell in range(game.rows * game.columns) if cell not in kept]
    for i in range(game.mines):
        n = len(free) - i
        j = i + next(word for word in stream if word < (1 << 32) // n * n) % n
        free[i], free[j] = free[j], free[i]
    return set(free[: game.mines])


def commitment(game: bytes, secret: bytes) -> bytes:
    """Return the commitment to a secret."""
    return hashlib.sha256(b"sweepbook commit-1\0" + str(uuid.UUID(bytes=game)).encode() + b"\0" + secret).digest()


def bits(mines: bytes) -> set[int]:
    """Return the cells whose bits are set."""
    return {cell for cell in range(len(mines) * 8) if mines[cell >> 3] >> (7 - cell % 8) & 1}
