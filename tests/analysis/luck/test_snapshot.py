"""Snapshots of a recording against the naive game, event by event."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from analysis.luck import luck_of, snapshot_at
from analysis.luck.snapshot import events_until
from analysis.recording import Kind, Recording
from tests.analysis.luck.test_luck import board, game
from tests.analysis.test_game_twin import playable_kinds, random_kinds, recordings
from tests.effort import examples
from tests.naive_game import NaiveGame, cell_at
from tests.replays.games import recording as bot_game


def letters(played: NaiveGame) -> list[str]:
    def letter(cell: tuple[int, int]) -> str:
        if cell in played.opened:
            return "*" if played.is_mine(cell) else str(played.number(cell))
        return "F" if cell in played.flags else "?" if cell in played.questions else "."

    return [
        "".join(letter((row, column)) for column in range(played.board.columns)) for row in range(played.board.rows)
    ]


@settings(max_examples=examples(80))
@given(recordings(playable_kinds) | recordings(random_kinds))
def test_every_snapshot_is_what_the_naive_game_shows(recording: Recording) -> None:
    played = NaiveGame(recording.board, recording.question_marks, recording.helps)
    assert snapshot_at(recording, 0).rows() == letters(played)
    for index, (_, x, y, kind) in enumerate(recording.events.tolist()):
        if not played.over():
            played.event(Kind(kind), cell_at(recording, x, y))
        snapshot = snapshot_at(recording, index + 1)
        assert snapshot.rows() == letters(played)
        assert (snapshot.position is None) == snapshot.is_lost == played.blasted()


def test_a_position_knows_no_labels() -> None:
    recording = game(board("..", "*."), ("left", 0, 0), ("flag", 0, 1))
    snapshot = snapshot_at(recording, len(recording.events))
    assert snapshot.rows() == ["1F", ".."]
    assert snapshot.position is not None
    assert snapshot.position.numbers.tolist() == [[1, 10], [10, 10]]
    assert snapshot.position.mines == 1


def test_events_until_a_time_count_those_of_that_time() -> None:
    recording = game(board("..", "*."), ("flag", 1, 0), ("left", 0, 0), ("left", 0, 1))  # two events a second
    start = luck_of(recording).clicks[0].event
    assert [events_until(recording, start, time_ms) for time_ms in (-1001, -1000, -1, 0, 999, 1000)] == [
        0,
        2,
        2,
        4,
        4,
        6,
    ]


def test_the_moment_before_a_click_does_not_show_what_it_opens() -> None:
    recording = bot_game(2)
    for click in luck_of(recording).clicks:
        before, after = snapshot_at(recording, click.event), snapshot_at(recording, click.event + 1)
        assert all(before.shown[cell] > 8 and after.shown[cell] <= 8 for cell in click.cells)
        assert np.count_nonzero(before.shown != after.shown) >= len(click.cells)
