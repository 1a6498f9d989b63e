"""ZiNi by its definition: after every move all gains are counted again.  The slow twin of the kernels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator

from analysis.recording import Board
from tests.naive_board import Cell, NaiveBoard, around, naive_board

Order = Callable[[Cell], tuple[int, int]]


def row_first(cell: Cell) -> tuple[int, int]:
    return cell


def column_first(cell: Cell) -> tuple[int, int]:
    return cell[1], cell[0]


class Play:
    """A board in play: which cells are open, which mines are flagged, how many clicks that took."""

    def __init__(self, facts: NaiveBoard) -> None:
        self.facts = facts
        self.open: frozenset[Cell] = frozenset()
        self.flags: frozenset[Cell] = frozenset()
        self.clicks = 0

    def copy(self) -> Play:
        other = Play(self.facts)
        other.open, other.flags, other.clicks = self.open, self.flags, self.clicks
        return other

    def uncover(self, cell: Cell) -> None:
        """Open ``cell``; a zero opens all around it."""
        waiting = [cell]
        opened = set(self.open)
        while waiting:
            here = waiting.pop()
            if here in opened or here not in self.facts.shown:
                continue
            opened.add(here)
            if self.facts.shown[here] == 0:
                waiting.extend(around(here))
        self.open = frozenset(opened)

    def click(self, cell: Cell) -> None:
        self.clicks += 1
        self.uncover(cell)

    def flag(self, mine: Cell) -> None:
        self.clicks += 1
        self.flags |= {mine}

    def chord(self, cell: Cell) -> None:
        """Open ``cell`` if it is closed, flag what is missing, chord."""
        if cell not in self.open:
            self.click(cell)
        for mine in self.unflagged(cell):
            self.flag(mine)
        self.clicks += 1
        for beside in around(cell):
            self.uncover(beside)

    def unflagged(self, cell: Cell) -> list[Cell]:
        return [beside for beside in around(cell) if beside in self.facts.mines and beside not in self.flags]

    def closed_3bv(self) -> list[frozenset[Cell]]:
        """Each 3BV not yet solved, as the set of cells any of which solves it with one click."""
        single = [frozenset({cell}) for island in self.facts.islands for cell in island if cell not in self.open]
        return single + [opening for opening in self.facts.openings if not opening <= self.open]

    def solved_by(self) -> dict[Cell, set[int]]:
        """The numbers of the 3BVs not yet solved that a click solves, by its cell."""
        solved: dict[Cell, set[int]] = defaultdict(set)
        for number, solution in enumerate(self.closed_3bv()):
            for cell in solution:
                solved[cell].add(number)
        return solved

    def gain(self, cell: Cell, solved_by: dict[Cell, set[int]]) -> int:
        opens = len(set().union(*(solved_by.get(near, ()) for near in (cell, *around(cell)))))
        return opens - len(self.unflagged(cell)) - 1 - (cell not in self.open)

    def best(self, open_only: bool) -> list[Cell]:
        """The candidates of the best gain; none if every gain is negative."""
        solved_by = self.solved_by()
        gains = {
            cell: self.gain(cell, solved_by)
            for cell, number in self.facts.shown.items()
            if number > 0 and (cell in self.open or not open_only)
        }
        highest = max(gains.values(), default=-1)
        return [cell for cell, gain in gains.items() if gain == highest] if highest >= 0 else []


def naive_greedy(board: Board, order: Order, openings_first: bool) -> int:
    """``gzini`` and ``gzini_ref``, or ``hzini`` with the openings first."""
    play = Play(naive_board(board))
    if openings_first:
        for opening in play.facts.openings:
            play.click(min(opening))
    while best := play.best(open_only=False):
        play.chord(min(best, key=order))
    return play.clicks + len(play.closed_3bv())


def naive_reference_human(board: Board, order: Order) -> int:
    """``hzini_ref``: openings, then chords on open cells only, one 3BV clicked when none gains."""
    play = Play(naive_board(board))
    for opening in play.facts.openings:
        play.click(min(opening))
    while closed := play.closed_3bv():
        if best := play.best(open_only=True):
            play.chord(min(best, key=order))
        else:
            play.click(min((cell for solution in closed for cell in solution), key=order))
    return play.clicks


def all_greedy_counts(board: Board) -> set[int]:
    """The counts of greedy ZiNi over every way to choose among equal gains."""

    def endings(play: Play) -> Iterator[int]:
        state = (play.open, play.flags, play.clicks)
        if state in seen:
            return
        seen.add(state)
        best = play.best(open_only=False)
        if not best:
            yield play.clicks + len(play.closed_3bv())
        for cell in best:
            further = play.copy()
            further.chord(cell)
            yield from endings(further)

    seen: set[tuple[frozenset[Cell], frozenset[Cell], int]] = set()
    return set(endings(Play(naive_board(board))))
