"""Difficulties: against the rules with reasons, their slow twin, and the generator of boards without guesses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.board import board_facts
from analysis.deduction import Rule, deduce
from analysis.errors import LimitExceeded
from analysis.kernels import reasoning as kernels
from analysis.kernels.probability_front import MINE, SAFE
from analysis.luck import DIFFICULTIES, counted
from analysis.luck.counted import Deadline
from analysis.luck.difficulty import difficulty_of_board, difficulty_of_position
from analysis.probability import CLOSED, Position, probabilities
from analysis.recording import Board, Level
from analysis.solver.boards import Rules, generate, needs_no_guess
from tests.effort import examples
from tests.naive_deduction import naive_marks
from tests.naive_probability import random_position

LOCAL = {kernels.MD1: Rule.MD1, kernels.MD2: Rule.MD2, kernels.NMD3: Rule.NMD3}


def by_reasons(position: Position) -> Rule:
    """The easiest set of rules that finds a safe cell."""
    rules = [rule for rule in Rule if rule is not Rule.GUESS]
    return next((rule for rule in rules if deduce(position, up_to=rule).safe.any()), Rule.GUESS)


def difficulty(position: Position) -> Rule | None:
    return DIFFICULTIES[difficulty_of_position(position.grid(), position.mines)]


def framed(position: Position) -> tuple[np.ndarray, np.ndarray]:
    return kernels._framed(position.grid())


@settings(max_examples=examples(300))
@given(st.integers(0, 2**32 - 1))
def test_small_positions_are_as_difficult_as_the_rules_with_reasons_say(seed: int) -> None:
    position = random_position(np.random.default_rng(seed))
    assert difficulty(position) == by_reasons(position)


@pytest.mark.parametrize("rule", LOCAL)
@settings(max_examples=examples(150))
@given(seed=st.integers(0, 2**32 - 1))
def test_the_local_rules_decide_what_their_twin_decides(rule: int, seed: int) -> None:
    position = random_position(np.random.default_rng(seed), max_closed=30)
    code, status = framed(position)
    kernels.reason(code, status, position.columns + 2, rule)
    inner = status.reshape(position.rows + 2, position.columns + 2)[1:-1, 1:-1]
    safe, mines = naive_marks(position, LOCAL[rule])
    assert {tuple(cell) for cell in np.argwhere(inner == SAFE).tolist()} == safe
    assert {tuple(cell) for cell in np.argwhere(inner == MINE).tolist()} == mines


def positions_of_play(seed: int, level: Level) -> list[Position]:
    """Positions of a game that is played by certain cells and lucky guesses."""
    mines = generate(level, Rules.WIN7, seed)
    numbers, rng = board_facts(mines).numbers, np.random.default_rng(seed)
    shown = np.full(numbers.shape, CLOSED, np.uint8)
    waiting, found = [(2, 2)], []
    while waiting:
        cell = waiting.pop()
        if shown[cell] != CLOSED:
            continue
        shown[cell] = numbers[cell]
        row, column = cell
        if numbers[cell] == 0:
            near = np.argwhere(shown[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2] == CLOSED)
            waiting += [(int(down) + max(row - 1, 0), int(right) + max(column - 1, 0)) for down, right in near]
        if not waiting:
            position = Position(shown, mines.mine_count)
            found.append(position)
            safe = np.argwhere(probabilities(position).certain_safe)
            left = safe if len(safe) else np.argwhere((shown == CLOSED) & (numbers <= 8))
            if len(left):
                row, column = rng.permutation(left)[0].tolist()
                waiting = [(row, column)]
    return found


@pytest.mark.parametrize("seed", range(6))
def test_positions_of_games_are_as_difficult_as_the_rules_with_reasons_say(seed: int) -> None:
    for position in positions_of_play(seed, Level.INTERMEDIATE)[::3]:
        assert difficulty(position) == by_reasons(position)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("level", [Level.BEGINNER, Level.EXPERT])
def test_boards_without_guesses_are_those_of_the_generator(level: Level, seed: int) -> None:
    mines = generate(level, Rules.WIN7, seed)
    found = difficulty_of(mines, (2, 2))
    assert (found != kernels.GUESS) == needs_no_guess(mines.mines.copy(), (2, 2))


def difficulty_of(mines: Board, first: tuple[int, int]) -> int:
    numbers = board_facts(mines).numbers
    return difficulty_of_board(numbers, first[0] * mines.columns + first[1], mines.mine_count)


def by_playing(mines: Board, first: tuple[int, int]) -> int:
    """The easiest rules that solve a board, each set of rules tried from the beginning."""
    codes = {rule: code for code, rule in DIFFICULTIES.items()}
    for rule in (Rule.MD1, Rule.MD2, Rule.NMD3, Rule.CASES, Rule.COUNT):
        shown = np.full(mines.mines.shape, CLOSED, np.uint8)
        numbers = board_facts(mines).numbers
        safe = {first}
        rounds = 0
        while safe:
            rounds += 1
            while safe:
                row, column = cell = safe.pop()
                shown[cell] = numbers[cell]
                if numbers[cell] == 0:
                    near = [(r, c) for r in range(row - 1, row + 2) for c in range(column - 1, column + 2)]
                    safe |= {
                        (r, c) for r, c in near
                        if 0 <= r < mines.rows and 0 <= c < mines.columns and shown[r, c] == CLOSED
                    }  # fmt: skip
            position = Position(shown, mines.mine_count)
            if position.closed.sum() == mines.mine_count:
                return kernels.NOTHING if rounds == 1 else codes[rule]
            safe = {(row, column) for row, column in np.argwhere(deduce(position, up_to=rule).safe).tolist()}
    return kernels.GUESS


@pytest.mark.parametrize("seed", range(60))
def test_boards_are_as_difficult_as_playing_them_shows(seed: int) -> None:
    mines = generate((6, 7, 8), Rules.WIN7, seed)
    assert difficulty_of(mines, (2, 2)) == by_playing(mines, (2, 2))


def test_every_difficulty_occurs() -> None:
    """Tests on boards of a single difficulty would show nothing."""
    found = {difficulty_of(generate((6, 7, 8), Rules.WIN7, seed), (2, 2)) for seed in range(400)}
    found |= {difficulty_of(generate(Level.EXPERT, Rules.WIN7, seed), (3, 3)) for seed in range(400)}
    found |= {difficulty_of(generate((6, 7, 2), Rules.WIN7, seed), (2, 2)) for seed in range(20)}
    assert found >= {kernels.NOTHING, kernels.MD1, kernels.MD2, kernels.CASES, kernels.COUNT, kernels.GUESS}


def test_a_front_too_wide_is_no_difficulty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted, "MAX_WEIGHTS", 1)
    with pytest.raises(LimitExceeded, match="weights"):
        difficulty_of(generate(Level.EXPERT, Rules.XP, 3), (0, 0))


@pytest.mark.parametrize("stages", [1, 2, 7])
def test_the_pieces_of_a_board_make_no_difference(stages: int, monkeypatch: pytest.MonkeyPatch) -> None:
    boards = [generate(Level.EXPERT, Rules.WIN7, seed) for seed in range(20)]
    expected = [difficulty_of(mines, (3, 3)) for mines in boards]
    monkeypatch.setattr("analysis.luck.difficulty._STAGES", stages)
    assert [difficulty_of(mines, (3, 3)) for mines in boards] == expected


def test_a_board_ends_at_the_deadline() -> None:
    mines = generate(Level.EXPERT, Rules.WIN7, 1)
    with pytest.raises(LimitExceeded, match="seconds"):
        difficulty_of_board(board_facts(mines).numbers, 3 * mines.columns + 3, mines.mine_count, Deadline(-1))
