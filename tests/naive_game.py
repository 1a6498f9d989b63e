"""The slow twin of ``analysis.click_machine``, with sets of cells and one rule for each event; shares no code with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import hypot
from typing import Literal, TypeAlias

from analysis.recording import Board, Help, Kind, Recording

Cell: TypeAlias = tuple[int, int]
Button: TypeAlias = Literal["left", "right", "double"]


@dataclass(frozen=True)
class Click:
    """One counted click, to explain why two programs count differently."""

    button: Button
    event: int
    at: Cell | None
    on_mine: bool
    started: bool  # whether a cell had been opened before
    flags_before: int  # how many flags stood
    repeated: bool  # a right press without a release of the one before

    @property
    def outside(self) -> bool:
        return self.at is None


@dataclass
class NaiveGame:
    """A game in progress, and its numbers."""

    board: Board
    marks: bool
    helps: Help = Help.NONE
    opened: set[Cell] = field(default_factory=set)
    flags: set[Cell] = field(default_factory=set)
    questions: set[Cell] = field(default_factory=set)
    mines_ever_flagged: set[Cell] = field(default_factory=set)
    clicks: list[Click] = field(default_factory=list)
    lce: int = 0
    rce: int = 0
    dce: int = 0
    strict: int = 0
    start: int | None = None
    end: int | None = None
    # "ready": its release alone is a click; "used": held, but its release is none
    left: Literal["up", "ready", "used"] = "up"
    right: Literal["up", "ready", "used"] = "up"
    middle_down: bool = False
    shift: bool = False
    pressed_again: bool = False
    now: int = 0

    def copy(self) -> NaiveGame:
        """Return a game that goes on from here by itself."""
        return replace(
            self, opened=set(self.opened), flags=set(self.flags), questions=set(self.questions),
            mines_ever_flagged=set(self.mines_ever_flagged), clicks=list(self.clicks),
        )  # fmt: skip

    # --- the board

    def cells(self) -> set[Cell]:
        return {(row, column) for row in range(self.board.rows) for column in range(self.board.columns)}

    def is_mine(self, cell: Cell) -> bool:
        return bool(self.board.mines[cell])

    def around(self, cell: Cell) -> set[Cell]:
        row, column = cell
        return {
            (row + down, column + right)
            for down in (-1, 0, 1)
            for right in (-1, 0, 1)
            if (down, right) != (0, 0)
            and 0 <= row + down < self.board.rows
            and 0 <= column + right < self.board.columns
        }

    def number(self, cell: Cell) -> int:
        return sum(self.is_mine(other) for other in self.around(cell))

    def safe(self) -> set[Cell]:
        return {cell for cell in self.cells() if not self.is_mine(cell)}

    def zeros(self) -> set[Cell]:
        return {cell for cell in self.safe() if self.number(cell) == 0}

    def isolated(self) -> set[Cell]:
        zeros = self.zeros()
        return {cell for cell in self.safe() - zeros if not self.around(cell) & zeros}

    def groups(self, members: set[Cell]) -> list[set[Cell]]:
        left, found = set(members), []
        while left:
            group = {left.pop()}
            while grown := {other for cell in group for other in self.around(cell)} & left:
                group |= grown
                left -= grown
            found.append(group)
        return found

    # --- actions

    def count(self, button: Button, at: Cell | None) -> None:
        self.clicks.append(
            Click(
                button,
                self.now,
                at,
                on_mine=at is not None and self.is_mine(at),
                started=self.start is not None,
                flags_before=len(self.flags),
                repeated=self.pressed_again,
            )
        )

    def may_open(self, cell: Cell) -> bool:
        return cell not in self.opened and cell not in self.flags

    def open(self, cell: Cell) -> None:
        waiting = {cell}
        while waiting:
            here = waiting.pop()
            self.opened.add(here)
            self.questions.discard(here)
            if not self.is_mine(here) and self.number(here) == 0:
                waiting |= {other for other in self.around(here) if self.may_open(other)}

    def left_click(self, at: Cell | None) -> None:
        self.count("left", at)
        if at is not None and self.may_open(at):
            self.open(at)
            self.lce += 1
            if self.start is None:
                self.start = self.now

    def toggle(self, cell: Cell) -> None:
        self.count("right", cell)
        self.rce += 1
        if cell in self.flags:
            self.flags.remove(cell)
            if self.marks:
                self.questions.add(cell)
        elif cell in self.questions:
            self.questions.remove(cell)
        else:
            self.flags.add(cell)
            self.strict += self.is_mine(cell) and cell not in self.mines_ever_flagged
            if self.is_mine(cell):
                self.mines_ever_flagged.add(cell)

    def super_flag(self, at: Cell) -> bool:
        closed = self.around(at) - self.opened
        new = closed - self.flags
        if self.is_mine(at) or self.number(at) == 0 or len(closed) != self.number(at) or not new:
            return False
        self.count("right", at)
        self.rce += 1
        self.flags |= new
        self.questions -= new
        fresh = {cell for cell in new if self.is_mine(cell)} - self.mines_ever_flagged
        self.mines_ever_flagged |= fresh
        self.strict += bool(fresh)
        return True

    def chord(self, at: Cell | None) -> None:
        self.count("double", at)
        if at is None or at not in self.opened:
            return
        if self.number(at) not in (0, len(self.around(at) & self.flags)):
            return
        targets = {cell for cell in self.around(at) if self.may_open(cell)}
        for cell in targets:
            self.open(cell)
        self.dce += bool(targets)

    # --- events

    def event(self, kind: Kind, at: Cell | None) -> None:
        if kind is Kind.LEFT_CHANGE:
            kind = Kind.LEFT_PRESS if self.left == "up" else Kind.LEFT_RELEASE
        if kind is Kind.RIGHT_CHANGE:
            kind = Kind.RIGHT_PRESS if self.right == "up" else Kind.RIGHT_RELEASE
        if kind is Kind.MIDDLE_CHANGE:
            kind = Kind.MIDDLE_RELEASE if self.middle_down else Kind.MIDDLE_PRESS
        match kind:
            case Kind.LEFT_PRESS | Kind.SHIFT_LEFT_PRESS:
                self.left, self.shift = "ready", self.shift or kind is Kind.SHIFT_LEFT_PRESS
                if Help.ELMAR_TECHNIQUE in self.helps:
                    self.left_released(at)
            case Kind.LEFT_RELEASE:
                if Help.ELMAR_TECHNIQUE not in self.helps:
                    self.left_released(at)
            case Kind.RIGHT_PRESS:
                self.right_pressed(at)
            case Kind.RIGHT_RELEASE:
                self.right_released(at)
            case Kind.MIDDLE_PRESS:
                self.middle_down = True
            case Kind.MIDDLE_RELEASE:
                self.middle_down = False
                self.chord(at)
            case Kind.SECOND_PRESS:
                if self.left == "up":
                    self.left = "ready"
                if self.right == "up":
                    self.right = "used"
            case Kind.PREFLAG:
                if at is not None and at not in self.opened | self.flags | self.questions:
                    self.toggle(at)
            case Kind.MARKS_TOGGLE:
                self.marks = not self.marks
            case _:
                pass

    def left_released(self, at: Cell | None) -> None:
        super_click = Help.SUPER_CLICK in self.helps and self.left == "ready" and at in self.opened
        if self.right != "up" or self.shift or super_click:
            self.chord(at)
        elif self.left == "ready":
            self.left_click(at)
        self.left, self.shift = "up", False
        if self.right == "ready":
            self.right = "used"

    def right_pressed(self, at: Cell | None) -> None:
        self.pressed_again = self.right != "up"
        if self.left != "up":
            if self.right == "up":
                self.right = "used"
        elif at is not None and at not in self.opened:
            self.toggle(at)
            self.right = "used"
        elif at is not None and Help.SUPER_FLAG in self.helps and self.super_flag(at):
            self.right = "used"
        else:
            self.right = "ready"

    def right_released(self, at: Cell | None) -> None:
        if self.left != "up":
            self.chord(at)
        elif self.right == "ready":
            self.count("right", at)
        self.right, self.shift, self.pressed_again = "up", False, False
        if self.left == "ready":
            self.left = "used"

    # --- results

    def faces(self) -> list[int]:
        """Faces row by row: 0 closed, 1 flag, 2 question mark, 3 open."""
        shown = dict.fromkeys(self.flags, 1) | dict.fromkeys(self.questions, 2) | dict.fromkeys(self.opened, 3)
        return [shown.get(cell, 0) for cell in sorted(self.cells())]

    def blasted(self) -> bool:
        return any(self.is_mine(cell) for cell in self.opened)

    def over(self) -> bool:
        return self.blasted() or self.safe() <= self.opened

    def clicked(self, button: Button) -> int:
        return sum(click.button == button for click in self.clicks)

    def solved(self, groups: list[set[Cell]]) -> int:
        return sum(group <= self.opened for group in groups)


def replay(recording: Recording) -> NaiveGame:
    """Play every event until the game is over."""
    game = NaiveGame(recording.board, recording.question_marks, recording.helps)
    for index, (_, x, y, kind) in enumerate(recording.events.tolist()):
        if kind == Kind.MOVE:
            continue
        game.now = index
        game.event(Kind(kind), cell_at(recording, x, y))
        if game.over():
            game.end = index
            break
    return game


@dataclass(frozen=True)
class Moment:
    """A game after ``events`` events.  ``numbers``: by the names of films; ``faces``: row by row, as in films."""

    events: int
    numbers: dict[str, float]
    faces: list[int]


def moments(recording: Recording, counts: Iterable[int]) -> Iterator[Moment]:
    """The game after each of these numbers of events, the smallest first; nothing counts after the end."""
    game = NaiveGame(recording.board, recording.question_marks, recording.helps)
    openings, isolated = game.groups(game.zeros()), game.isolated()
    islands = game.groups(isolated)
    events = recording.events.tolist()
    played = 0
    for count in sorted(set(counts)):
        for index in range(played, count):
            _, x, y, kind = events[index]
            if kind == Kind.MOVE or game.end is not None:
                continue
            game.now = index
            game.event(Kind(kind), cell_at(recording, x, y))
            if game.over():
                game.end = index
        played = max(played, count)
        until = count - 1 if game.end is None else min(count - 1, game.end)
        numbers_: dict[str, float] = {
            **{f"{button[0]}cl": game.clicked(button) for button in ("left", "right", "double")},
            "lce": game.lce,
            "rce": game.rce,
            "dce": game.dce,
            "rce_strict": game.strict,
            "flags": len(game.flags),
            "bvdone": game.solved(openings) + len(isolated & game.opened),
            "opdone": game.solved(openings),
            "isdone": game.solved(islands),
            "path": 0.0 if game.start is None else path(recording, game.start, until),
        }
        yield Moment(count, numbers_, game.faces())


def cell_at(recording: Recording, x: int, y: int) -> Cell | None:
    """The cell under a point, ``None`` outside the board."""
    row, column = y // recording.cell_px, x // recording.cell_px
    inside = 0 <= row < recording.board.rows and 0 <= column < recording.board.columns
    return (row, column) if inside else None


def numbers(recording: Recording) -> dict[str, object] | None:
    """Every field of ``analysis.click_machine.Game`` by name; ``None`` if no cell is ever opened."""
    game = replay(recording)
    if game.start is None:
        return None
    decided, last = game.end is not None, len(recording.events) - 1
    end = game.end if game.end is not None else last
    openings = game.groups(game.zeros())
    times = recording.events["time_ms"].tolist()
    clock = recording.clock_start_ms
    begin = times[game.start] if clock is None or clock > times[game.start] else clock
    return {
        "result": ("lost" if game.blasted() else "won") if decided else "unfinished",
        "time_ms": times[end] - begin,
        "path": path(recording, game.start, end),
        "lcl": game.clicked("left"),
        "rcl": game.clicked("right"),
        "dcl": game.clicked("double"),
        "lce": game.lce,
        "rce": game.rce,
        "dce": game.dce,
        "rce_strict": game.strict,
        "flags": len(game.flags),
        "bvdone": game.solved(openings) + len(game.isolated() & game.opened),
        "opdone": game.solved(openings),
        "isdone": game.solved(game.groups(game.isolated())),
        "start_index": game.start,
        "end_index": end,
    }


def path(recording: Recording, start: int, end: int) -> float:
    """Distance between successive points on the board, in pixels at 16 px a cell."""
    trail = [(x, y) for _, x, y, _ in recording.events.tolist()[start : end + 1] if cell_at(recording, x, y)]
    steps = (hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(trail))
    return sum(steps) * 16 / recording.cell_px
