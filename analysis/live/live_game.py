"""A game while it is played: events in, what changed on the board out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis.board import BoardFacts, board_facts
from analysis.click_machine import Result
from analysis.formats import rawvf
from analysis.formats.rawvf.write import REVISION
from analysis.kernels import click_machine as kernels
from analysis.kernels import live as steps
from analysis.kernels.probability_front import CLOSED as SHOWN_CLOSED
from analysis.limits import MAX_CELL_PX, MAX_EVENTS, MAX_SIDE, MAX_TIME_MS
from analysis.live.findings import findings_of
from analysis.recording import EVENT, Board, Claims, EventArray, Finding, Kind, Level, Mode, Recording

Rows: TypeAlias = Sequence[Sequence[int]]

SOFTWARE: Final = "Sweepbook"
MAX_BUTTONS: Final = steps.MAX_BUTTONS
MAX_MOVES: Final = steps.MAX_MOVES
#: What the browser records.  The other kinds are how file formats say less than that.
KINDS: Final = frozenset(
    {
        Kind.MOVE,
        Kind.LEFT_PRESS,
        Kind.LEFT_RELEASE,
        Kind.RIGHT_PRESS,
        Kind.RIGHT_RELEASE,
        Kind.MIDDLE_PRESS,
        Kind.MIDDLE_RELEASE,
        Kind.SHIFT_LEFT_PRESS,
        Kind.MARKS_TOGGLE,
    }
)

_ADMITTED = np.array([kind in KINDS for kind in range(max(Kind) + 1)])
_FIRST_ROOM = 1_024  # events
_FIELDS = len(EVENT.fields or ())
_FAULTS: Final[dict[int, tuple[str, str]]] = {
    steps.TIME: ("time", f"The time of an event is not from 0 to {MAX_TIME_MS} ms."),
    steps.TIME_GOES_BACK: ("time_goes_back", "An event is earlier than the one before it."),
    steps.POINT: ("point", "The point of an event does not fit in 16 bits."),
    steps.KIND: ("kind", "An event is of no kind that is recorded here."),
    steps.TOO_MANY_BUTTONS: ("too_many_buttons", f"More than {MAX_BUTTONS} presses and releases within a second."),
    steps.TOO_MANY_MOVES: ("too_many_moves", f"More than {MAX_MOVES} moves within a second."),
}


class LiveError(ValueError):
    """Events that are refused: a stable ``code`` and one English sentence.

    Codes: ``format`` (no rows of four whole numbers), ``time``, ``time_goes_back``, ``point``, ``kind``,
    ``too_many_buttons``, ``too_many_moves``, ``too_many_events``.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(code, text)
        self.code, self.text = code, text

    def __str__(self) -> str:
        return self.text


class Counts(NamedTuple):
    """Counts so far, defined as in ``analysis.click_machine.Game``."""

    lcl: int
    rcl: int
    dcl: int
    lce: int
    rce: int
    dce: int
    rce_strict: int
    flags: int
    bvdone: int
    opdone: int
    isdone: int


@dataclass(frozen=True, slots=True, eq=False)
class Advance:
    """Effect of events on a game.

    ``cells``: int32, row * columns + column of every cell that looks different now, rising.
    ``faces``: uint8, what each shows: a number 0 to 8, or ``SHOWN_BLAST``, ``SHOWN_QUESTION`` of
    ``analysis.kernels.live``, or ``CLOSED``, ``FLAG`` of ``analysis.probability``.
    ``needs_board``: the first cell, when it was opened and there is no board yet: :meth:`LiveGame.lay` goes on.
    ``result``: won, lost or ``None`` while the game runs.
    ``deciding_event``: its position among the events, once the game is decided.
    """

    cells: NDArray[np.int32]
    faces: NDArray[np.uint8]
    needs_board: int | None
    result: Result | None
    deciding_event: int | None


