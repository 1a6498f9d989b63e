"""Boards of live games that anybody can check afterwards: the sampler "fair-1".

Before the game the server publishes :func:`commitment` of a random secret; with the first click the player sends a
random nonce.  Neither side alone picks the board, which depends on nothing but the secret, the nonce, the shape, the
rules and the first cell.  When the game is over the secret is published too, and ``replays/static/play/verify.js``
makes the same board in the browser.

The mines are drawn by a partial Fisher-Yates shuffle of the cells that may hold one, in row-major order: all but the
first cell by XP's rules; by Win7's and without guesses all but its 3x3.  Its numbers come from HMAC-SHA-256: each digest
gives eight 32-bit words, and words beyond the largest multiple of n are passed over, so every number below n is equally
likely.  This is not ``analysis.solver.boards.generate`` because numpy does not promise its random streams for ever, and
no browser has them.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterator
from typing import Final

import numpy as np

from analysis.errors import LimitExceeded
from analysis.limits import MAX_SIDE
from analysis.recording import Board
from analysis.solver.boards import NoSuchBoard, Rules, free_cells

__all__ = ["NONCE_BYTES", "SECRET_BYTES", "Rules", "board", "commitment"]

SECRET_BYTES: Final = 32
NONCE_BYTES: Final = 16
_WORDS: Final = struct.Struct(">8I")  # of one digest
_WORD_VALUES: Final = 1 << 32


def commitment(game_id: str, secret: bytes) -> str:
    """Compute the hexadecimal hash published before the game; it binds the server to ``secret`` without revealing it.

    Raises ``ValueError`` unless the secret has ``SECRET_BYTES``, or if the name of the game holds a NUL.
    """
    _check_length("secret", secret, SECRET_BYTES)
    if "\0" in game_id:
        raise ValueError("the name of a game holds no NUL")
    return hashlib.sha256(b"sweepbook commit-1\0" + game_id.encode() + b"\0" + secret).hexdigest()


def board(
    secret: bytes,
    nonce: bytes,
    rows: int,
    columns: int,
    mines: int,
    rules: Rules,
    first_cell: int,
    attempt: int = 0,
) -> Board:
    """The board of a game, uniform over all boards that ``rules`` allow (for ``NO_GUESS``: over the candidates).

    Raises ``NoSuchBoard`` if the first cell is not on the board, or the mines do not fit beside it; ``LimitExceeded``
    if a side is too long; ``ValueError`` if the secret or the nonce has another length (an error of the caller).

    Parameters
    ----------
    secret, nonce : ``SECRET_BYTES`` of the server, ``NONCE_BYTES`` of the player
    rows, columns, mines : the shape
    rules : ``NO_GUESS`` makes candidate number ``attempt``, whether it needs a guess or not (``solver.boards.needs_no_guess``)
    first_cell : row * columns + column of the first click
    attempt : number of the candidate from 0; 0 by the other rules
    """
    _check_length("secret", secret, SECRET_BYTES)
    _check_length("nonce", nonce, NONCE_BYTES)
    for name, side in (("rows", rows), ("columns", columns)):
        if side > MAX_SIDE:
            raise LimitExceeded(name, limit=MAX_SIDE, value=side)
    if rows < 1 or columns < 1 or not 0 <= first_cell < rows * columns:
        raise NoSuchBoard(f"The first cell {first_cell} is not on the board.", cell=first_cell)
    row, column = divmod(first_cell, columns)
    free = free_cells((rows, columns, mines), rules, (row, column)).tolist()
    facts = f"{rows} {columns} {mines} {rules} {row} {column} {attempt}"
    words = _words(secret, b"sweepbook fair-1\0" + facts.encode() + b"\0" + nonce)
    for place in range(mines):
        other = place + _below(len(free) - place, words)
        free[place], free[other] = free[other], free[place]
    cells = np.zeros(rows * columns, np.uint8)
    cells[free[:mines]] = 1
    return Board(cells.reshape(rows, columns))


def _check_length(name: str, value: bytes, length: int) -> None:
    if len(value) != length:
        raise ValueError(f"the {name} has {len(value)} bytes, not {length}")


def _words(key: bytes, message: bytes) -> Iterator[int]:
    """32-bit numbers without end."""
    counter = 0
    while True:
        yield from _WORDS.unpack(hmac.digest(key, message + counter.to_bytes(4, "big"), "sha256"))
        counter += 1


def _below(limit: int, words: Iterator[int]) -> int:
    """A number from 0 to ``limit`` - 1, all equally likely."""
    usable = _WORD_VALUES - _WORD_VALUES % limit
    while (word := next(words)) >= usable:
        pass
    return word % limit
