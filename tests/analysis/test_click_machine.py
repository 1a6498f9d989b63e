"""Replaying clicks: the situations that clones and readers count differently.

The board of most tests is 3x3 with one mine in the corner ``a``:   * 1 0
                                                                    1 1 0
                                                                    0 0 0
START opens the 1 in the middle, which leaves everything else closed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from analysis.board import board_facts
from analysis.click_machine import Game, Result, play
from analysis.errors import Inconsistent
from analysis.limits import MAX_EVENTS, MAX_SIDE
from analysis.recording import EVENT, Board, EventArray, Help, Kind, Recording, events_from

CODES = {
    "mv": Kind.MOVE, "lc": Kind.LEFT_PRESS, "lr": Kind.LEFT_RELEASE, "rc": Kind.RIGHT_PRESS, "rr": Kind.RIGHT_RELEASE,
    "mc": Kind.MIDDLE_PRESS, "mr": Kind.MIDDLE_RELEASE, "pf": Kind.PREFLAG, "cc": Kind.SECOND_PRESS,
    "l": Kind.LEFT_CHANGE, "r": Kind.RIGHT_CHANGE, "m": Kind.MIDDLE_CHANGE, "sc": Kind.SHIFT_LEFT_PRESS,
    "mt": Kind.MARKS_TOGGLE,
}  # fmt: skip
#: Points by letter, in cells: row, column.
PLACES = {"a": (0, 0), "b": (0, 1), "c": (0, 2), "d": (1, 0), "e": (1, 1), "f": (1, 2), "g": (2, 0), "h": (2, 1), "i": (2, 2), "-": (3, 3)}  # fmt: skip
START = "lc e lr e"
CORNER = Board(np.array([[1, 0, 0], [0, 0, 0], [0, 0, 0]], np.uint8))


def sequence(script: str, cell_px: int = 16) -> EventArray:
    """Events of pairs "code place", 100 ms apart, in the middle of the cells; "-" is outside."""
    words = script.split()
    rows = []
    for index, (code, place) in enumerate(zip(words[::2], words[1::2], strict=True)):
        row, column = PLACES[place]
        rows.append((100 * index, column * cell_px + cell_px // 2, row * cell_px + cell_px // 2, CODES[code]))
    return events_from(rows)


def played(script: str, *, board: Board = CORNER, marks: bool = False, helps: Help = Help.NONE) -> Game:
    return play(Recording("test", "", board, sequence(script), question_marks=marks, helps=helps), board_facts(board))


@dataclass(frozen=True)
class Row:
    """One situation; ``clicks``: left, right, double; ``effective``: the same; then flags standing at the end."""

    situation: str
    script: str
    clicks: tuple[int, int, int]
    effective: tuple[int, int, int]
    flags: int = 0
    strict: int = 0
    result: Result = Result.UNFINISHED


# The click machine's specification compares the programs point by point (its section 5) and on hand-made sequences
# (section 7).  Rows that never open a cell there get START behind them here, for a game without an opening is refused;
# it adds one effective left click.
ROWS = (
    # --- section 5
    Row("5 left released outside, playing", f"{START} lc i lr -", (2, 0, 0), (1, 0, 0)),
    Row("5 left released outside before the start, no flag", f"lc i lr - {START}", (2, 0, 0), (1, 0, 0)),
    Row("5 chord released outside", f"{START} lc e rc e lr - rr -", (1, 0, 1), (1, 0, 0)),
    Row("5 chord released outside by right", f"{START} lc e rc e rr - lr -", (1, 0, 1), (1, 0, 0)),
    Row("5 chord tried before the first opening", f"lc i rc i lr i rr i {START}", (1, 0, 1), (1, 0, 0)),
    Row("5 flags set and all removed before the start", f"rc a rr a rc a rr a {START}", (1, 2, 0), (1, 2, 0), strict=1),
    Row("5 left click on a flag before the start, then right elsewhere", f"rc a rr a lc a lr a rc i rr i {START}", (2, 2, 0), (1, 2, 0), flags=2, strict=1),
    Row("5 left released on a mine", f"{START} lc a lr a", (2, 0, 0), (2, 0, 0), result=Result.LOST),
    Row("5 repeated flag and unflag", f"{START} rc a rr a rc a rr a rc a rr a", (1, 3, 0), (1, 3, 0), flags=1, strict=1),
    Row("5 flag on a safe cell", f"{START} rc i rr i", (1, 1, 0), (1, 1, 0), flags=1),
    Row("5 right press twice without release", f"{START} rc a rc b rr b", (1, 2, 0), (1, 2, 0), flags=2, strict=1),
    Row("5 press outside, release inside before the start", "lc - lr e", (1, 0, 0), (1, 0, 0)),
    Row("5 middle with left held", f"{START} lc b mc e mr e lr b", (2, 0, 1), (2, 0, 0)),
    Row("5 middle release outside", f"{START} mc e mr -", (1, 0, 1), (1, 0, 0)),
    Row("5 middle release without press", f"{START} mr e", (1, 0, 1), (1, 0, 0)),
    Row("5 shift chord", f"{START} rc a rr a sc e lr e", (1, 1, 1), (1, 1, 1), flags=1, strict=1, result=Result.WON),
    Row("5 right click on an open cell, alone", f"{START} rc e rr e", (1, 1, 0), (1, 0, 0)),
    Row("5 right press on an open cell, never released", f"{START} rc e", (1, 0, 0), (1, 0, 0)),
    Row("5 open cell press turned into a chord", f"{START} rc e lc e lr e rr e", (1, 0, 1), (1, 0, 0)),
    Row("5 after a win", "lc i lr i lc e lr e rc a rr a mr e", (1, 0, 0), (1, 0, 0), result=Result.WON),
    Row("5 after a loss", f"{START} lc a lr a lc i lr i rc b rr b mr e", (2, 0, 0), (2, 0, 0), result=Result.LOST),
    # --- section 7
    Row("7 flag, unflag a three times before the start", f"{'rc a rr a ' * 6} {START}", (1, 6, 0), (1, 6, 0), strict=1),
    Row("7 start; mc inside, mr outside", f"{START} mc e mr -", (1, 0, 1), (1, 0, 0)),
    Row("7 flag; mc mr; before the start", f"rc a rr a mc e mr e {START}", (1, 1, 1), (1, 1, 0), flags=1, strict=1),
    Row("7 lc outside, lr inside, first action", "lc - lr e", (1, 0, 0), (1, 0, 0)),
    Row("7 start; lc outside, lr inside", f"{START} lc - lr b", (2, 0, 0), (2, 0, 0)),
    Row("7 start; rc outside, rr inside", f"{START} rc - rr i", (1, 1, 0), (1, 0, 0)),
    Row("7 start; rc a, lc, both released outside", f"{START} rc a lc a lr - rr -", (1, 1, 1), (1, 1, 0), flags=1, strict=1),
    Row("7 start; rc on open, lc, lr, rr", f"{START} rc e lc e lr e rr e", (1, 0, 1), (1, 0, 0)),
    Row("7 start; rc on open, rr", f"{START} rc e rr e", (1, 1, 0), (1, 0, 0)),
    Row("7 lc inside, lr outside, first action", f"lc i lr - {START}", (2, 0, 0), (1, 0, 0)),
    Row("7 lc rc lr rr first, then lc lr", "lc e rc e lr e rr e lc e lr e", (1, 0, 1), (1, 0, 0)),
    Row("7 start; lc rc, rr first, lr on a closed cell", f"{START} lc e rc e rr e lr b", (1, 0, 1), (1, 0, 0)),
    Row("7 start; wrong flag, chord that hits the mine", f"{START} rc b rr b lc e rc e lr e", (1, 1, 1), (1, 1, 1), flags=1, result=Result.LOST),
    Row("7 start; flag, unflag, flag the mine", f"{START} rc a rr a rc a rr a rc a rr a", (1, 3, 0), (1, 3, 0), flags=1, strict=1),
    Row("7 start; flag on a safe cell", f"{START} rc b rr b", (1, 1, 0), (1, 1, 0), flags=1),
    Row("7 rc outside, lc, rr, lr, first action", f"rc - lc e rr e lr e {START}", (1, 0, 1), (1, 0, 0)),
    Row("7 flag; rc outside, lc, rr, lr before the start", f"rc a rr a rc - lc e rr e lr e {START}", (1, 1, 1), (1, 1, 0), flags=1, strict=1),
    Row("7 start; lc lc lr", "lc e lc e lr e", (1, 0, 0), (1, 0, 0)),
    Row("7 start; rc a, rc b, rr", f"{START} rc a rc b rr b", (1, 2, 0), (1, 2, 0), flags=2, strict=1),
    Row("7 start; flag; lc, cc, lr, rr", f"{START} rc a rr a lc e cc e lr e rr e", (1, 1, 1), (1, 1, 1), flags=1, strict=1, result=Result.WON),
    # --- section 1.1, where all programs agree
    Row("1.1 one-and-a-half click: right still held, left again", f"{START} rc e lc e lr e lc e lr e rr e", (1, 0, 2), (1, 0, 0)),
    Row("1.1 left held after a chord, right again chords", f"{START} lc e rc e rr e rc e rr e lr e", (1, 0, 2), (1, 0, 0)),
    Row("1.1 dragging with right held flags nothing more", f"{START} rc a mv b mv c rr c", (1, 1, 0), (1, 1, 0), flags=1, strict=1),
    Row("1.1 only the release of a left click matters", f"{START} lc a mv d lr b", (2, 0, 0), (2, 0, 0)),
    Row("1.1 only the release of a chord matters", f"{START} rc a rr a lc i rc i mv e rr e", (1, 1, 1), (1, 1, 1), flags=1, strict=1, result=Result.WON),
    Row("1.1 left on a flag opens nothing", f"{START} rc b rr b lc b lr b", (2, 1, 0), (1, 1, 0), flags=1),
    Row("1.1 a chord whose flags do not match", f"{START} rc a rr a rc b rr b lc e rc e lr e rr e", (1, 2, 1), (1, 2, 0), flags=2, strict=1),
    Row("1.1 a chord on a closed cell", f"{START} lc i rc i lr i rr i", (1, 0, 1), (1, 0, 0)),
    # --- events of the newer formats
    Row("1.1 l and r tell presses from what is held", "l e l e r a r a l e r e l e", (1, 1, 1), (1, 1, 1), flags=1, strict=1, result=Result.WON),
    Row("1.1 m chords when it falls", f"{START} rc a rr a m e m e", (1, 1, 1), (1, 1, 1), flags=1, strict=1, result=Result.WON),
    Row("1.1 cc with right held is a left press", f"{START} rc a cc e lr e rr e", (1, 1, 1), (1, 1, 1), flags=1, strict=1, result=Result.WON),
    Row("1.1 cc with nothing held is both", f"{START} rc a rr a cc e rr e", (1, 1, 1), (1, 1, 1), flags=1, strict=1, result=Result.WON),
    Row("1.2 flags from before the first event", f"pf a pf b {START}", (1, 2, 0), (1, 2, 0), flags=2, strict=1),
    Row("1.2 a flag from before on a flag or outside is none", f"pf a pf a pf - {START} pf e", (1, 1, 0), (1, 1, 0), flags=1, strict=1),
    Row("3 shift is forgotten at the release", f"{START} sc e lr e lc b lr b", (2, 0, 1), (2, 0, 0)),
    Row("3 a release without its press: left", f"lr e {START}", (1, 0, 0), (1, 0, 0)),
    Row("3 a release without its press: right", f"rr a {START}", (1, 0, 0), (1, 0, 0)),
    Row("3 a left release with right held is a chord", f"{START} rc a lr e rr e", (1, 1, 1), (1, 1, 1), flags=1, strict=1, result=Result.WON),
)  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.situation)
def test_situations(row: Row) -> None:
    game = played(row.script)
    assert (game.lcl, game.rcl, game.dcl) == row.clicks
    assert (game.lce, game.rce, game.dce) == row.effective
    assert (game.flags, game.rce_strict, game.result) == (row.flags, row.strict, row.result)
    assert game.toggles == game.rce


# --- helps of a program: what a click does is not what it does elsewhere

HALF = "rc i rr i lc g lr g"  # opens everything but the mine and the flag i
HELPED = (
    (Help.SUPER_CLICK, Row("left on an open number chords", f"{START} rc a rr a lc e lr e", (1, 1, 1), (1, 1, 1), flags=1, strict=1, result=Result.WON)),
    (Help.SUPER_CLICK, Row("flags that do not match", f"{START} lc e lr e", (1, 0, 1), (1, 0, 0))),
    (Help.SUPER_CLICK, Row("left on a closed cell opens it", f"{START} lc b lr b", (2, 0, 0), (2, 0, 0))),
    (Help.SUPER_CLICK, Row("left on a flag or outside is a left click", f"{START} rc b rr b lc b lr b lc - lr -", (3, 1, 0), (1, 1, 0), flags=1)),
    (Help.SUPER_CLICK, Row("a left button that has chorded is no click", f"{START} lc e rc e rr e lr e", (1, 0, 1), (1, 0, 0))),
    (Help.SUPER_CLICK, Row("a blast", f"{START} rc b rr b lc e lr e", (1, 1, 1), (1, 1, 1), flags=1, result=Result.LOST)),
    (Help.SUPER_FLAG, Row("right on a number flags what must be a mine", f"{HALF} rc b rr b", (1, 2, 0), (1, 2, 0), flags=2, strict=1)),
    (Help.SUPER_FLAG, Row("more closed cells than mines", f"{HALF} rc e rr e", (1, 2, 0), (1, 1, 0), flags=1)),
    (Help.SUPER_FLAG, Row("nothing left to flag", f"{HALF} rc b rr b rc b rr b", (1, 3, 0), (1, 2, 0), flags=2, strict=1)),
    (Help.SUPER_FLAG, Row("no number", f"{HALF} rc f rr f rc - rr -", (1, 3, 0), (1, 1, 0), flags=1)),
    (Help.SUPER_FLAG, Row("then a chord", f"{HALF} rc i rr i rc b lc b lr b rr b lc i lr i", (2, 3, 1), (2, 3, 0), flags=1, strict=1, result=Result.WON)),
    (Help.SUPER_FLAG, Row("left chords nothing alone", f"{START} rc a rr a lc e lr e", (2, 1, 0), (1, 1, 0), flags=1, strict=1)),
    (Help.ELMAR_TECHNIQUE, Row("a press opens", "lc e", (1, 0, 0), (1, 0, 0))),
    (Help.ELMAR_TECHNIQUE, Row("its release does nothing", f"{START} lr b", (1, 0, 0), (1, 0, 0))),
    (Help.ELMAR_TECHNIQUE, Row("a press with right held chords", f"{START} rc a lc e", (1, 1, 1), (1, 1, 1), flags=1, strict=1, result=Result.WON)),
    (Help.ELMAR_TECHNIQUE, Row("a blast at the press", f"{START} lc a", (2, 0, 0), (2, 0, 0), result=Result.LOST)),
    (Help.ELMAR_TECHNIQUE | Help.SUPER_CLICK, Row("both", f"{START} rc a rr a lc e", (1, 1, 1), (1, 1, 1), flags=1, strict=1, result=Result.WON)),
)  # fmt: skip


@pytest.mark.parametrize(("helps", "row"), HELPED, ids=lambda value: value.situation if isinstance(value, Row) else "")
def test_helps(helps: Help, row: Row) -> None:
    game = played(row.script, helps=helps)
    assert (game.lcl, game.rcl, game.dcl) == row.clicks
    assert (game.lce, game.rce, game.dce) == row.effective
    assert (game.flags, game.rce_strict, game.result) == (row.flags, row.strict, row.result)


# --- question marks (section 5: as the file's setting says; every toggle is effective)


@pytest.mark.parametrize(
    ("script", "marks", "rcl", "flags"),
    [
        ("rc a rr a rc a rr a rc a rr a", False, 3, 1),
        ("rc a rr a rc a rr a", True, 2, 0),
        ("rc a rr a rc a rr a rc a rr a", True, 3, 0),
        ("rc a rr a rc a rr a rc a rr a rc a rr a", True, 4, 1),
        ("mt a rc a rr a rc a rr a rc a rr a", False, 3, 0),
        ("mt a rc a rr a rc a rr a mt a rc a rr a rc a rr a", False, 4, 1),  # switched off, a mark still goes to closed
    ],
)
def test_question_marks(script: str, marks: bool, rcl: int, flags: int) -> None:
    game = played(f"{START} {script}", marks=marks)
    assert (game.rcl, game.rce, game.flags, game.rce_strict) == (rcl, rcl, flags, 1)


def test_a_question_mark_protects_nothing() -> None:
    assert played(f"{START} rc a rr a rc a rr a lc a lr a", marks=True).result is Result.LOST
    assert played("rc b rr b rc b rr b lc i lr i", marks=True).result is Result.WON
    marked = f"{START} rc b rr b rc b rr b rc a rr a mc e mr e"
    assert played(marked, marks=True).result is Result.WON


# --- 3BV while playing (sections 1.5, 5 and 8)

#: 0 0 0 1 *      one opening, zeros in two columns
#: 0 0 0 2 2      the cells of the last column beside no zero are islands
#: 0 0 0 1 *
STRIP = Board(np.array([[0, 0, 0, 0, 1], [0, 0, 0, 0, 0], [0, 0, 0, 0, 1]], np.uint8))


def played_at(points: list[tuple[str, int, int]], board: Board) -> Game:
    """Clicks by (button, row, column): "l" a left click, "r" a right click, "d" a chord."""
    codes = {"l": ("lc", "lr"), "r": ("rc", "rr"), "d": ("mc", "mr")}
    rows = [(0, 16 * column + 8, 16 * row + 8, CODES[code]) for button, row, column in points for code in codes[button]]
    return play(Recording("test", "", board, events_from(rows)), board_facts(board))


def test_a_flagged_zero_delays_its_opening() -> None:
    game = played_at([("r", 0, 0), ("l", 2, 0)], STRIP)
    assert (game.bvdone, game.opdone) == (0, 0)
    game = played_at([("r", 0, 0), ("l", 2, 0), ("r", 0, 0), ("l", 0, 0)], STRIP)
    assert (game.bvdone, game.opdone, game.lce) == (1, 1, 2)


def test_flags_cut_a_flood_and_stay() -> None:
    wall = [("r", row, 1) for row in range(3)]
    game = played_at([*wall, ("l", 0, 0)], STRIP)
    assert (game.bvdone, game.flags) == (0, 3)
    game = played_at([*wall, ("l", 0, 0), ("l", 0, 2), ("l", 1, 4)], STRIP)
    assert game.result is Result.UNFINISHED  # the cells under the flags are safe and closed
    assert (game.bvdone, game.isdone, game.lce) == (1, 1, 3)


def test_a_flagged_border_number_does_not_delay_an_opening() -> None:
    game = played_at([("r", 1, 3), ("l", 0, 0)], STRIP)
    assert (game.bvdone, game.opdone, game.result) == (1, 1, Result.UNFINISHED)


def test_an_open_zero_chords_whatever_flags_are_around() -> None:
    game = played_at([("r", 0, 3), ("l", 0, 0), ("d", 0, 2)], STRIP)
    assert (game.dcl, game.dce) == (1, 0)  # nothing but the flag is closed
    game = played_at([("r", 0, 3), ("r", 1, 3), ("l", 0, 0), ("r", 1, 3), ("d", 0, 2)], STRIP)
    assert (game.dcl, game.dce) == (1, 1)  # opens the cell whose flag is gone, though another flag stands


def test_a_losing_chord_keeps_what_it_opened() -> None:
    game = played(f"{START} rc b rr b lc e rc e lr e")
    assert (game.result, game.dce, game.bvdone, game.opdone) == (Result.LOST, 1, 1, 1)


def test_islands_count_one_a_number_and_are_done_with_the_last() -> None:
    board = Board(np.array([[1, 0, 0, 1], [0, 0, 0, 0]], np.uint8))  # no zero: one island of six
    game = played_at([("l", 0, 1), ("l", 0, 2), ("l", 1, 0)], board)
    assert (game.bvdone, game.isdone, game.opdone) == (3, 0, 0)
    game = played_at([("l", 0, 1), ("l", 0, 2), *(("l", 1, column) for column in range(4))], board)
    assert (game.bvdone, game.isdone, game.opdone, game.result) == (6, 1, 0, Result.WON)


def test_a_chord_that_blasts_and_opens_the_last_cells_loses() -> None:
    board = Board(np.array([[1, 0, 0]], np.uint8))
    game = played_at([("l", 0, 1), ("r", 0, 2), ("d", 0, 1)], board)
    assert (game.result, game.flags) == (Result.LOST, 1)
    board = Board(np.array([[1, 0, 1, 0]], np.uint8))
    game = played_at([("l", 0, 3), ("l", 0, 1)], board)
    assert game.result is Result.WON


# --- time, path, places (sections 1.6, 5 and 8)


def trail(rows: list[tuple[int, int, int, Kind]], *, cell_px: int = 16) -> Game:
    return play(Recording("test", "", CORNER, events_from(rows), cell_px=cell_px), board_facts(CORNER))


PRESS, RELEASE, MOVE = Kind.LEFT_PRESS, Kind.LEFT_RELEASE, Kind.MOVE


def test_time_and_path_run_from_the_opening_release_to_the_deciding_one() -> None:
    rows = [
        (-300, 0, 0, MOVE),
        (-200, 20, 20, PRESS),
        (50, 20, 20, RELEASE),
        (60, 23, 24, MOVE),  # 5 px
        (70, 35, 40, MOVE),  # 20 px
        (80, 35, 40, PRESS),
        (95, 35, 40, RELEASE),  # wins
        (99, 0, 0, MOVE),
    ]
    game = trail(rows)
    assert (game.result, game.time_ms, game.path) == (Result.WON, 45, 25.0)
    assert (game.start_index, game.end_index) == (2, 6)


@pytest.mark.parametrize(("clock_start_ms", "time_ms"), [(None, 45), (0, 95), (40, 55), (90, 45)])
def test_a_clock_that_starts_earlier_counts_and_one_that_starts_later_does_not(
    clock_start_ms: int | None, time_ms: int
) -> None:
    rows = [(0, 20, 20, PRESS), (50, 20, 20, RELEASE), (80, 35, 40, PRESS), (95, 35, 40, RELEASE)]
    recording = Recording("test", "", CORNER, events_from(rows), clock_start_ms=clock_start_ms)
    game = play(recording, board_facts(CORNER))
    assert (game.result, game.time_ms) == (Result.WON, time_ms)


def test_an_unfinished_game_lasts_to_the_last_event() -> None:
    game = trail([(0, 20, 20, PRESS), (10, 20, 20, RELEASE), (500, 20, 29, MOVE)])
    assert (game.result, game.time_ms, game.path, game.end_index) == (Result.UNFINISHED, 490, 9.0, 2)


@pytest.mark.parametrize(
    "outside", [(48, 48), (-1, 20), (20, -1), (48, 20), (20, 48), (-32768, -32768), (32767, 32767)]
)
def test_points_outside_are_skipped_by_the_path(outside: tuple[int, int]) -> None:
    game = trail([(0, 20, 20, PRESS), (0, 20, 20, RELEASE), (1, *outside, MOVE), (2, 23, 24, MOVE)])
    assert game.path == 5.0


def test_the_path_is_told_at_16_px_a_cell() -> None:
    game = trail([(0, 30, 30, PRESS), (0, 30, 30, RELEASE), (1, 33, 34, MOVE)], cell_px=20)
    assert game.path == 4.0


@pytest.mark.parametrize(("x", "y"), [(-1, 20), (-15, 20), (20, -15), (-1, -1), (48, 20), (20, 48)])
def test_pixels_left_of_and_above_the_board_are_outside(x: int, y: int) -> None:
    game = trail([(0, 20, 20, PRESS), (0, 20, 20, RELEASE), (1, x, y, PRESS), (2, x, y, RELEASE)])
    assert (game.lcl, game.lce) == (2, 1)


@pytest.mark.parametrize(("x", "y"), [(0, 16), (15, 31), (16, 0), (31, 15)])
def test_the_first_and_last_pixels_of_a_cell_are_its_own(x: int, y: int) -> None:
    game = trail([(0, 20, 20, PRESS), (0, 20, 20, RELEASE), (1, x, y, PRESS), (2, x, y, RELEASE)])
    assert (game.lce, game.bvdone, game.result) == (2, 0, Result.UNFINISHED)


def test_a_blast_as_the_first_click_is_a_lost_game_of_no_time() -> None:
    game = trail([(0, 1, 1, PRESS), (7, 1, 1, RELEASE)])
    assert (game.result, game.time_ms, game.path, game.lce, game.bvdone) == (Result.LOST, 0, 0.0, 1, 0)
    assert game.start_index == game.end_index == 1


# --- what is refused, and what must not hurt


@pytest.mark.parametrize("script", ["", "mv a", "lc e", "lc e lr -", "rc a rr a mc e mr e", "lc e rc e lr e rr e"])
def test_a_game_without_an_opening_is_refused(script: str) -> None:
    with pytest.raises(Inconsistent, match="No cell is ever opened"):
        played(script)


@pytest.mark.parametrize("kind", [0, 15, 255])
def test_unknown_kinds_are_refused(kind: int) -> None:
    events = sequence(f"{START} mv a").copy()
    events["kind"][-1] = kind
    with pytest.raises(Inconsistent, match="no known kind"):
        play(Recording("test", "", CORNER, events), board_facts(CORNER))


def test_time_that_runs_backwards_is_refused() -> None:
    with pytest.raises(Inconsistent, match="backwards"):
        trail([(9, 20, 20, PRESS), (9, 20, 20, RELEASE), (0, 20, 20, MOVE)])


@pytest.mark.parametrize("cell_px", [0, -1, 256])
def test_cells_of_impossible_size_are_refused(cell_px: int) -> None:
    with pytest.raises(Inconsistent, match="px"):
        trail([(0, 20, 20, PRESS), (0, 20, 20, RELEASE)], cell_px=cell_px)


def test_facts_of_another_board_are_the_callers_error() -> None:
    recording = Recording("test", "", CORNER, sequence(START))
    with pytest.raises(ValueError, match="facts of a board"):
        play(recording, board_facts(STRIP))


def test_events_of_another_dtype_are_the_callers_error() -> None:
    recording = Recording("test", "", CORNER, np.zeros(3, np.int64))
    with pytest.raises(TypeError, match="EVENT"):
        play(recording, board_facts(CORNER))


def million(kinds: list[Kind], at: list[tuple[int, int]]) -> Game:
    """An opening in the middle of the largest board, then ``kinds`` and points (row, column) in turn, a million times."""
    mines = np.zeros((MAX_SIDE, MAX_SIDE), np.uint8)
    mines[::3, ::3] = 1
    mines[100:110, 100:110] = 0
    events = np.zeros(MAX_EVENTS, EVENT)
    events["kind"] = np.resize(np.array(kinds, np.uint8), len(events))
    points = np.resize(np.array(at, np.int64), (len(events), 2))
    points[:2] = 105
    events["kind"][:2] = PRESS, RELEASE
    events["y_px"], events["x_px"] = points.T * 16
    events["time_ms"] = np.arange(len(events))
    board = Board(mines)
    return play(Recording("test", "", board, events), board_facts(board))


@pytest.mark.parametrize(
    ("kinds", "at", "rcl", "dcl"),
    [
        ([Kind.MIDDLE_RELEASE], [(105, 105)], 0, MAX_EVENTS - 2),
        ([Kind.MIDDLE_CHANGE], [(-50, 500)], 0, MAX_EVENTS // 2 - 1),
        ([Kind.RIGHT_PRESS], [(0, 0)], MAX_EVENTS - 2, 0),
        ([Kind.PREFLAG, Kind.MARKS_TOGGLE], [(3, 3), (-9, 999)], 1, 0),
        ([Kind.SECOND_PRESS, Kind.LEFT_RELEASE, Kind.RIGHT_RELEASE], [(7, 7), (254, 254)], 0, MAX_EVENTS // 3 - 1),
        ([Kind.MOVE], [(0, 0), (254, 254)], 0, 0),
    ],
)
def test_a_million_hostile_events_on_the_largest_board(
    kinds: list[Kind], at: list[tuple[int, int]], rcl: int, dcl: int
) -> None:
    """The work is bounded by events plus cells, so each of these ends at once."""
    game = million(kinds, at)
    assert (game.result, game.lcl, game.opdone) == (Result.UNFINISHED, 1, 1)
    assert (game.rcl, game.dcl) == (rcl, dcl)


def test_one_click_floods_the_largest_board() -> None:
    board = Board(np.zeros((MAX_SIDE, MAX_SIDE), np.uint8))
    events = events_from([(0, 4079, 4079, PRESS), (0, 4079, 4079, RELEASE)])
    game = play(Recording("test", "", board, events), board_facts(board))
    assert (game.result, game.bvdone, game.opdone) == (Result.WON, 1, 1)
