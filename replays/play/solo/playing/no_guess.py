"""Looking for a board that needs no guess, in the process that computes for visitors; the event loop never waits.

This module is loaded by that process, so it imports nothing of the site at its top.
"""

from __future__ import annotations

import asyncio
import time
from typing import Final

from analysis import fair
from analysis.solver.boards import needs_no_guess

#: Boards that are tried at most, and seconds that a player waits at most.
MAX_TRIES: Final = 5_000
MAX_SECONDS: Final = 30.0
#: Processor time of one piece of the search; the positions of other visitors are computed between two pieces.
_PIECE_SECONDS: Final = 0.4
#: Searches of this process at the same time; others wait for their turn.
_MOST_SEARCHES: Final = 2
_BUSY_SECONDS: Final = 0.5
#: In the queue of what is computed, all searches together are one visitor beside those of pages.
_VISITOR: Final = "no-guess"


class NotFound(Exception):
    """No board was found in time that needs no guess."""


def try_boards(
    secret: bytes, nonce: bytes, shape: tuple[int, int, int], first_cell: int, begin: int, seconds: float
) -> tuple[bool, int]:
    """Try candidates from number ``begin`` on for ``seconds`` of processor time.

    Returns whether one needs no guess, with its number, or else with the number of the next one to try.
    """
    ends = time.process_time() + seconds
    _rows, columns, _mines = shape
    attempt = begin
    while attempt < MAX_TRIES:
        board = fair.board(secret, nonce, *shape, fair.Rules.NO_GUESS, first_cell, attempt)
        if needs_no_guess(board.mines.copy(), divmod(first_cell, columns)):
            return True, attempt
        attempt += 1
        if time.process_time() >= ends:
            break
    return False, attempt


class Searches:
    def __init__(self) -> None:
        self._turns = asyncio.Semaphore(_MOST_SEARCHES)

    async def find(self, secret: bytes, nonce: bytes, shape: tuple[int, int, int], first_cell: int) -> int:
        """Return the number of the first candidate that needs no guess; raises :class:`NotFound`."""
        from players.web.problems import Refused
        from players.web.turns import COMPUTED
        from replays.odds.calculator.calculator_client import Busy, calculate

        ends, attempt = time.monotonic() + MAX_SECONDS, 0
        async with self._turns:
            while attempt < MAX_TRIES and time.monotonic() < ends:
                try:
                    async with COMPUTED.turn(_VISITOR):
                        piece = await asyncio.to_thread(
                            calculate, try_boards, secret, nonce, shape, first_cell, attempt, _PIECE_SECONDS,
                            kernels=("fair",),
                        )  # fmt: skip
                except (Busy, Refused):
                    await asyncio.sleep(_BUSY_SECONDS)
                    continue
                found, attempt = piece.value
                if found:
                    return int(attempt)
        raise NotFound
