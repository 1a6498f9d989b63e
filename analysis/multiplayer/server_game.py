"""The server's side of a room: it decides moves in the order in which they arrive.

In a classic room a move is a click.  Rooms whose settings allow them have flags and chords too:

* Flags are shared.  A flag keeps the player who set it; anybody may take it away.  A flagged cell is not opened by a
  click on it.  A flood that reaches a flagged safe cell opens it and takes the flag away.
* A chord on an open number whose flags and shown mines around it make up the number opens the cover of every closed
  neighbour without a flag, all with one stamp.

Every accepted move takes the next stamp, flags included.  A refused one takes none and changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis.kernels import multiplayer as kernels
from analysis.kernels.grid import MINE, WALL
from analysis.multiplayer.laying import numbers_of

MoveArray: TypeAlias = NDArray[np.void]

#: A move as a log keeps it: row * columns + column, number of the player, :class:`MoveKind`.
MOVE: Final = np.dtype([("cell", "<i4"), ("player", "<u2"), ("kind", "u1")])
MAX_PLAYER: Final = 2**16 - 1
#: The stamp of the frame around the board: whatever is not 0 counts as open.
_ALWAYS_OPEN: Final = 2**32 - 1
_NO_CELLS: Final = np.empty(0, np.int32)
_NO_CELLS.setflags(write=False)


class MoveKind(IntEnum):
    OPEN = kernels.OPEN
    FLAG = kernels.FLAG
    CHORD = kernels.CHORD


class Answer(IntEnum):
    OPENED = kernels.OPENED
    BLAST = kernels.BLAST  # at least one mine was opened; a chord may have opened safe cells too
    FLAG_SET = kernels.FLAG_SET
    FLAG_TAKEN = kernels.FLAG_TAKEN
    # refused:
    ALREADY_OPEN = kernels.ALREADY_OPEN
    OUTSIDE = kernels.OUTSIDE
    FLAGGED = kernels.FLAGGED  # a click on a flagged cell
    NO_CHORD = kernels.NO_CHORD  # closed, or the flags do not make up the number, or nothing is left to open
    NOT_ALLOWED = kernels.NOT_ALLOWED  # flags or chords in a room without them
    OVER = kernels.OVER  # all safe cells are open

    @property
    def accepted(self) -> bool:
        return self <= Answer.FLAG_TAKEN


OPENED, BLAST, ALREADY_OPEN, OUTSIDE = Answer.OPENED, Answer.BLAST, Answer.ALREADY_OPEN, Answer.OUTSIDE
_ANSWERS: Final = tuple(Answer)


@dataclass(frozen=True, slots=True)
class Rules:
    """Moves that a room allows besides clicks; a classic room has neither."""

    flags: bool = False
    chords: bool = False


class Opened(NamedTuple):
    """The answer to a move, and all that it changed.

    ``stamp``: of the move, 0 if it was refused.
    ``cells``: int32, the cells that it opened, in no order but that the cell of a click comes first; row * columns +
    column.  They belong to the player of the move now.
    ``flagged``, ``unflagged``: int32, cells whose flags it set or took away, those of ``cells`` that had one included.
    ``blasts``: mines among ``cells``.
    """

    result: Answer
    stamp: int = 0
    cells: NDArray[np.int32] = _NO_CELLS
    flagged: NDArray[np.int32] = _NO_CELLS
    unflagged: NDArray[np.int32] = _NO_CELLS
    blasts: int = 0


class State(NamedTuple):
    """All that is not known from the mines and the rules; scores and blasts follow from it.

    ``number``: the last stamp.  ``owner`` (uint16), ``stamp`` (uint32), ``flags`` (uint16, the player who set it): shape
    (rows, columns), 0 for none.
    """

    number: int
    owner: NDArray[np.uint16]
    stamp: NDArray[np.uint32]
    flags: NDArray[np.uint16]


class ServerGame:
    """A board and what its players opened.

    ``numbers``: uint8, shape (rows, columns), 9 for mines.
    ``owner``, ``stamp``, ``flags``: as in :class:`State`; views, which change with each move.
    ``score``, ``blasts``: int64, by number of the player; an index past the end has 0.  They may be replaced by longer
    arrays, so take them from the game each time.
    """

    def __init__(self, mines: NDArray[np.uint8], rules: Rules = Rules()) -> None:
        """``mines``: uint8, shape (rows, columns), 1 = mine."""
        self.rows, self.columns = mines.shape
        self.rules = rules
        self._width = self.columns + 2
        number = np.pad(numbers_of(mines), 1, constant_values=WALL).ravel()
        owner = np.zeros(number.size, np.uint16)
        stamp = np.full(number.size, _ALWAYS_OPEN, np.uint32)
        flag = np.zeros(number.size, np.uint16)
        self.numbers: NDArray[np.uint8] = self._inside(number)
        self.owner: NDArray[np.uint16] = self._inside(owner)
        self.stamp: NDArray[np.uint32] = self._inside(stamp)
        self.flags: NDArray[np.uint16] = self._inside(flag)
        self.stamp[:] = 0
        self.score = np.zeros(16, np.int64)
        self.blasts = np.zeros(16, np.int64)
        self._counts = np.zeros(kernels.COUNTS, np.int64)
        self._counts[kernels.SAFE_LEFT] = np.count_nonzero(self.numbers != MINE)
        self._fixed = (number, self._width, owner, stamp, flag)
        self._opened = np.empty(self.rows * self.columns, np.int32)
        self._changed = np.empty(self.rows * self.columns, np.int32)

    def _inside(self, framed: NDArray[Any]) -> NDArray[Any]:
        return framed.reshape(self.rows + 2, self._width)[1:-1, 1:-1]

    @property
    def number(self) -> int:
        return int(self._counts.item(kernels.NUMBER))

    @property
    def over(self) -> bool:
        return self._counts.item(kernels.SAFE_LEFT) == 0

    def cell(self, row: int, column: int) -> int:
        """The number of a cell, -1 if it is outside."""
        return row * self.columns + column if 0 <= row < self.rows and 0 <= column < self.columns else -1

    def open(self, cell: int, player: int) -> Opened:
        return self.move(cell, player, kernels.OPEN)

    def flag(self, cell: int, player: int) -> Opened:
        """Set a flag on a closed cell, or take away the one that is there."""
        return self.move(cell, player, kernels.FLAG)

    def chord(self, cell: int, player: int) -> Opened:
        return self.move(cell, player, kernels.CHORD)

    def move(self, cell: int, player: int, kind: int) -> Opened:
        """Any of the three; ``kind``: a :class:`MoveKind`."""
        self._know(player)
        if not 0 <= cell < self._opened.size:
            return Opened(Answer.OUTSIDE)
        counts = self._counts
        answer = kernels.move(
            int(cell),  # of one type, or the kernel would be compiled again
            int(player),
            int(kind),
            self.rules.flags,
            self.rules.chords,
            *self._fixed,
            self.score,
            self.blasts,
            counts,
            self._opened,
            self._changed,
        )
        result = _ANSWERS[answer]
        if answer > kernels.FLAG_TAKEN:
            return Opened(result)
        number, _, opened, changed, blown = counts.tolist()
        flags = self._changed[:changed].copy() if changed else _NO_CELLS
        if answer == kernels.FLAG_SET:
            return Opened(result, number, flagged=flags)
        return Opened(result, number, self._opened[:opened].copy(), _NO_CELLS, flags, blown)

    def _know(self, player: int) -> None:
        """Make room for the numbers of ``player``."""
        if player < self.score.size and player > 0:
            return
        if not 1 <= player <= MAX_PLAYER:
            raise ValueError(f"The number of a player is 1 to {MAX_PLAYER}, not {player}.")
        size = min(max(2 * self.score.size, player + 1), MAX_PLAYER + 1)
        self.score = np.concatenate([self.score, np.zeros(size - self.score.size, np.int64)])
        self.blasts = np.concatenate([self.blasts, np.zeros(size - self.blasts.size, np.int64)])

    def replay(self, moves: MoveArray) -> NDArray[np.uint8]:
        """Decide many moves at once, as after a restart of the referee.

        ``moves``: MOVE, shape (n,), in the order of their stamps.
        Returns uint8, shape (n,): the :class:`Answer` of each; of a log, which holds accepted moves, all are accepted.
        Raises ``ValueError`` if the number of a player is 0, or a kind is unknown; no move is made then.
        """
        if moves.size == 0:
            return np.empty(0, np.uint8)
        if moves["player"].min() == 0:
            raise ValueError("The number of a player is 1 or more.")
        if moves["kind"].max() > kernels.CHORD:
            raise ValueError("A move is of an unknown kind.")
        self._know(int(moves["player"].max()))
        answers: NDArray[np.uint8] = kernels.replay(
            np.ascontiguousarray(moves["cell"]),
            np.ascontiguousarray(moves["player"]),
            np.ascontiguousarray(moves["kind"]),
            self.rules.flags,
            self.rules.chords,
            *self._fixed,
            self.score,
            self.blasts,
            self._counts,
            self._opened,
            self._changed,
        )
        return answers

    def state(self) -> State:
        return State(self.number, self.owner.copy(), self.stamp.copy(), self.flags.copy())

    @classmethod
    def restore(cls, mines: NDArray[np.uint8], state: State, rules: Rules = Rules()) -> ServerGame:
        """The game with the state ``state``.

        Raises ``ValueError`` if the state contradicts itself or the shape of the board.
        """
        game = cls(mines, rules)
        _check_state(state, mines.shape)
        game.owner[:], game.stamp[:], game.flags[:] = state.owner, state.stamp, state.flags
        game._know(max(1, int(state.owner.max())))
        mine = game.numbers == MINE
        size = game.score.size
        game.score[:] = np.bincount(game.owner[~mine], minlength=size)
        game.blasts[:] = np.bincount(game.owner[mine], minlength=size)
        game.score[0] = game.blasts[0] = 0  # closed cells
        game._counts[kernels.NUMBER] = state.number
        game._counts[kernels.SAFE_LEFT] -= game.score.sum()
        return game


def _check_state(state: State, shape: tuple[int, ...]) -> None:
    if not state.owner.shape == state.stamp.shape == state.flags.shape == shape:
        raise ValueError(f"The state is not of a board of {shape[0]}x{shape[1]} cells.")
    is_open = state.stamp != 0
    if np.any(is_open != (state.owner != 0)):
        raise ValueError("A cell has an owner without a stamp, or a stamp without an owner.")
    if np.any(is_open & (state.flags != 0)):
        raise ValueError("An open cell has a flag.")
    if int(state.stamp.max()) > state.number:
        raise ValueError("A cell has a stamp above the last one.")
