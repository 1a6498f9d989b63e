"""A slow twin of the browser's ``clientgame.js``: it knows the board, floods by itself and repairs colours.

Both are tested with ``tests.analysis.multiplayer.vectors``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tests.naive_rooms import NaiveBoard

#: The stamp of a cell that no move is known to cover; greater than every stamp.
INFINITY: Final = 2**32 - 1


class Message(NamedTuple):
    """An accepted click as it is broadcast."""

    stamp: int
    cell: int
    player: int


class Painted(NamedTuple):
    """Cells that a message changed.

    ``opened``: cells that were closed; ``coloured``: cells that had no colour and have one now, those just opened and
    those that the client's own click had opened; ``repainted``: cells that had the colour of another player.
    """

    opened: list[int]
    coloured: list[int]
    repainted: list[int]


class ClientGame:
    """State of the board as one client shows it.

    ``is_open``: by cell, whether it is shown; ``stamp``: least stamp known to cover it, else ``INFINITY``; ``owner``:
    the player of that stamp, else 0.  A cell that is open and has no owner was opened by a click of the client's own
    that was not answered yet; it has no colour.
    """

    def __init__(self, numbers: NDArray[np.uint8], player: int = 0) -> None:
        """``numbers``: uint8, shape (rows, columns), 9 for mines; ``player``: who plays here, 0 who only watches."""
        self.player = player
        self.is_open = [False] * numbers.size
        self.stamp = [INFINITY] * numbers.size
        self.owner = [0] * numbers.size
        self._board = NaiveBoard(numbers == 9)
        self._waiting: dict[int, int] = {}  # own clicks without an answer: their own numbers, and their cells
        self._last_own = 0

    def join(self, history: Iterable[Message]) -> None:
        """Case 1: the moves so far, which a client gets when it joins.

        If nothing has arrived before, cells are painted while they open, in the order of the stamps, and nothing is
        compared.  A broadcast may overtake the history, though; then every move goes by the repair rule.
        """
        moves = sorted(history)
        if any(self.is_open):
            for move in moves:
                self.receive(*move)
            return
        for stamp, cell, player in moves:
            for covered in self._board.cover(cell):
                if not self.is_open[covered]:
                    self.is_open[covered] = True
                    self.stamp[covered] = stamp
                    self.owner[covered] = player

    def receive(self, stamp: int, cell: int, player: int) -> Painted:
        """Case 2: a broadcast.  Every cell of the whole cover takes the least stamp, and its player.

        The least does not depend on the order of the messages, nor on a message that comes twice.
        """
        opened, coloured, repainted = [], [], []
        for covered in self._board.cover(cell):
            if not self.is_open[covered]:
                self.is_open[covered] = True
                opened.append(covered)
            if stamp < self.stamp[covered]:
                if self.owner[covered] == 0:
                    coloured.append(covered)
                elif self.owner[covered] != player:
                    repainted.append(covered)
                self.stamp[covered] = stamp
                self.owner[covered] = player
        if player == self.player:
            self._forget(cell)
        return Painted(opened, coloured, repainted)

    def click(self, cell: int) -> int:
        """Case 3: the client's own click opens at once, without a colour, which the broadcast will bring.

        Returns the own number of the click, by which :meth:`refused` names it; 0 if the cell is open already, and then
        there is nothing to send.
        """
        if self.is_open[cell]:
            return 0
        for covered in self._board.cover(cell):
            self.is_open[covered] = True
        self._last_own += 1
        self._waiting[self._last_own] = cell
        return self._last_own

    def refused(self, own: int) -> list[int]:
        """The server refused the own click ``own``: close what it opened, and return these cells.

        Only cells stay open that an accepted move covers, or another own click that still waits.  The move that made
        the server refuse may not have arrived yet; it will open its cells when it does.
        """
        if own not in self._waiting:
            return []
        cell = self._waiting.pop(own)
        kept = {covered for other in self._waiting.values() for covered in self._board.cover(other)}
        closed = [covered for covered in self._board.cover(cell) if self.owner[covered] == 0 and covered not in kept]
        for covered in closed:
            self.is_open[covered] = False
        return closed

    def scores(self) -> dict[int, int]:
        """Safe cells by owner; a repair moves points too."""
        found: dict[int, int] = {}
        for cell, owner in enumerate(self.owner):
            if owner and cell not in self._board.mines:
                found[owner] = found.get(owner, 0) + 1
        return found

    def _forget(self, cell: int) -> None:
        """An own click on ``cell`` was accepted."""
        for own, waiting in list(self._waiting.items()):
            if waiting == cell:
                del self._waiting[own]
