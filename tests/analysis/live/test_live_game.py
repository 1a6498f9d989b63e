"""A live game equals the replay of its recording, after every event; and whatever a client sends ends in ``LiveError``."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import formats
from analysis.analyse import analyse
from analysis.board import BoardFacts, board_facts
from analysis.bots import DEMO_PROFILES, play_game
from analysis.click_machine import Result, play, walk_of
from analysis.formats import rawvf
from analysis.kernels import click_machine as kernels
from analysis.kernels.live import SHOWN_QUESTION
from analysis.limits import MAX_EVENTS, MAX_TIME_MS
from analysis.live import Advance, Counts, LiveError, LiveGame
from analysis.live.live_game import KINDS, MAX_BUTTONS, MAX_MOVES
from analysis.luck import snapshot_at
from analysis.probability import CLOSED, FLAG
from analysis.recording import LEVEL_SHAPES, Board, EventArray, Kind, Level, Mode, Recording, events_from
from tests.effort import amount, examples
from tests.strategies import Event, boards

CORNER = Board(np.array([[1, 0, 0], [0, 0, 0], [0, 0, 0]], np.uint8))
STEP_MS = 100
LEVELS = (Level.BEGINNER, Level.INTERMEDIATE, Level.EXPERT)


def feed_with(game: LiveGame, events: Any, board: Board) -> Advance:
    """Feed, and lay ``board`` when it is asked for; faces of both steps together."""
    step = game.feed(events)
    if step.needs_board is None:
        return step
    laid = game.lay(board)
    faces = dict(zip(step.cells.tolist(), step.faces.tolist(), strict=True))
    faces.update(zip(laid.cells.tolist(), laid.faces.tolist(), strict=True))
    cells = np.array(sorted(faces), np.int32)
    shown = np.array([faces[cell] for cell in cells.tolist()], np.uint8)
    return Advance(cells, shown, laid.needs_board, laid.result, laid.deciding_event)


def replayed(recording: Recording, facts: BoardFacts, count: int) -> tuple[Counts, int, int]:
    """Counts after ``count`` events of a replay, and the positions of the opening and of the deciding event."""
    cut = replace(recording, events=recording.events[:count].copy())
    tally = walk_of(cut, facts).tally
    return Counts._make(tally[: len(Counts._fields)].tolist()), int(tally[kernels.START]), int(tally[kernels.END])


def assert_live_is_replay(recording: Recording, sizes: list[int]) -> LiveGame:
    """Feed the events of ``recording`` in chunks of ``sizes``, over and over, and compare after each."""
    facts = board_facts(recording.board)
    board = recording.board
    game = LiveGame(board.rows, board.columns, recording.cell_px, question_marks=recording.question_marks)
    picture = game.shown()
    done = 0
    for number in range(len(recording.events)):
        size = sizes[number % len(sizes)]
        chunk = recording.events[done : done + size]
        step = feed_with(game, chunk if number % 2 else chunk.tolist(), board)
        if len(chunk) == 0:
            break
        buttons = bool((chunk["kind"] != Kind.MOVE).any())
        done += len(chunk)
        picture.flat[step.cells] = step.faces
        assert len(set(step.cells.tolist())) == len(step.cells)
        if not buttons:
            assert len(step.cells) == 0
            continue
        counts, start, end = replayed(recording, facts, done)
        assert game.counts._replace(rce_strict=0) == counts._replace(rce_strict=0)
        assert game.opening_event == (start if start >= 0 else None)
        assert step.deciding_event == (end if end >= 0 else None)
        if start >= 0:  # a right flag is known as such when there are mines
            assert game.counts == counts
        expected = snapshot_at(recording, done).shown
        assert np.array_equal(game.shown(), expected)
        assert np.array_equal(picture, expected)
        if end >= 0:
            assert step.result is not None
            break
    return game


# --- bot games --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", range(4))
def test_bot_games(part: int) -> None:
    """Fed in chunks of any size, written, read back and analysed: equal in every value of the registry."""
    for number in range(part, amount(long=1_000, usual=48, short=24), 4):
        rng = np.random.default_rng(number)
        profile = DEMO_PROFILES[number % len(DEMO_PROFILES)]
        bot = play_game(profile, LEVELS[number // 4 % 3], "NF" if number % 8 < 3 else "FL", number)
        sizes = [1] if number % 6 == 0 else rng.integers(1, 60, 10).tolist()
        game = assert_live_is_replay(bot, sizes)
        recording = game.recording(player="Bot", played_at=None)
        read = analyse(formats.read(rawvf.write(recording)))
        truth = analyse(bot)
        assert read.values == truth.values
        assert read.game == truth.game if game.result else read.game.result is Result.UNFINISHED
        assert read.game_hash == truth.game_hash
        assert [finding.code for finding in read.findings] == ([] if game.result else ["unfinished"])
        assert game.span_ms == read.game.time_ms
        assert game.result == (None if truth.game.result is Result.UNFINISHED else truth.game.result)
        assert game.bv == truth.facts.bv
        assert game.findings() == []


# --- any games --------------------------------------------------------------------------------------------------------


@st.composite
def live_recordings(draw: st.DrawFn) -> Recording:
    """Buttons in any order, mostly on a few cells, some outside; a flag before the first opening is common."""
    board = draw(boards(max_side=7))
    cell_px = draw(st.sampled_from((1, 16, 255)))
    few = draw(st.lists(st.tuples(st.integers(-1, board.rows), st.integers(-1, board.columns)), min_size=1, max_size=5))
    kinds = st.sampled_from((*sorted(KINDS), Kind.LEFT_PRESS, Kind.LEFT_RELEASE, Kind.RIGHT_PRESS, Kind.RIGHT_RELEASE))
    acts = draw(st.lists(st.tuples(st.sampled_from(few), kinds, st.integers(0, 90)), min_size=1, max_size=60))
    times = accumulate(20 + gap for _, _, gap in acts)
    rows = [
        (time_ms, column * cell_px + cell_px // 2, row * cell_px + cell_px // 2, kind)
        for time_ms, ((row, column), kind, _) in zip(times, acts, strict=True)
    ]
    return Recording("test", "", board, events_from(rows), cell_px=cell_px, question_marks=draw(st.booleans()))


@pytest.mark.long(beside="tests/analysis/live/test_live_game.py::test_bot_games")
@given(live_recordings(), st.lists(st.integers(1, 9), min_size=1, max_size=5))
@settings(max_examples=examples(1_000))
def test_any_games(recording: Recording, sizes: list[int]) -> None:
    game = assert_live_is_replay(recording, sizes)
    if game.board is None:
        return
    live, truth = game.recording(player="", played_at=None), play(recording, board_facts(recording.board))
    assert play(live, board_facts(live.board)) == truth
    assert analyse(formats.read(rawvf.write(live))).game == truth


# --- situations -------------------------------------------------------------------------------------------------------


def script(text: str) -> list[Event]:
    """Events ``STEP_MS`` apart from "code row column"; row and column 3 are outside a board of 3x3."""
    codes = {
        "mv": Kind.MOVE, "lc": Kind.LEFT_PRESS, "lr": Kind.LEFT_RELEASE, "rc": Kind.RIGHT_PRESS,
        "rr": Kind.RIGHT_RELEASE, "mc": Kind.MIDDLE_PRESS, "mr": Kind.MIDDLE_RELEASE, "sc": Kind.SHIFT_LEFT_PRESS,
        "mt": Kind.MARKS_TOGGLE,
    }  # fmt: skip
    words = text.split()
    return [
        (STEP_MS * number, 16 * int(column) + 8, 16 * int(row) + 8, codes[code])
        for number, (code, row, column) in enumerate(zip(words[::3], words[1::3], words[2::3], strict=True))
    ]


def live(text: str, *, marks: bool = False) -> tuple[LiveGame, Advance]:
    game = LiveGame(3, 3, 16, question_marks=marks)
    return game, game.feed(script(text))


def faces(step: Advance) -> dict[int, int]:
    return dict(zip(step.cells.tolist(), step.faces.tolist(), strict=True))


def test_the_board_is_asked_for_at_the_first_release_that_opens() -> None:
    game, step = live("mv 2 2 lc 1 1")
    assert (step.needs_board, game.opening_event, game.bv, game.mines_left) == (None, None, None, None)
    step = game.feed([(STEP_MS * 2, 24, 24, Kind.LEFT_RELEASE)])
    assert (step.needs_board, step.cells.tolist()) == (4, [])
    step = game.lay(CORNER)
    assert (faces(step), step.needs_board, step.result) == ({4: 1}, None, None)
    assert (game.opening_event, game.bv, game.mines_left) == (2, 1, 1)


def test_a_first_click_on_a_flag_opens_nothing() -> None:
    game, step = live("rc 1 1 rr 1 1 lc 1 1 lr 1 1")
    assert (step.needs_board, faces(step), game.counts.lcl, game.counts.flags) == (None, {4: FLAG}, 1, 1)
    step = feed_with(game, [(400, 40, 40, Kind.LEFT_PRESS), (450, 40, 40, Kind.LEFT_RELEASE)], CORNER)
    # The flood goes around the flag, which stays.
    assert faces(step) == {1: 1, 2: 0, 3: 1, 5: 0, 6: 0, 7: 0, 8: 0}
    assert (game.counts.flags, step.result, game.mines_left) == (1, None, 0)


def test_flags_and_marks_before_the_first_opening() -> None:
    game, step = live("rc 0 0 rr 0 0 rc 0 1 rr 0 1 rc 0 1 rr 0 1", marks=True)
    assert faces(step) == {0: FLAG, 1: SHOWN_QUESTION}
    assert (game.counts.rcl, game.counts.rce_strict) == (3, 0)
    step = feed_with(game, [(700, 24, 24, Kind.LEFT_PRESS), (750, 24, 24, Kind.LEFT_RELEASE)], CORNER)
    assert (faces(step), game.counts.rce_strict) == ({4: 1}, 1)


def test_a_flag_that_is_taken_back_at_once_changes_nothing() -> None:
    game, step = live("rc 0 0 rr 0 0 rc 0 0 rr 0 0")
    assert (step.cells.tolist(), game.counts.rce) == ([], 2)


def test_events_behind_the_opening_wait_for_the_board() -> None:
    game, step = live("lc 1 1 lr 1 1 rc 0 0 rr 0 0")
    assert step.needs_board == 4
    step = game.feed([(400, 24, 24, Kind.MIDDLE_PRESS), (450, 24, 24, Kind.MIDDLE_RELEASE)])
    assert (step.needs_board, step.cells.tolist()) == (4, [])
    step = game.lay(CORNER)
    assert (step.result, step.deciding_event, game.counts.dce) == (Result.WON, 5, 1)
    assert faces(step) == {0: FLAG, 1: 1, 2: 0, 3: 1, 4: 1, 5: 0, 6: 0, 7: 0, 8: 0}


def test_events_behind_the_end_are_dropped() -> None:
    game, _ = live("lc 2 2 lr 2 2 mv 0 0 rc 0 0")
    step = game.lay(CORNER)
    assert (step.result, step.deciding_event, game.counts.flags) == (Result.WON, 1, 0)
    step = game.feed([(900, 8, 8, Kind.RIGHT_PRESS), (950, 8, 8, Kind.RIGHT_RELEASE)])
    assert (step.cells.tolist(), step.result, len(game.events())) == ([], Result.WON, 2)


def test_a_blast_shows_one_mine() -> None:
    game, _ = live("lc 1 1 lr 1 1 lc 0 0 lr 0 0")
    step = game.lay(CORNER)
    assert (faces(step), step.result) == ({0: 9, 4: 1}, Result.LOST)
    assert game.shown()[0, 0] == 9
    assert (game.shown() == CLOSED).sum() == 7


def test_releases_outside_open_nothing() -> None:
    game, step = live("lc 1 1 lr 3 3 mc 1 1 mr 3 1")
    assert (step.needs_board, step.cells.tolist(), game.counts.lcl, game.counts.dcl) == (None, [], 1, 1)


def test_a_board_is_laid_once_and_fits() -> None:
    game, _ = live("lc 1 1")
    with pytest.raises(ValueError, match="needs no board"):
        game.lay(CORNER)
    game.feed([(100, 24, 24, Kind.LEFT_RELEASE)])
    with pytest.raises(ValueError, match="shape"):
        game.lay(Board(np.zeros((3, 4), np.uint8)))
    game.lay(CORNER)
    with pytest.raises(ValueError, match="needs no board"):
        game.lay(CORNER)


@pytest.mark.parametrize("shape", [(0, 3, 16), (3, 256, 16), (3, 3, 0), (3, 3, 256)], ids=str)
def test_a_game_has_a_possible_shape(shape: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="not from 1"):
        LiveGame(*shape)


def test_callers_cannot_change_the_game_by_what_they_are_given() -> None:
    game, _ = live("lc 1 1")
    game.shown()[:] = 0
    game.events()["time_ms"] = 5
    assert (game.shown() == CLOSED).all()
    assert game.events()["time_ms"].tolist() == [0]


# --- the recording ----------------------------------------------------------------------------------------------------


def won() -> LiveGame:
    game = LiveGame(3, 3, 16)
    game.feed([(1_000 + time_ms, x, y, kind) for time_ms, x, y, kind in script("lc 1 1 lr 1 1 lc 2 2 lr 2 2 mv 0 0")])
    game.lay(CORNER)
    return game


def test_the_clock_of_a_recording_is_0_at_its_first_event() -> None:
    recording = won().recording(player="王", played_at=None, mode=Mode.WIN7, extra={"Game": "x"})
    assert recording.events["time_ms"].tolist() == [0, 100, 200, 300]
    read = formats.read(rawvf.write(recording))
    assert (read.player, read.software, read.mode, read.extra) == ("王", "Sweepbook", Mode.WIN7, {"Game": "x"})
    assert (read.claims.time_ms, read.claims.win, read.claims.bv, read.claims.nf) == (200, True, 1, True)


@pytest.mark.parametrize(
    ("shift_ms", "expected"), [(7, 307), (-7, 293), (-100, 200), (-101, 200), (10**9, MAX_TIME_MS)]
)
def test_the_shift_moves_the_deciding_event_alone(shift_ms: int, expected: int) -> None:
    recording = won().recording(player="", played_at=None, shift_ms=shift_ms)
    assert recording.events["time_ms"].tolist() == [0, 100, 200, expected]
    analysis = analyse(formats.read(rawvf.write(recording)))
    assert (analysis.game.time_ms, analysis.findings) == (expected - 100, ())


def test_a_game_that_runs_can_be_recorded_but_not_shifted() -> None:
    game, _ = live("lc 1 1 lr 1 1")
    with pytest.raises(ValueError, match="without a board"):
        game.recording(player="", played_at=None)
    game.lay(CORNER)
    assert analyse(game.recording(player="", played_at=None)).game.result is Result.UNFINISHED
    with pytest.raises(ValueError, match="no deciding event"):
        game.recording(player="", played_at=None, shift_ms=1)


# --- what is refused --------------------------------------------------------------------------------------------------


def moves(times: list[int], kind: Kind = Kind.MOVE) -> list[Event]:
    return [(time_ms, 5, 5, kind) for time_ms in times]


@pytest.mark.parametrize(
    ("events", "code"),
    [
        ([(-1, 0, 0, 1)], "time"),
        ([(MAX_TIME_MS + 1, 0, 0, 1)], "time"),
        ([(5, 0, 0, 1), (4, 0, 0, 1)], "time_goes_back"),
        ([(0, 32768, 0, 1)], "point"),
        ([(0, 0, -32769, 1)], "point"),
        ([(0, 0, 0, 0)], "kind"),
        ([(0, 0, 0, -1)], "kind"),
        ([(0, 0, 0, 15)], "kind"),
        ([(0, 0, 0, 256 + Kind.LEFT_PRESS)], "kind"),
        *(([(0, 0, 0, int(kind))], "kind") for kind in sorted(set(Kind) - KINDS)),
        ([(2**63 - 1, 0, 0, 1)], "time"),
        ([(2**63, 0, 0, 1)], "format"),
        ([(10**40, 0, 0, 1)], "format"),
        ([(0.5, 0, 0, 1)], "format"),
        ([(True, False, True, True)], "format"),
        ([(0, 0, 1)], "format"),
        ([(0, 0, 0, 1), (0, 0, 1)], "format"),
        ([[[0, 0, 0, 1]]], "format"),
        ([[]], "format"),
        ([0, 0, 0, 1], "format"),
        ("0001", "format"),
        (b"", "format"),
        ("", "format"),
        (None, "format"),
        ({}, "format"),
        (7, "format"),
        ([("0", "0", "0", "1")], "format"),
        ([None], "format"),
        (moves([0] * (MAX_BUTTONS + 1), Kind.LEFT_PRESS), "too_many_buttons"),
        (moves([0] * (MAX_MOVES + 1)), "too_many_moves"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_refused_events_leave_no_trace(events: Any, code: str) -> None:
    game = LiveGame(3, 3, 16)
    with pytest.raises(LiveError) as caught:
        game.feed(events)
    assert caught.value.code == code
    assert str(caught.value).endswith(".")
    assert len(game.events()) == 0
    assert feed_with(game, script("lc 2 2 lr 2 2"), CORNER).result is Result.WON


def test_no_events_are_fine() -> None:
    game = LiveGame(3, 3, 16)
    empty: tuple[Any, ...] = ([], (), np.empty(0, game.events().dtype))
    for nothing in empty:
        assert game.feed(nothing).cells.tolist() == []


@given(st.lists(st.tuples(st.integers(0, 60), st.booleans()), max_size=300))
@settings(max_examples=examples(200))
def test_the_window_slides(steps: list[tuple[int, bool]]) -> None:
    """A press is refused when it and the ``MAX_BUTTONS`` before it lie within a second, however events arrive."""
    game, now, presses = LiveGame(3, 3, 16), 0, []
    for gap, press in steps:
        now += gap
        if press:
            presses.append(now)
        refused = press and len(presses) > MAX_BUTTONS and presses[-1 - MAX_BUTTONS] > now - 1_000
        if refused:
            with pytest.raises(LiveError, match="presses and releases"):
                game.feed(moves([now], Kind.RIGHT_RELEASE))
            return
        game.feed(moves([now], Kind.RIGHT_RELEASE if press else Kind.MOVE))


def test_a_thousand_moves_a_second_are_fine_for_ever() -> None:
    game = LiveGame(3, 3, 16)
    for second in range(10):
        game.feed(moves([1_000 * second + time_ms // 2 for time_ms in range(MAX_MOVES)]))
    with pytest.raises(LiveError, match="moves within"):
        game.feed(moves([9_999]))
    game.feed(moves([10_000]))


def test_a_game_has_an_end_of_events() -> None:
    game = LiveGame(3, 3, 16)
    times = np.arange(MAX_EVENTS, dtype=np.int64) // 2
    events: EventArray = np.zeros(MAX_EVENTS, game.events().dtype)
    events["time_ms"], events["kind"] = times, Kind.MOVE
    game.feed(events)
    with pytest.raises(LiveError) as caught:
        game.feed(moves([MAX_EVENTS]))
    assert caught.value.code == "too_many_events"


NUMBERS = st.integers(-3, 40) | st.sampled_from((2**15, 2**31, 2**32, 2**63, 2**64, -(2**63), -(2**70))) | st.integers()
ANYTHING = st.recursive(
    NUMBERS | st.floats() | st.text(max_size=3) | st.none() | st.booleans() | st.binary(max_size=9),
    lambda inner: st.lists(inner, max_size=5) | st.tuples(inner, inner, inner, inner) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=20,
)  # fmt: skip


@given(st.lists(ANYTHING | st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS), max_size=6), max_size=10))
@settings(max_examples=examples(1_000))
def test_anything_a_client_sends_is_played_or_refused(messages: list[Any]) -> None:
    game = LiveGame(3, 3, 1)
    for message in messages:
        try:
            feed_with(game, message, CORNER)
        except LiveError as error:
            assert error.code in {"format", "time", "time_goes_back", "point", "kind"}  # noqa: PT017
    events = game.events()
    assert (np.diff(events["time_ms"]) >= 0).all()
    if game.board is not None:
        assert play(game.recording(player="", played_at=None), board_facts(CORNER)).lce > 0


def test_levels_are_stated_in_the_header() -> None:
    rows, columns, mines = LEVEL_SHAPES[Level.BEGINNER]
    cells = np.zeros(rows * columns, np.uint8)
    cells[:mines] = 1
    game = LiveGame(rows, columns, 16)
    feed_with(game, script("lc 7 7 lr 7 7"), Board(cells.reshape(rows, columns)))
    assert game.recording(player="", played_at=None).claims.level is Level.BEGINNER
