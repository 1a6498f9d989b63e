"""The fingerprint: what changes it and what does not, beside a slow twin; and which games are one play."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from analysis.analyse import analyse
from analysis.errors import ReplayError
from analysis.evidence import Fingerprint
from analysis.evidence.fingerprint import fingerprint_of
from analysis.recording import Board, Kind, Level, Recording, events_from
from tests.analysis.evidence.honest import recording
from tests.effort import examples
from tests.naive_game import NaiveGame, cell_at
from tests.strategies import recordings

LEVELS = (Level.BEGINNER, Level.INTERMEDIATE, Level.EXPERT)


def fingerprint(game: Recording) -> Fingerprint:
    """Return the fingerprint of a game that opens something."""
    found = fingerprint_of(game, analyse(game).game.clicks.astype(np.int64))
    assert found is not None
    return found


# --- what a thief does to a game --------------------------------------------------------------------------------------


def mirrored_down(game: Recording) -> Recording:
    """Rows in the opposite order."""
    events = game.events.copy()
    events["y_px"] = game.board.rows * game.cell_px - 1 - events["y_px"]
    return replace(game, board=Board(game.board.mines[::-1].copy()), events=events)


def turned(game: Recording) -> Recording:
    """Rows for columns."""
    events = game.events.copy()
    events["x_px"], events["y_px"] = game.events["y_px"], game.events["x_px"]
    return replace(game, board=Board(game.board.mines.T.copy()), events=events)


def images(game: Recording) -> Iterator[Recording]:
    """The eight images."""
    for first in (game, turned(game)):
        for second in (first, mirrored_down(first)):
            yield second
            yield turned(mirrored_down(turned(second)))  # columns in the opposite order


def with_times(game: Recording, change: Callable[[np.ndarray], np.ndarray]) -> Recording:
    events = game.events.copy()
    events["time_ms"] = change(events["time_ms"])
    return replace(game, events=events)


def jittered(game: Recording, random: np.random.Generator) -> Recording:
    """Every point anywhere inside its cell."""
    events = game.events.copy()
    for axis in ("x_px", "y_px"):
        inside = random.integers(0, game.cell_px, len(events))
        events[axis] = events[axis] // game.cell_px * game.cell_px + inside
    return replace(game, events=events)


def without_moves(game: Recording) -> Recording:
    return replace(game, events=game.events[game.events["kind"] != Kind.MOVE])


def with_a_flag_to_and_fro(game: Recording, random: np.random.Generator) -> Recording:
    """A closed cell is flagged and cleared again, between a release and the press behind it."""
    kinds = game.events["kind"]
    gaps = np.flatnonzero((kinds[:-1] == Kind.LEFT_RELEASE) & (kinds[1:] == Kind.MOVE))
    at = int(random.choice(gaps)) + 1
    mine = np.argwhere(game.board.mines)[int(random.integers(game.board.mine_count))]
    y_px, x_px = (int(place) * game.cell_px + 5 for place in mine)
    time_ms = int(game.events["time_ms"][at])
    toggle = [(time_ms, x_px, y_px, Kind.RIGHT_PRESS), (time_ms, x_px, y_px, Kind.RIGHT_RELEASE)]
    added = events_from(toggle * 2)
    return replace(game, events=np.concatenate((game.events[:at], added, game.events[at:])))


# --- invariance -------------------------------------------------------------------------------------------------------


def same_but_offsets(a: Fingerprint, b: Fingerprint) -> bool:
    return replace(a, offsets=b.offsets) == b


@given(recordings(legal=True))
@settings(max_examples=examples(100))
def test_the_eight_images_of_a_game_have_one_fingerprint(game: Recording) -> None:
    try:
        first = fingerprint(game)
    except ReplayError:
        assume(False)
    assert {fingerprint(image) for image in images(game)} == {first}


@pytest.mark.parametrize("level", LEVELS)
def test_the_eight_images_of_a_whole_game_have_one_fingerprint(level: Level) -> None:
    assert len({fingerprint(image) for image in images(recording("avf", level))}) == 1


@pytest.mark.parametrize("level", LEVELS)
@given(factor=st.floats(0.5, 2), seed=st.integers(1, 4))
@settings(max_examples=examples(20))
def test_scaled_and_shifted_times_change_nothing_but_the_rhythm(level: Level, factor: float, seed: int) -> None:
    game = recording("avf", level, seed)
    forged = with_times(game, lambda times: np.rint(times * factor).astype(np.int32) + 17)
    assert replace(fingerprint(forged), rhythm=b"") == replace(fingerprint(game), rhythm=b"")


@pytest.mark.parametrize("level", LEVELS)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=examples(15))
def test_jitter_inside_the_cells_changes_the_offsets_alone(level: Level, seed: int) -> None:
    game = recording("avf", level)
    forged = jittered(game, np.random.default_rng(seed))
    assert same_but_offsets(fingerprint(forged), fingerprint(game))


@pytest.mark.parametrize("level", LEVELS)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=examples(15))
def test_moves_names_and_needless_flags_change_nothing(level: Level, seed: int) -> None:
    game = recording("avf", level)
    first = fingerprint(game)
    assert fingerprint(without_moves(game)) == first
    assert fingerprint(replace(game, player="Bob", player_bytes=b"Bob", format="rmv", software="x")) == first
    forged = with_a_flag_to_and_fro(game, np.random.default_rng(seed))
    assert len(forged.events) == len(game.events) + 4
    assert fingerprint(forged) == first


def test_another_size_of_cells_changes_nothing() -> None:
    game = recording("rmv 2")
    events = game.events.copy()
    events["x_px"], events["y_px"] = events["x_px"] * 2, events["y_px"] * 2
    first, other = fingerprint(game), fingerprint(replace(game, events=events, cell_px=32))
    assert same_but_offsets(other, first)


@pytest.mark.parametrize("level", [Level.INTERMEDIATE, Level.EXPERT])
def test_a_cut_copy_begins_alike(level: Level) -> None:
    game = recording("avf", level)
    whole = fingerprint(game)
    assert whole.clicks_start is not None
    cut = fingerprint(replace(game, events=game.events[: len(game.events) * 19 // 20]))
    assert cut.clicks != whole.clicks
    assert cut.clicks_start == whole.clicks_start


# --- difference -------------------------------------------------------------------------------------------------------


def clicks(
    board: Board, cells: list[tuple[int, int]], *, step_ms: int = 100, at: tuple[int, int] = (8, 8)
) -> Recording:
    """A game of left clicks, one every ``step_ms``."""
    events = [
        (step_ms * number, 16 * column + at[0], 16 * row + at[1], kind)
        for number, (row, column) in enumerate(cells)
        for kind in (Kind.LEFT_PRESS, Kind.LEFT_RELEASE)
    ]
    return Recording(format="test", format_variant="", board=board, events=events_from(events))


def board_of(*rows: str) -> Board:
    return Board(np.array([[sign == "*" for sign in row] for row in rows], np.uint8))


#: Mines in every second column but the last, so that no click opens more than its cell.
COMB = board_of(*["*.*.*.*.*.*."] * 6)
SAFE = [(row, column) for column in (1, 3, 5, 7, 9) for row in range(6)]


@given(st.permutations(SAFE), st.permutations(SAFE))
@settings(max_examples=examples(100))
def test_another_order_is_another_fingerprint(first: list[tuple[int, int]], second: list[tuple[int, int]]) -> None:
    a, b = fingerprint(clicks(COMB, first)), fingerprint(clicks(COMB, second))
    assert (a.clicks == b.clicks) == mirrored(first, second)


def mirrored(first: list[tuple[int, int]], second: list[tuple[int, int]]) -> bool:
    """Return whether a mirroring of a board of 6 by 12, or none, takes ``second`` to ``first``."""
    flips = [(down, right) for down in (False, True) for right in (False, True)]
    return any([(5 - r if down else r, 11 - c if right else c) for r, c in second] == first for down, right in flips)


def test_a_click_on_the_same_cells_of_another_size_is_another() -> None:
    other = board_of(*["*.*.*.*.*.*.*"] * 6)
    assert fingerprint(clicks(COMB, SAFE[:5])).clicks != fingerprint(clicks(other, SAFE[:5])).clicks


def test_a_chord_is_not_a_click() -> None:
    board = board_of("*..", "...", "...")
    points = {"left": [Kind.LEFT_PRESS, Kind.LEFT_RELEASE], "middle": [Kind.MIDDLE_PRESS, Kind.MIDDLE_RELEASE]}
    flag = [(50, 8, 8, Kind.RIGHT_PRESS), (50, 8, 8, Kind.RIGHT_RELEASE)]

    def game(second: str, at: int) -> Recording:
        first = [(0, 24, 24, kind) for kind in points["left"]]
        return Recording(
            format="test", format_variant="", board=board,
            events=events_from([*first, *flag, *((90, at, at, kind) for kind in points[second])]),
        )  # fmt: skip

    assert fingerprint(game("middle", 24)).clicks != fingerprint(game("left", 40)).clicks


def test_no_opened_cell_no_fingerprint() -> None:
    """Such games cannot even be analysed, so the fingerprint of every analysed game exists."""
    with pytest.raises(ReplayError):
        analyse(clicks(COMB, []))


# --- the twin ---------------------------------------------------------------------------------------------------------


def opening_clicks_slowly(game: Recording) -> list[tuple[int, int, int]]:
    """(chord, row, column) of the events after which more cells are open than before."""
    naive = NaiveGame(game.board, game.question_marks, game.helps)
    found = []
    for event in game.events.tolist():
        opened, chords = len(naive.opened), naive.dce
        at = cell_at(game, event[1], event[2])
        naive.event(Kind(event[3]), at)
        if len(naive.opened) > opened:
            assert at is not None
            found.append((int(naive.dce > chords), *at))
        if naive.over():
            break
    return found


def smallest_image_slowly(game: Recording) -> tuple[bytes, bytes]:
    """The smallest text of the clicks, and the smallest of the mines, over the eight images."""
    found = opening_clicks_slowly(game)
    rows, columns = game.board.rows, game.board.columns
    click_texts, mine_texts = [], []
    for down in (False, True):
        for right in (False, True):
            for turn in (False, True):

                def place(
                    row: int, column: int, flips: tuple[bool, bool, bool] = (down, right, turn)
                ) -> tuple[int, int]:
                    row = rows - 1 - row if flips[0] else row
                    column = columns - 1 - column if flips[1] else column
                    return (column, row) if flips[2] else (row, column)

                size = bytes([columns, rows] if turn else [rows, columns])
                click_texts.append(
                    size + b"".join(bytes([0, chord, *place(row, column)]) for chord, row, column in found)
                )
                mines = {place(int(row), int(column)) for row, column in np.argwhere(game.board.mines)}
                bits = "".join(str(int((row, column) in mines)) for row in range(size[0]) for column in range(size[1]))
                packed = [int(bits[begin : begin + 8].ljust(8, "0"), 2) for begin in range(0, len(bits), 8)]
                mine_texts.append(size + bytes(packed))
    both = min(a + b for a, b in zip(click_texts, mine_texts, strict=True))
    return both, min(mine_texts)


def check_against_the_twin(game: Recording) -> None:
    found = opening_clicks_slowly(game)
    both, mines = smallest_image_slowly(game)
    text = both[: 2 + 4 * len(found)]
    start = 20 if game.board.level in (Level.BEGINNER, Level.BEGINNER_9X9) else 30
    ours = fingerprint(game)
    assert ours.opening_clicks == len(found)
    assert ours.clicks == hashlib.sha256(b"clicks-1\0" + text).digest()[:16]
    assert ours.clicks_on_board == hashlib.sha256(b"clicks-on-board-1\0" + both).digest()[:16]
    assert ours.board == hashlib.sha256(b"board-1\0" + mines).digest()[:16]
    long = len(found) >= start
    assert ours.clicks_start == (hashlib.sha256(b"start-1\0" + text[: 2 + 4 * start]).digest()[:16] if long else None)


@given(recordings(legal=True))
@settings(max_examples=examples(100))
def test_it_equals_the_slow_twin(game: Recording) -> None:
    try:
        check_against_the_twin(game)
    except ReplayError:
        assume(False)


@pytest.mark.parametrize("level", LEVELS)
def test_it_equals_the_slow_twin_on_a_whole_game(level: Level) -> None:
    check_against_the_twin(recording("rmv 1", level))
