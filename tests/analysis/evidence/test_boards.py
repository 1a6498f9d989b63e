"""Boards that chance does not lay."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.board import board_facts
from analysis.evidence import boards
from analysis.evidence.boards import _likely, board_findings
from analysis.recording import LEVEL_SHAPES, Board, Level
from tests.effort import LONG, amount

LEVELS = (Level.BEGINNER, Level.BEGINNER_9X9, Level.INTERMEDIATE, Level.EXPERT)


def is_unlikely(board: Board) -> bool:
    return any(board_findings(board, board_facts(board).bv))


def board_in(level: Level, rows: slice, columns: slice, source: np.random.Generator) -> Board:
    """Return a board with all mines in one part of it."""
    height, width, mines = LEVEL_SHAPES[level]
    places = np.argwhere(np.ones((height, width)))
    inside = np.zeros((height, width), np.bool_)
    inside[rows, columns] = True
    chosen = source.choice(places[inside.ravel()], mines, replace=False)
    laid = np.zeros((height, width), np.uint8)
    laid[tuple(chosen.T)] = 1
    return Board(laid)


@pytest.mark.parametrize("level", LEVELS)
def test_boards_of_chance_are_likely(level: Level) -> None:
    """At most two of 80,000 a level (EFFORT=long)."""
    source = np.random.default_rng(5)
    height, width, mines = LEVEL_SHAPES[level]
    unlikely = 0
    for _ in range(amount(long=80_000, usual=500)):
        laid = np.zeros(height * width, np.uint8)
        laid[source.choice(height * width, mines, replace=False)] = 1
        unlikely += is_unlikely(Board(laid.reshape(height, width)))
    assert unlikely <= 2 * LONG


@pytest.mark.parametrize(
    ("level", "rows", "columns"),
    [
        (Level.EXPERT, slice(None), slice(0, 15)), (Level.EXPERT, slice(8, 16), slice(None)),
        (Level.INTERMEDIATE, slice(0, 8), slice(None)), (Level.INTERMEDIATE, slice(8, 16), slice(0, 8)),
        (Level.EXPERT, slice(0, 8), slice(0, 15)), (Level.BEGINNER, slice(4, 8), slice(4, 8)),
        (Level.BEGINNER_9X9, slice(0, 4), slice(0, 4)),
    ],
)  # fmt: skip
def test_mines_in_a_half_or_a_quarter_are_not(level: Level, rows: slice, columns: slice) -> None:
    source = np.random.default_rng(6)
    assert all(is_unlikely(board_in(level, rows, columns, source)) for _ in range(20))


def test_the_bounds_are_those_of_chance() -> None:
    """Both ends of all parts together are rarer than one in a million."""
    source = np.random.default_rng(7)
    for level in LEVELS:
        height, width, mines = LEVEL_SHAPES[level]
        half = height * width // 2
        least, most = _likely(height * width, mines, half)
        drawn = source.hypergeometric(half, height * width - half, mines, 2_000_000)
        assert np.count_nonzero((drawn < least) | (drawn > most)) <= 3
        assert most - least < mines or level in (Level.BEGINNER, Level.BEGINNER_9X9)
    assert boards._TESTS == 2 * (2 + 4), "two halves are the others of the other two"
