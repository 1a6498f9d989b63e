"""Tests of which click opened which cell: against a slow twin."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from analysis.board import board_facts
from analysis.click_machine import walk_of
from analysis.kernels.walk import CELL, CHORD, EVENT_PLACE, NEVER
from analysis.recording import Kind, Recording
from tests.effort import examples
from tests.heavy import heavy_game
from tests.naive_game import NaiveGame, cell_at
from tests.strategies import recordings


def opening_clicks_slowly(game: Recording) -> tuple[list[tuple[int, int, int]], list[list[int]]]:
    """The table of clicks, and the click of every cell, from the sets of open cells before and after each event."""
    naive = NaiveGame(game.board, game.question_marks, game.helps)
    clicks: list[tuple[int, int, int]] = []
    opened_by = [[NEVER] * game.board.columns for _ in range(game.board.rows)]
    for place, event in enumerate(game.events.tolist()):
        before, chords = set(naive.opened), naive.dce
        at = cell_at(game, event[1], event[2])
        naive.event(Kind(event[3]), at)
        if new := naive.opened - before:
            assert at is not None
            for row, column in new:
                opened_by[row][column] = len(clicks)
            clicks.append((place, at[0] * game.board.columns + at[1], int(naive.dce > chords)))
        if naive.over():
            break
    return clicks, opened_by


def check_against_the_twin(game: Recording) -> None:
    walk = walk_of(game, board_facts(game.board))
    clicks, opened_by = walk.clicks, walk.opened_by
    slow_clicks, slow_opened_by = opening_clicks_slowly(game)
    assert [tuple(row) for row in clicks[:, [EVENT_PLACE, CELL, CHORD]].tolist()] == slow_clicks
    assert opened_by.tolist() == slow_opened_by


@given(recordings())
@settings(max_examples=examples(300))
def test_it_equals_the_slow_twin(game: Recording) -> None:
    check_against_the_twin(game)


def test_it_equals_the_slow_twin_on_long_games_full_of_flags_and_chords() -> None:
    """Flags in the way of floods, and chords beside openings that were stopped by flags which are gone since."""
    from tests.analysis.test_game_twin import playable_kinds, random_recording

    for seed in range(examples(300)):
        check_against_the_twin(random_recording(seed, 150, playable_kinds))


def test_the_heavy_game_has_the_clicks_that_it_promises() -> None:
    game = heavy_game(100)
    walk = walk_of(game, board_facts(game.board))
    assert len(walk.clicks) == 100
    assert np.count_nonzero(walk.opened_by != NEVER) == 100
