"""``analysis.click_machine`` against its slow twin, on playable games and on random events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.board import board_facts
from analysis.click_machine import play
from analysis.errors import Inconsistent
from analysis.recording import Board, Help, Kind, Recording, events_from
from tests import naive_game
from tests.effort import examples, rest_long

LEFT = (Kind.LEFT_PRESS, Kind.LEFT_RELEASE)
RIGHT = (Kind.RIGHT_PRESS, Kind.RIGHT_RELEASE)
MIDDLE = (Kind.MIDDLE_PRESS, Kind.MIDDLE_RELEASE)


def random_board(rng: np.random.Generator) -> Board:
    """Up to 7x7; often with openings and islands, sometimes full of mines, sometimes without."""
    rows, columns = rng.integers(1, 8, 2)
    mines = (rng.random((rows, columns)) < rng.choice([0.0, 0.1, 0.2, 0.3, 0.6])).astype(np.uint8)
    mines.flat[rng.integers(rows * columns)] = 0
    return Board(mines)


def random_kinds(rng: np.random.Generator, length: int) -> list[Kind]:
    """Every kind in any order."""
    return [Kind(int(code)) for code in rng.integers(min(Kind), max(Kind) + 1, length)]


def playable_kinds(rng: np.random.Generator, length: int) -> list[Kind]:
    """Presses and releases of each button in turn, with moves between."""
    kinds, held = [], [False, False, False]
    buttons = (LEFT, RIGHT, MIDDLE)
    for choice in rng.choice([0, 0, 0, 1, 1, 2, 3], length):
        if choice == 3:
            kinds.append(Kind.MOVE)
        else:
            kinds.append(buttons[choice][held[choice]])
            held[choice] = not held[choice]
    return kinds


def two_button_kinds(rng: np.random.Generator, length: int) -> list[Kind]:
    """Left and right without any order: lost presses, lost releases, second presses."""
    return [(*LEFT, *RIGHT, Kind.SECOND_PRESS)[choice] for choice in rng.integers(0, 5, length)]


def random_recording(seed: int, length: int, kinds: Callable[[np.random.Generator, int], list[Kind]]) -> Recording:
    """``length`` events: releases of left mostly on safe cells, right presses mostly on mines, some points outside."""
    rng = np.random.default_rng(seed)
    board, cell_px = random_board(rng), int(rng.choice([1, 16, 20]))
    mines, safe = np.argwhere(board.mines == 1), np.argwhere(board.mines == 0)
    rows, now = [], int(rng.integers(-500, 500))
    for kind in kinds(rng, length):
        now += int(rng.integers(0, 300))
        aims = mines if kind in (Kind.RIGHT_PRESS, Kind.PREFLAG) else safe
        if len(aims) and rng.random() < 0.9:
            row, column = aims[rng.integers(len(aims))]
        else:
            row, column = rng.integers(-2, (board.rows + 2, board.columns + 2))
        x, y = (int(side) * cell_px + int(rng.integers(cell_px)) for side in (column, row))
        rows.append((now, x, y, kind))
    helps = Help(2 * int(rng.integers(8)) * int(rng.integers(2)))
    return Recording(
        "test", "", board, events_from(rows), cell_px=cell_px, question_marks=bool(rng.integers(2)), helps=helps
    )


def recordings(kinds: Callable[[np.random.Generator, int], list[Kind]]) -> st.SearchStrategy[Recording]:
    return st.builds(random_recording, st.integers(0, 2**32 - 1), st.integers(1, 150), st.just(kinds))


def assert_twins_agree(recording: Recording) -> None:
    facts = board_facts(recording.board)
    expected = naive_game.numbers(recording)
    if expected is None:
        with pytest.raises(Inconsistent, match="No cell is ever opened"):
            play(recording, facts)
        return
    found = asdict(play(recording, facts))
    del found["clicks"], found["opened_by"]  # `test_clicks.py` has their twin
    assert found.pop("path") == pytest.approx(expected.pop("path"), rel=1e-12)
    assert found == expected


@settings(max_examples=examples(300))
@given(recordings(playable_kinds))
def test_playable_games(recording: Recording) -> None:
    assert_twins_agree(recording)


@settings(max_examples=examples(300))
@given(recordings(random_kinds))
def test_nonsense(recording: Recording) -> None:
    assert_twins_agree(recording)


@settings(max_examples=examples(200))
@given(recordings(two_button_kinds))
def test_two_buttons_in_any_order(recording: Recording) -> None:
    assert_twins_agree(recording)


@pytest.mark.parametrize("kinds", rest_long(playable_kinds, random_kinds, two_button_kinds))
def test_the_random_games_reach_every_corner(kinds: Callable[[np.random.Generator, int], list[Kind]]) -> None:
    """The random games reach all cases; comparing empty games would prove nothing."""
    games = [naive_game.numbers(random_recording(seed, 100, kinds)) for seed in range(300)]
    played = [game for game in games if game is not None]
    assert len(played) > 140
    assert {game["result"] for game in played} == {"won", "lost", "unfinished"}
    for name in ("rce", "dce", "flags", "rce_strict", "opdone", "isdone"):
        assert sum(game[name] != 0 for game in played) > 20, name