class LiveGame:
    """A game on a board of ``rows`` by ``columns`` cells, which is laid when the first cell is opened.

    Before that, presses, flags and moves are kept and count as in a replay.  Events that come behind the deciding one,
    as a browser sends until it is told, are dropped.

    Parameters
    ----------
    rows, columns : 1 to ``MAX_SIDE``
    cell_px : size of a cell in the events' pixels, 1 to ``MAX_CELL_PX``
    question_marks : whether a right click on a flag makes a question mark

    Raises
    ------
    ValueError
        if one of them is out of range (an error of the caller).
    """

    def __init__(self, rows: int, columns: int, cell_px: int, *, question_marks: bool = False) -> None:
        for name, value, most in (
            ("rows", rows, MAX_SIDE),
            ("columns", columns, MAX_SIDE),
            ("cell_px", cell_px, MAX_CELL_PX),
        ):
            if not 1 <= value <= most:
                raise ValueError(f"{name} is {value}, not from 1 to {most}")
        self.rows, self.columns, self.cell_px, self.question_marks = rows, columns, cell_px, question_marks
        self.board: Board | None = None
        self.facts: BoardFacts | None = None
        self._events: EventArray = np.zeros(_FIRST_ROOM, EVENT)
        self._count = 0  # events that are there
        self._done = 0  # events that were played
        self._window = np.zeros(3, np.int64)
        self._shown = np.full((rows, columns), SHOWN_CLOSED, np.uint8)
        # Without a board no number shows; only labels matter.
        numbers, groups = np.ones((rows, columns), np.uint8), np.zeros((rows, columns), np.int32)
        for array in (numbers, groups):
            array.setflags(write=False)  # as those of a board are: for others numba would compile the kernel again
        self._begin(numbers, groups, groups)

    def _begin(self, numbers: NDArray[np.uint8], opening_id: NDArray[np.int32], island_id: NDArray[np.int32]) -> None:
        """Go back to before the first event, on this board; ``shown`` stays."""
        self._tally = np.zeros(kernels.SLOTS, np.int64)
        self._tally[kernels.START] = self._tally[kernels.END] = -1
        self._cells = kernels.fresh_cells(numbers, opening_id, island_id, self._tally)
        self._mouse = np.zeros(kernels.MOUSE_SLOTS, np.bool_)
        self._mouse[kernels.MARKS] = self.question_marks
        self._done = 0

    # --- playing ------------------------------------------------------------------------------------------------------

    def feed(self, events: EventArray | Rows) -> Advance:
        """Play events, the newest last.

        ``events``: EVENT array, or rows of time_ms, x_px, y_px, kind; whatever a client sends may be passed.
        Raises ``LiveError`` if they are refused; then none of them is kept.
        """
        table = _table(events)
        if self.result is not None or not len(table):
            return self._step(*_NO_CHANGE)
        if self._count + len(table) > MAX_EVENTS:
            raise LiveError("too_many_events", f"A game has at most {MAX_EVENTS} events.")
        self._make_room(len(table))
        fault = steps.admit(table, self._events, self._count, self._window, _ADMITTED)
        if fault != steps.FINE:
            raise LiveError(*_FAULTS[fault])
        self._count += len(table)
        return self._advance()

    def lay(self, board: Board) -> Advance:
        """Lay the board that :attr:`needs_board` asks for, and play on.

        Raises ``ValueError`` if none is needed, or it has another shape.
        """
        if self.needs_board is None:
            raise ValueError("the game needs no board now")
        if board.mines.shape != (self.rows, self.columns):
            raise ValueError(f"a board of shape {board.mines.shape} for a game of {self.rows} by {self.columns}")
        self.board, self.facts = board, board_facts(board)
        self._begin(self.facts.numbers, self.facts.opening_id, self.facts.island_id)
        return self._advance()

    def _make_room(self, count: int) -> None:
        if self._count + count > len(self._events):
            room = np.zeros(max(2 * len(self._events), self._count + count), EVENT)
            room[: self._count] = self._events[: self._count]
            self._events = room

    def _advance(self) -> Advance:
        if self.needs_board is not None:
            return self._step(*_NO_CHANGE)
        self._done, cells, faces = steps.advance(
            self._events,
            self._done,
            self._count,
            self.cell_px,
            self.board is not None,
            self._mouse,
            self._cells,
            self._tally,
            self._shown,
        )
        if self.result is not None:
            self._count = self._done
        return self._step(cells, faces)

    def _step(self, cells: NDArray[np.int32], faces: NDArray[np.uint8]) -> Advance:
        return Advance(cells, faces, self.needs_board, self.result, self.deciding_event)

    # --- the state ----------------------------------------------------------------------------------------------------

    @property
    def needs_board(self) -> int | None:
        """The first cell (row * columns + column) while it waits for the board, else ``None``."""
        start = self._tally.item(kernels.START)
        if self.board is not None or start < 0:
            return None
        opening = self._events[start]
        return int(opening["y_px"]) // self.cell_px * self.columns + int(opening["x_px"]) // self.cell_px

    @property
    def result(self) -> Result | None:
        if self.board is None or self._tally.item(kernels.END) < 0:
            return None
        return Result.LOST if self._tally.item(kernels.BLASTS) else Result.WON

    @property
    def counts(self) -> Counts:
        """Counts so far.  While the board is awaited, the click that opened the first cell counts already."""
        return Counts._make(self._tally[: len(Counts._fields)].tolist())

    @property
    def opening_event(self) -> int | None:
        return _position(self._tally.item(kernels.START))

    @property
    def deciding_event(self) -> int | None:
        return None if self.board is None else _position(self._tally.item(kernels.END))

    @property
    def bv(self) -> int | None:
        """3BV, once the board is laid."""
        return None if self.facts is None else self.facts.bv

    @property
    def mines_left(self) -> int | None:
        """Mines less flags, once the board is laid; below 0 with too many flags."""
        return None if self.board is None else self.board.mine_count - self.counts.flags

    @property
    def span_ms(self) -> int:
        """From the opening release to the deciding event, or to the last event so far, by the client's clock."""
        start = self.opening_event
        if start is None:
            return 0
        return int(self._events["time_ms"][self._count - 1]) - int(self._events["time_ms"][start])

    def shown(self) -> NDArray[np.uint8]:
        """Return every cell's face, shape (rows, columns), codes as in :class:`Advance`; for a client that comes back."""
        return self._shown.copy()

    def events(self) -> EventArray:
        """All events so far, up to the deciding one, as they came."""
        return self._events[: self._count].copy()

    # --- afterwards ---------------------------------------------------------------------------------------------------

    def findings(self) -> list[Finding]:
        if self.facts is None:
            return []
        events = self.events()
        events.setflags(write=False)  # as those of recordings, or numba would compile the kernel again
        return findings_of(events, self.cell_px, self.facts, question_marks=self.question_marks)

    def recording(
        self,
        *,
        player: str,
        played_at: datetime | None,
        mode: Mode = Mode.STANDARD,
        extra: Mapping[str, str] | None = None,
        shift_ms: int = 0,
    ) -> Recording:
        """The game as a recording; its clock is 0 at the first event.

        ``player``, ``played_at``, ``mode``, ``extra``: for the header; ``played_at`` is when the game began.
        ``shift_ms``: by how much the deciding event is put later (or earlier, down to the event before it), so that
        the game takes the time that ranks.
        Raises ``ValueError`` if no board was laid, or a game that is not decided is to be shifted.
        """
        if self.board is None:
            raise ValueError("a game without a board cannot be recorded")
        if shift_ms and self.result is None:
            raise ValueError("the game has no deciding event to shift")
        events = self.events()
        events["time_ms"] -= events["time_ms"][0]
        if shift_ms:
            events["time_ms"][-1] = _shifted(events["time_ms"].tolist(), shift_ms)
        last_ms = int(events["time_ms"][-1])
        return Recording(
            format=rawvf.NAME,
            format_variant=REVISION,
            board=self.board,
            events=events,
            cell_px=self.cell_px,
            player=player,
            player_bytes=player.encode(),
            software=SOFTWARE,
            mode=mode,
            question_marks=self.question_marks,
            played_at=played_at,
            ended_at=None if played_at is None else played_at + timedelta(milliseconds=last_ms),
            claims=self._claims(events),
            extra=dict(extra or {}),
        )

    def _claims(self, events: EventArray) -> Claims:
        """Return the results that the player saw; the analysis finds any difference from them."""
        if self.board is None or self.result is None:
            return Claims()
        counts, level = self.counts, self.board.level
        return Claims(
            time_ms=int(events["time_ms"][-1]) - int(events["time_ms"][self.opening_event or 0]),
            bv=self.bv,
            bvdone=counts.bvdone,
            win=self.result is Result.WON,
            lcl=counts.lcl,
            rcl=counts.rcl,
            dcl=counts.dcl,
            level=None if level is Level.CUSTOM else level,
            nf=counts.rce == 0,
        )


