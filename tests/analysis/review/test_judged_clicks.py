"""Wasted clicks and missed chords against the twin that plays every chord: none is false, none is left out."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from analysis import formats
from analysis.analyse import analyse
from analysis.errors import ReplayError
from analysis.film import film_of
from analysis.recording import Board, Kind, Recording, events_from
from analysis.review.judged_clicks import click_annotations
from tests.analysis.review.naive_review import Remarked, remarks
from tests.effort import amount, examples
from tests.shared_files import REPLAYS, needs_shared, replay_files
from tests.strategies import recordings

COMPARED = {"wasted_left", "wasted_right", "wasted_double", "missed_chord"}
LEFT, RIGHT, RIGHT_UP = (Kind.LEFT_PRESS, Kind.LEFT_RELEASE), Kind.RIGHT_PRESS, Kind.RIGHT_RELEASE


def found(recording: Recording) -> list[Remarked]:
    """Return the remarks of the site."""
    return [
        Remarked(
            one.event, one.kind.value, one.cell, one.reason and one.reason.value,
            len(one.cells) if one.kind.value == "missed_chord" else 0,
        )
        for one in click_annotations(film_of(analyse(recording)))
        if one.kind.value in COMPARED
    ]  # fmt: skip


def played(board: list[str], acts: list[tuple[Kind, int, int]]) -> Recording:
    """Acts (kind, row, column) 10 ms apart; ``*`` is a mine."""
    mines = np.array([[cell == "*" for cell in row] for row in board], np.uint8)
    rows = [(10 * number, 16 * column + 8, 16 * row + 8, kind) for number, (kind, row, column) in enumerate(acts)]
    return Recording("test", "", Board(mines), events_from(rows))


def left(row: int, column: int) -> list[tuple[Kind, int, int]]:
    return [(kind, row, column) for kind in LEFT]


def test_a_click_on_a_zero_that_opens_everything_misses_no_chord() -> None:
    """The 2 at (0, 1) has its flags; its closed neighbours are a number, and two zeros that open it."""
    board = ["*...", "*..."]
    flags = [*left(0, 1), *((kind, row, 0) for row in (0, 1) for kind in (RIGHT, RIGHT_UP))]
    assert found(played(board, [*flags, *left(0, 2)])) == []
    (missed,) = found(played(board, [*flags, *left(1, 1)]))  # it opens itself alone
    assert (missed.kind, missed.cell, missed.cells) == ("missed_chord", (1, 1), 3)


def test_a_click_on_a_zero_that_leaves_a_neighbour_closed_misses_one() -> None:
    """The 1 at (1, 0) is no neighbour of a zero; the chord on the 1 at (0, 1) would have opened it too."""
    acts = [*left(0, 1), (RIGHT, 0, 0), (RIGHT_UP, 0, 0), *left(0, 2)]
    (missed,) = found(played(["*....", "....."], acts))
    assert (missed.kind, missed.cell, missed.cells) == ("missed_chord", (0, 2), 4)


def test_a_right_click_is_where_it_was_pressed() -> None:
    """Pressed on an open cell and released on a closed one, beside the board; and pressed beside it."""
    acts = [
        *left(0, 1), (RIGHT, 0, 1), (RIGHT_UP, 1, 4), (RIGHT, 0, 1), (RIGHT_UP, 7, 7), (RIGHT, 7, 7), (RIGHT_UP, 0, 1),
    ]  # fmt: skip
    recording = played(["*..*.", "....."], acts)
    wanted = [((0, 1), "on_open"), ((0, 1), "on_open"), (None, "outside")]
    assert [(one.cell, one.reason) for one in found(recording)] == wanted
    assert [one.event for one in found(recording)] == [3, 5, 7], "it counts at the release"


@settings(max_examples=examples(600), deadline=None)
@given(recordings())
def test_random_games(recording: Recording) -> None:
    try:
        analyse(recording)
    except ReplayError:
        return
    assert found(recording) == remarks(recording)


def compared(paths: list[Path]) -> dict[str, int]:
    """Count the right remarks of these files, the false and the missing ones."""
    count = dict.fromkeys(("files", "wasted", "chords", "false", "missing"), 0)
    for path in paths:
        try:
            recording = formats.read(path.read_bytes())
            ours = set(found(recording))
        except ReplayError:
            continue
        right = set(remarks(recording))
        chords = sum(one.kind == "missed_chord" for one in right)
        count["files"] += 1
        count["chords"] += chords
        count["wasted"] += len(right) - chords
        count["false"] += len(ours - right)
        count["missing"] += len(right - ours)
    sys.stdout.write(f"{count}\n")
    return count


@needs_shared
@pytest.mark.shared
def test_some_shared_files() -> None:
    paths = [path for folder in sorted(REPLAYS.glob("*/")) for path in replay_files(folder.name)[::25]]
    count = compared(paths)
    assert (count["false"], count["missing"]) == (0, 0)
    assert count["files"] > len(paths) / 2


@needs_shared
@pytest.mark.shared
@pytest.mark.long(beside="tests/analysis/review/test_judged_clicks.py::test_some_shared_files")
def test_every_shared_file() -> None:
    paths = [path for folder in sorted(REPLAYS.glob("*/")) for path in replay_files(folder.name)]
    paths = paths[:: amount(long=1, usual=3)]
    count = compared(paths)
    assert (count["false"], count["missing"]) == (0, 0)
    assert count["files"] > len(paths) * 0.9
    assert min(count["wasted"], count["chords"]) > 0
