"""The six numbers of the hand, and the pass over the events behind them, beside a slow twin."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings

from analysis.analyse import analyse
from analysis.errors import ReplayError
from analysis.evidence import History, evidence_of
from analysis.evidence.hand import Track
from analysis.recording import Board, EventArray, Kind, Level, Recording, events_from
from tests.analysis.evidence.honest import recording
from tests.effort import examples
from tests.strategies import recordings


def history(game: Recording) -> History:
    return evidence_of(analyse(game)).history


def track_slowly(events: EventArray) -> dict[str, object]:
    """The fields of ``Track`` at 16 px a cell, one after the other."""
    rows = [row for row in events.tolist() if row[3] != Kind.PREFLAG]
    times = [row[0] for row in rows]
    pairs = list(itertools.pairwise(rows))
    acts = [(before, row) for before, row in pairs if row[3] != Kind.MOVE]
    left = [row for row in rows if row[3] in (Kind.LEFT_PRESS, Kind.LEFT_RELEASE)]
    holds = [b[0] - a[0] for a, b in itertools.pairwise(left) if (a[3], b[3]) == (2, 3)]
    ends = [
        row
        for row, following in zip(rows, [*rows[1:], None], strict=True)
        if following is None or following[0] != row[0]
    ]
    speeds = [
        math.dist(a[1:3], b[1:3]) / (b[0] - a[0])
        for a, b in itertools.pairwise(ends[:-1])  # the last tick may go on behind the end
        if a[1:3] != b[1:3] and 0 < b[0] - a[0] <= 50
    ]
    return {
        "events": len(rows),
        "equal_steps": sum(a[0] == b[0] for a, b in pairs),
        "acts": len(acts),
        "jumps": sum(a[1:3] != b[1:3] for a, b in acts),
        "holds": len(holds),
        "held_ms": sum(holds),
        "ticks": sorted(set(times)),
        "speeds": speeds,
    }


def check_against_the_twin(game: Recording) -> None:
    analysis = analyse(game)
    track = Track.of(analysis)
    for name, value in track_slowly(game.events[: analysis.game.end_index + 1]).items():
        if isinstance(value, list):
            np.testing.assert_allclose(getattr(track, name), value, err_msg=name)
        else:
            assert getattr(track, name) == value, name


@given(recordings(legal=True))
@settings(max_examples=examples(100))
def test_the_track_equals_the_slow_twin(game: Recording) -> None:
    try:
        check_against_the_twin(replace(game, cell_px=16))
    except ReplayError:
        assume(False)


@pytest.mark.parametrize("form", ["avf", "rmv 2"])
def test_the_track_of_a_whole_game_equals_the_slow_twin(form: str) -> None:
    check_against_the_twin(recording(form))


def test_a_mouse_shows_the_rate_of_its_reports() -> None:
    rate_hz = 124.1
    times = (np.arange(4_000) * 1000 / rate_hz).astype(int).tolist()
    mines = np.zeros((8, 8), np.uint8)
    mines[7, :7] = 1
    rows = [(0, 8, 8, Kind.LEFT_PRESS), *((time, 20 + time % 7, 8, Kind.MOVE) for time in times)]
    events = events_from([*rows, (times[-1], 8, 8, Kind.LEFT_RELEASE)])
    found = history(Recording(format="evf", format_variant="v4", board=Board(mines), events=events))
    assert found.line_hz is not None
    assert found.line_strength is not None
    assert any(abs(found.line_hz - harmonic * rate_hz) < 0.1 for harmonic in (1, 2, 3, 4))
    assert found.line_strength > 100


def test_a_slowed_clock_moves_the_line() -> None:
    game = recording("evf 4", Level.EXPERT)
    events = game.events.copy()
    events["time_ms"] = events["time_ms"] // 8 * 8  # a mouse of 125 Hz
    slowed = events.copy()
    slowed["time_ms"] = np.rint(slowed["time_ms"] * 0.9)
    first, second = history(replace(game, events=events)), history(replace(game, events=slowed))
    assert first.line_hz is not None
    assert second.line_hz is not None
    assert any(abs(first.line_hz - harmonic * 125) < 0.3 for harmonic in (1, 2, 3, 4))
    assert any(abs(second.line_hz - harmonic * 125 / 0.9) < 0.3 for harmonic in (1, 2, 3))


def test_the_other_numbers_of_a_small_game() -> None:
    mines = np.zeros((8, 8), np.uint8)
    mines[7, :7] = mines[5, 3] = 1
    rows = [
        (0, 8, 8, Kind.LEFT_PRESS), (40, 8, 8, Kind.LEFT_RELEASE),
        (50, 20, 8, Kind.MOVE), (50, 24, 8, Kind.MOVE), (80, 30, 8, Kind.LEFT_PRESS), (140, 30, 8, Kind.LEFT_RELEASE),
    ]  # fmt: skip
    found = history(Recording(format="rmv", format_variant="", board=Board(mines), events=events_from(rows)))
    assert found == History(equal_steps=1 / 5, hold_ms=50.0, button_place=1 - 1 / 3)


def test_a_game_of_one_event_has_no_numbers() -> None:
    events = events_from([(0, 8, 8, Kind.MIDDLE_RELEASE), (0, 8, 8, Kind.LEFT_PRESS), (0, 8, 8, Kind.LEFT_RELEASE)])
    board = Board(np.array([[0, 1]], np.uint8))
    found = history(Recording(format="rawvf", format_variant="", board=board, events=events))
    assert (found.line_hz, found.line_strength, found.speed_95_px_per_ms) == (None, None, None)
