"""Reviews of hand-made games: one for each kind of remark.

``*`` is a mine of a board; clicks are made at the centres of cells.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given, settings

from analysis.analyse import analyse
from analysis.bots import demo_games
from analysis.errors import ReplayError
from analysis.film import film_of
from analysis.luck import Click, Sort, luck_of
from analysis.recording import Board, Kind, Recording, events_from
from analysis.review import KINDS, Annotation, Reason, Review, Scores, review_of
from analysis.review import Kind as Remark
from analysis.review.review import guess_annotations
from analysis.review.timing import DETOUR_PX, MOST_DETOURS
from tests.effort import amount, examples
from tests.strategies import recordings

L, R, D = "left", "right", "double"
BUTTONS = {
    L: (Kind.LEFT_PRESS, Kind.LEFT_RELEASE),
    R: (Kind.RIGHT_PRESS, Kind.RIGHT_RELEASE),
    D: (Kind.MIDDLE_PRESS, Kind.MIDDLE_RELEASE),
}


def game(board: Sequence[str], clicks: Sequence[tuple[str, tuple[int, int]]], gap_ms: int = 100) -> Recording:
    """Clicks at the centres of cells, ``gap_ms`` apart; ``*`` is a mine."""
    mines = np.array([[cell == "*" for cell in row] for row in board], np.uint8)
    rows = []
    for number, (button, (row, column)) in enumerate(clicks):
        x, y = 16 * column + 8, 16 * row + 8
        rows += [(gap_ms * number, x, y, kind) for kind in (Kind.MOVE, *BUTTONS[button])]
    return Recording("test", "", Board(mines), events_from(rows))


def review(recording: Recording) -> Review:
    analysis = analyse(recording)
    return review_of(analysis, film_of(analysis), luck_of(recording))


def remarks(
    board: Sequence[str], clicks: Sequence[tuple[str, tuple[int, int]]]
) -> list[tuple[Remark, tuple[int, int] | None]]:
    return [(one.kind, one.cell) for one in review(game(board, clicks)).annotations]


@pytest.mark.parametrize(
    ("click", "kind", "reason"),
    [
        ((L, (0, 2)), Remark.WASTED_LEFT, Reason.ON_OPEN),
        ((L, (3, 0)), Remark.WASTED_LEFT, Reason.OUTSIDE),
        ((R, (0, 2)), Remark.WASTED_RIGHT, Reason.ON_OPEN),
        ((R, (3, 0)), Remark.WASTED_RIGHT, Reason.OUTSIDE),
        ((D, (3, 0)), Remark.WASTED_DOUBLE, Reason.OUTSIDE),
        ((D, (0, 0)), Remark.WASTED_DOUBLE, Reason.ON_CLOSED),
        ((D, (0, 2)), Remark.WASTED_DOUBLE, Reason.NOTHING_CLOSED),
        ((D, (0, 1)), Remark.WASTED_DOUBLE, Reason.FLAGS_DIFFER),
    ],
)
def test_wasted_clicks(click: tuple[str, tuple[int, int]], kind: Remark, reason: Reason) -> None:
    """The board  * 1 0 1 * 2 *  of which the first click opens the three cells on the left."""
    (found,) = review(game(["*...*.*"], [(L, (0, 2)), click])).annotations
    assert (found.kind, found.reason) == (kind, reason)


def test_a_click_on_a_flag_and_flags_that_differ() -> None:
    board = ["*..*.", "....."]
    found = review(game(board, [(L, (0, 1)), (R, (0, 0)), (L, (0, 0)), (R, (0, 0)), (D, (0, 1))])).annotations
    reasons = [one.reason for one in found if one.reason]
    assert reasons == [Reason.ON_FLAG, Reason.FLAGS_DIFFER]
    assert [one.kind for one in found if one.reason is None and one.kind is Remark.FLAG_REMOVED] == [
        Remark.FLAG_REMOVED
    ]


def test_flags() -> None:
    board = ["*..*.", "....."]
    found = remarks(board, [(L, (0, 1)), (R, (0, 2)), (R, (0, 0)), (R, (0, 3))])
    assert (Remark.WRONG_FLAG, (0, 2)) in found
    assert (Remark.UNUSED_FLAG, (0, 0)) in found
    assert (Remark.UNUSED_FLAG, (0, 3)) in found
    used = remarks(board, [(L, (0, 1)), (R, (0, 0)), (D, (0, 1))])
    assert Remark.UNUSED_FLAG not in [kind for kind, _cell in used]


def test_a_missed_chord() -> None:
    found = review(game(["*..*.", "....."], [(L, (0, 1)), (R, (0, 0)), (L, (1, 1)), (D, (0, 1))])).annotations
    (missed,) = [one for one in found if one.kind is Remark.MISSED_CHORD]
    assert (missed.cell, missed.cells) == ((1, 1), ((0, 2), (1, 0), (1, 1), (1, 2)))
    alone = review(game(["*..*.", "....."], [(L, (0, 1)), (L, (1, 1))])).annotations  # no flag, no chord
    assert Remark.MISSED_CHORD not in [one.kind for one in alone]


def test_one_and_a_half_clicks() -> None:
    """The flag is set by the press of the right button, which stays down for the chord."""
    rows = [
        (0, 24, 8, Kind.LEFT_PRESS), (10, 24, 8, Kind.LEFT_RELEASE), (20, 8, 8, Kind.RIGHT_PRESS),
        (30, 24, 8, Kind.LEFT_PRESS), (40, 24, 8, Kind.LEFT_RELEASE), (50, 24, 8, Kind.RIGHT_RELEASE),
    ]  # fmt: skip
    mines = np.zeros((2, 5), np.uint8)
    mines[0, 0] = mines[0, 3] = 1
    held = review(Recording("test", "", Board(mines), events_from(rows))).annotations
    assert Remark.ONE_AND_A_HALF in [one.kind for one in held]
    released = [*rows[:3], (25, 8, 8, Kind.RIGHT_RELEASE), (26, 24, 8, Kind.RIGHT_PRESS), *rows[3:]]
    apart = review(Recording("test", "", Board(mines), events_from(released))).annotations
    assert Remark.ONE_AND_A_HALF not in [one.kind for one in apart]


def test_slow_stretches_and_pace() -> None:
    times = [0, 100, 200, 300, 5_300, 5_400]
    rows = [(time, 16 * (3 * n) + 8, 8, kind) for n, time in enumerate(times) for kind in BUTTONS[L]]
    mines = np.zeros((1, 18), np.uint8)
    mines[0, 1::3] = 1  # each click opens one number
    recording = Recording("test", "", Board(mines), events_from(rows))
    found = review(recording)
    (slow,) = [one for one in found.annotations if one.kind is Remark.SLOW]
    assert (slow.time_ms, slow.span_ms, slow.event) == (300, 5_000, 9)
    assert found.scores.pace == luck_of(recording).values["pace"] == pytest.approx(1 - 4_900 / 5_400)


def test_detours() -> None:
    rows = [(0, 8, 8, kind) for kind in BUTTONS[L]]
    rows += [(10, 8, 150, Kind.MOVE), (20, 56, 8, Kind.MOVE), *((20, 56, 8, kind) for kind in BUTTONS[L])]
    rows += [(30, 104, 8, Kind.MOVE), *((30, 104, 8, kind) for kind in BUTTONS[L])]
    mines = np.zeros((10, 10), np.uint8)
    mines[0, 1::3] = mines[1] = 1
    (detour,) = [
        one
        for one in review(Recording("test", "", Board(mines), events_from(rows))).annotations
        if one.kind is Remark.DETOUR
    ]
    way = 142 + float(np.hypot(48, 142))
    assert way - 48 > DETOUR_PX
    assert detour.cell == (0, 3)
    assert detour.ratio == pytest.approx(way / 48)


def detours(ways: Sequence[tuple[int, int]]) -> list[Annotation]:
    """Detours of a game of single clicks in the first row.

    ``ways``: for each click after the first, how many cells it lies to the right of the one before, and how many px the
    cursor goes down and up again on its way there.
    """
    x, time_ms, rows = 8, 100, [(100, 8, 8, kind) for kind in BUTTONS[L]]
    for cells, down_px in ways:
        x, time_ms = x + 16 * cells, time_ms + 100
        back = (time_ms - 50, x - 16 * cells, 8, Kind.MOVE)
        rows += [(time_ms - 60, x - 16 * cells, 8 + down_px, Kind.MOVE), back, (time_ms, x, 8, Kind.MOVE)]
        rows += [(time_ms, x, 8, kind) for kind in BUTTONS[L]]
    mines = np.ones((12, 25), np.uint8)
    mines[0, np.cumsum([0, *(cells for cells, _down in ways)])] = 0
    found = review(Recording("test", "", Board(mines), events_from(rows))).annotations
    return [one for one in found if one.kind is Remark.DETOUR]


def test_of_many_detours_the_worst_are_told_in_the_order_of_the_game() -> None:
    """Seven clicks three cells apart: the two mildest are left out, whenever they happen."""
    down_px = [150, 90, 170, 80, 160, 140, 130]
    found = detours([(3, down) for down in down_px])
    assert [one.ratio for one in found] == pytest.approx([(48 + 2 * down) / 48 for down in (150, 170, 160, 140, 130)])
    assert [one.cell for one in found] == [(0, column) for column in (3, 9, 15, 18, 21)]


@pytest.mark.parametrize(
    ("cells", "down_px", "is_detour"),
    [
        (3, 32, True), (3, 31, False),  # four cells more than the straight way
        (12, 48, True), (12, 47, False),  # one and a half times the straight way
    ],
)  # fmt: skip
def test_how_long_a_detour_is(cells: int, down_px: int, is_detour: bool) -> None:
    assert [one.ratio for one in detours([(cells, down_px)])] == [(16 * cells + 2 * down_px) / (16 * cells)] * is_detour


def guesses(
    board: Sequence[str], clicks: Sequence[tuple[str, tuple[int, int]]]
) -> tuple[list[Annotation], float | None]:
    found = review(game(board, clicks))
    return [one for one in found.annotations if one.risk is not None], found.scores.accuracy


def test_forced_guesses_cost_no_accuracy() -> None:
    """A 1 in the corner of 2x2: the other three cells are alike, then the last two."""
    found, accuracy = guesses(["*.", ".."], [(L, (1, 1)), (L, (0, 1)), (L, (1, 0))])
    assert [one.kind for one in found] == [Remark.BEST_GUESS, Remark.BEST_GUESS]
    assert accuracy == pytest.approx(100)


def test_certain_clicks_are_no_guesses() -> None:
    """The opening shows where the two mines are; the cell between them is safe."""
    found, accuracy = guesses(["......", "......", "*.*..."], [(L, (0, 5)), (L, (2, 1))])
    assert found == []
    assert accuracy == pytest.approx(100)


def test_a_needless_guess_of_one_half() -> None:
    """Under the 1 at (0, 1) of  . 1 * . .  one of its two neighbours is the only mine, so the last two are safe."""
    (guess,), accuracy = guesses(["..*.."], [(L, (0, 1)), (L, (0, 0))])
    assert (guess.kind, guess.risk, guess.rule is not None) == (Remark.NEEDLESS_GUESS, 0.5, True)
    assert accuracy == pytest.approx(50)


def test_a_guess_that_is_worse_than_needed() -> None:
    """Beside the 1 a half; each of the six cells beyond, which hold the other mine, one sixth."""
    (worse,), accuracy = guesses(["*.......*"], [(L, (0, 1)), (L, (0, 2))])
    assert (worse.kind, worse.risk) == (Remark.WORSE_GUESS, 0.5)
    assert worse.least_risk == pytest.approx(1 / 6)
    assert accuracy == pytest.approx(50)
    (best,), accuracy = guesses(["*.......*"], [(L, (0, 1)), (L, (0, 5))])
    assert best.kind is Remark.BEST_GUESS
    assert accuracy == pytest.approx(100)


def test_a_certain_mine() -> None:
    """The 2 between two closed cells that must both be mines."""
    (mine,), accuracy = guesses(["*.*."], [(L, (0, 1)), (L, (0, 0))])
    assert (mine.kind, mine.survived, accuracy) == (Remark.CERTAIN_MINE, False, 50)


def scores(board: Sequence[str], *clicks: tuple[str, tuple[int, int]]) -> Scores:
    return review(game(board, clicks)).scores


def test_the_risk_taken_for_nothing_adds_up() -> None:
    one = scores(["..*.."], (L, (0, 1)), (L, (0, 0)))
    assert one.needless_risk == pytest.approx(1), "a needless guess of one half"
    worse = scores(["*.......*"], (L, (0, 1)), (L, (0, 2)))
    assert worse.needless_risk == pytest.approx(math.log2((5 / 6) / (1 / 2)))
    assert scores(["*.", ".."], (L, (1, 1)), (L, (0, 1)), (L, (1, 0))).needless_risk == 0, "no cell was safer"
    assert scores(["*.*."], (L, (0, 1)), (L, (0, 0))).needless_risk is None, "a certain mine"


def test_guesses_of_the_first_two_seconds_are_no_misreads() -> None:
    board, clicks = ["..*.."], [(L, (0, 1)), (L, (0, 0))]
    early = review(game(board, clicks)).scores
    assert (early.opening_guesses, early.misreads) == (1, 0)
    late = review(game(board, clicks, gap_ms=2_000)).scores
    assert (late.opening_guesses, late.misreads) == (0, 1)
    assert early.accuracy == late.accuracy


def test_accuracy_is_a_share_and_the_outcome_plays_no_part() -> None:
    """Two needless guesses of one half, on both sides of a board with a mine on each."""
    board, clicks = ["..*...*.."], [(L, (0, 1)), (L, (0, 0)), (L, (0, 7)), (L, (0, 8))]
    found, accuracy = guesses(board, clicks)
    assert len(found) >= 2
    avoidable = [one for one in found if one.kind is not Remark.BEST_GUESS]
    assert accuracy == pytest.approx(100 * (1 - len(avoidable) / len(clicks)))
    (lost,), accuracy = guesses(["..*.."], [(L, (0, 1)), (L, (0, 2))])
    assert (lost.kind, lost.survived) == (Remark.NEEDLESS_GUESS, False)
    assert accuracy == pytest.approx(50)
    (unlucky,), accuracy = guesses(["*.", ".."], [(L, (1, 1)), (L, (0, 0))])
    assert (unlucky.kind, unlucky.survived) == (Remark.BEST_GUESS, False)
    assert accuracy == pytest.approx(100)


def test_how_much_worse_a_guess_may_be() -> None:
    """A guess up to two hundredths riskier counts as best; a certain mine is worse than needless, of either sort."""

    def kinds(sort: Sort, risk: float) -> list[Remark]:
        click = Click(0, 0, (0, 0), ((0, 0),), chord=False, survived=True, sort=sort, risk=risk, least_risk=0.25)
        return [one.kind for one in guess_annotations([click])]

    assert kinds(Sort.GUESS, 0.27) == [Remark.BEST_GUESS]
    assert kinds(Sort.GUESS, 0.2701) == kinds(Sort.GUESS, 0.29) == [Remark.WORSE_GUESS]
    assert kinds(Sort.NEEDLESS, 0.26) == [Remark.NEEDLESS_GUESS]
    assert kinds(Sort.NEEDLESS, 1.0) == kinds(Sort.GUESS, 1.0) == [Remark.CERTAIN_MINE]
    assert kinds(Sort.FIRST, 0.25) == kinds(Sort.CERTAIN, 0.0) == []


@pytest.mark.parametrize(
    ("gaps_ms", "slow"),
    [
        ((100, 100, 1_000), []), ((100, 100, 1_001), [1_001]),  # never under a second
        ((400, 400, 1_600), []), ((400, 400, 1_601), [1_601]),  # four times the usual gap
        ((5_000,), []),  # one gap is the usual one
    ],
)  # fmt: skip
def test_what_is_slow(gaps_ms: tuple[int, ...], slow: list[int]) -> None:
    times = list(accumulate(gaps_ms, initial=0))
    rows = [(time, 16 * 3 * number + 8, 8, kind) for number, time in enumerate(times) for kind in BUTTONS[L]]
    mines = np.zeros((1, 18), np.uint8)
    mines[0, 1::3] = 1
    found = review(Recording("test", "", Board(mines), events_from(rows))).annotations
    assert [one.span_ms for one in found if one.kind is Remark.SLOW] == slow


#: A game for each kind of remark, whose last click makes it.
GAMES: dict[Remark, tuple[Sequence[str], Sequence[tuple[str, tuple[int, int]]]]] = {
    Remark.CERTAIN_MINE: (["*.*."], [(L, (0, 1)), (L, (0, 0))]),
    Remark.NEEDLESS_GUESS: (["..*.."], [(L, (0, 1)), (L, (0, 0))]),
    Remark.WORSE_GUESS: (["*.......*"], [(L, (0, 1)), (L, (0, 2))]),
    Remark.BEST_GUESS: (["*.......*"], [(L, (0, 1)), (L, (0, 5))]),
    Remark.WASTED_LEFT: (["*.."], [(L, (0, 1)), (L, (0, 1))]),
    Remark.WASTED_RIGHT: (["*.."], [(L, (0, 1)), (R, (0, 1))]),
    Remark.WASTED_DOUBLE: (["*.."], [(L, (0, 1)), (D, (0, 1))]),
    Remark.WRONG_FLAG: (["*.."], [(L, (0, 1)), (R, (0, 2))]),
    Remark.FLAG_REMOVED: (["*.."], [(L, (0, 1)), (R, (0, 0)), (R, (0, 0))]),
    Remark.UNUSED_FLAG: (["*.."], [(L, (0, 1)), (R, (0, 0))]),
    Remark.MISSED_CHORD: (["*..*.", "....."], [(L, (0, 1)), (R, (0, 0)), (L, (1, 1))]),
}
#: Kinds that need more than whole clicks at even times; each has a test of its own above.
ELSEWHERE = {Remark.SLOW, Remark.DETOUR, Remark.ONE_AND_A_HALF}


def test_every_kind_is_tried() -> None:
    assert set(GAMES) | ELSEWHERE == set(KINDS)


@pytest.mark.parametrize("kind", GAMES)
def test_every_kind_has_its_game(kind: Remark) -> None:
    board, clicks = GAMES[kind]
    assert kind in [one for one, _cell in remarks(board, clicks)]
    assert kind not in [one for one, _cell in remarks(board, clicks[:-1])]


def test_a_missed_chord_saves_at_least_one_click() -> None:
    """One closed cell beside the number: the chord would be no better; a wrong flag: it would open a mine."""
    one_left = remarks(["*..", "***"], [(L, (0, 1)), (R, (0, 0)), (R, (1, 0)), (R, (1, 1)), (R, (1, 2)), (L, (0, 2))])
    assert Remark.MISSED_CHORD not in [kind for kind, _cell in one_left]
    wrong = remarks(["*..*.", "....."], [(L, (0, 1)), (R, (1, 0)), (L, (1, 1))])
    assert Remark.MISSED_CHORD not in [kind for kind, _cell in wrong]


@settings(max_examples=examples(300), deadline=None)
@given(recordings())
def test_any_recording(recording: Recording) -> None:
    """Counts agree with those of the game; every remark points at an event of it; times rise."""
    try:
        analysis = analyse(recording)
    except ReplayError:
        return
    _check(recording, review_of(analysis, film_of(analysis), luck_of(recording, max_seconds=2)))


def test_games_of_bots() -> None:
    for recording in demo_games(7, amount(long=120, usual=12), until=datetime(2026, 1, 1, tzinfo=UTC)):
        _check(recording, review(recording))


def _check(recording: Recording, found: Review) -> None:
    analysis = analyse(recording)
    game_, notes = analysis.game, found.annotations
    count = {kind: sum(one.kind is kind for one in notes) for kind in KINDS}
    assert count[Remark.WASTED_LEFT] == game_.lcl - game_.lce
    assert count[Remark.WASTED_DOUBLE] == game_.dcl - game_.dce
    assert count[Remark.WASTED_RIGHT] == game_.rcl - game_.rce
    assert count[Remark.DETOUR] <= MOST_DETOURS
    assert [one.time_ms for one in notes] == sorted(one.time_ms for one in notes)
    assert all(one.event <= game_.end_index for one in notes)
    assert all(_inside(one, recording.board) for one in notes)
    pace = found.scores.pace
    assert pace is None or 0 <= pace <= 1
    luck = luck_of(recording)
    assert not luck.clicks or luck.values["pace"] == pace


def _inside(one: Annotation, board: Board) -> bool:
    cells = [*one.cells, *([] if one.cell is None else [one.cell])]
    return all(0 <= row < board.rows and 0 <= column < board.columns for row, column in cells)
