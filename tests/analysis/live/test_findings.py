"""Findings of live games: each on a game that earns it, and on its innocent neighbour."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.live import LiveGame
from analysis.recording import Board, Kind
from tests.strategies import Event

# Mines in every second column and row: no zero, so every click opens one cell.
GRID = np.zeros((9, 9), np.uint8)
GRID[1::2, 1::2] = 1
SAFE = [(row, column) for row in range(9) for column in range(9) if not GRID[row, column]]


def codes_of(events: list[Event]) -> list[str]:
    game = LiveGame(9, 9, 16)
    game.feed(events)
    game.lay(Board(GRID))
    return [finding.code for finding in game.findings()]


def clicks(gaps_ms: list[int], *, moved: bool = True, hold_ms: int = 9) -> list[Event]:
    """A click on one safe cell after another, row by row, each so long after the one before."""
    events: list[Event] = []
    now = 0
    for gap_ms, (row, column) in zip(gaps_ms, SAFE, strict=False):
        now += gap_ms
        x, y = 16 * column + 8, 16 * row + 8
        if moved:
            events.append((now, x, y, Kind.MOVE))
        events += [(now, x, y, Kind.LEFT_PRESS), (now + hold_ms, x, y, Kind.LEFT_RELEASE)]
    return events


def uneven(count: int, least_ms: int = 200) -> list[int]:
    return [least_ms + 37 * number % 101 for number in range(count)]


def test_an_ordinary_game_has_none() -> None:
    assert codes_of(clicks(uneven(50))) == []


@pytest.mark.parametrize(("jumps", "codes"), [(3, []), (4, ["live_jumps"])])
def test_presses_away_from_the_mouse(jumps: int, codes: list[str]) -> None:
    events = clicks(uneven(30))
    presses = [number for number, event in enumerate(events) if event[3] == Kind.LEFT_PRESS][5 : 5 + jumps]
    for number in presses:  # the move went to another cell
        time_ms, x, y, kind = events[number - 1]
        events[number - 1] = (time_ms, x, y + 16, kind)
    assert codes_of(events) == codes


@pytest.mark.parametrize(("by_px", "codes"), [(1, []), (2, []), (3, ["live_jumps"])])
def test_a_pixel_of_rounding_is_no_jump(by_px: int, codes: list[str]) -> None:
    events = [
        (time_ms, x + by_px * (kind == Kind.MOVE), y - by_px * (kind == Kind.MOVE), kind)
        for time_ms, x, y, kind in clicks(uneven(30))
    ]
    assert codes_of(events) == codes


@pytest.mark.parametrize(("count", "codes"), [(50, []), (51, ["live_even_steps"])])
def test_equal_intervals(count: int, codes: list[str]) -> None:
    """``count`` presses have one interval less."""
    assert codes_of(clicks([200] * count)) == codes


@pytest.mark.parametrize(("uneven_ones", "codes"), [(6, []), (5, []), (4, ["live_even_steps"])])
def test_more_than_nine_of_ten_intervals_must_be_equal(uneven_ones: int, codes: list[str]) -> None:
    gaps = [200] * 51  # of which the first is before the first press
    gaps[3 : 3 + uneven_ones] = uneven(uneven_ones, least_ms=230)
    assert codes_of(clicks(gaps)) == codes


@pytest.mark.parametrize(("gap_ms", "codes"), [(79, ["live_too_quick"]), (80, [])])
def test_clicks_quicker_than_seeing(gap_ms: int, codes: list[str]) -> None:
    gaps = uneven(20)
    for number in range(1, 8, 2):  # each beside the cell before it in the first row, and beside no other
        gaps[number] = gap_ms
    assert codes_of(clicks(gaps)) == codes


def test_quick_clicks_on_numbers_long_seen_are_fine() -> None:
    """Every second cell of a row first; then those between, quickly: what they need has been there for long."""
    events = clicks(uneven(45))
    first = [event for event in events if event[2] == 8 and event[1] % 32 == 8]
    end_ms = events[-1][0]
    between = [
        (end_ms + 40 * number, 32 * number + 24, 8, kind)
        for number in range(4)
        for kind in (Kind.MOVE, Kind.LEFT_PRESS, Kind.LEFT_RELEASE)
    ]
    assert codes_of([*first, *between]) == []


def test_a_game_without_a_board_has_none() -> None:
    assert LiveGame(3, 3, 16).findings() == []