_NO_CHANGE: Final = (np.empty(0, np.int32), np.empty(0, np.uint8))


def _position(event: int) -> int | None:
    return None if event < 0 else event


def _shifted(times_ms: list[int], shift_ms: int) -> int:
    """The time of the last event after the shift."""
    before_ms = times_ms[-2] if len(times_ms) > 1 else 0
    return min(max(times_ms[-1] + shift_ms, before_ms), MAX_TIME_MS)


def _table(events: EventArray | Rows) -> NDArray[np.int64]:
    """The events as rows of whole numbers.  Raises ``LiveError`` if they are none."""
    if isinstance(events, np.ndarray) and events.dtype == EVENT and events.ndim == 1:
        table = np.empty((len(events), _FIELDS), np.int64)
        for column, name in enumerate(EVENT.names or ()):
            table[:, column] = events[name]
        return table
    try:
        numbers = np.array(events)
    except (ValueError, OverflowError, TypeError):
        numbers = np.empty(0)
    if not numbers.size and numbers.shape == (0,) and isinstance(events, Sequence) and not len(events):
        return np.empty((0, _FIELDS), np.int64)
    whole = numbers.dtype.kind == "i" and numbers.ndim == 2 and numbers.shape[1] == _FIELDS
    if not whole:
        raise LiveError("format", "Events are rows of four whole numbers.")
    return np.ascontiguousarray(numbers, np.int64)
