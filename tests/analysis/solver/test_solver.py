"""Solvers play by the rules, take what is certain, and always play the same game."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.board import board_facts
from analysis.deduction import Rule, deduce
from analysis.errors import Inconsistent
from analysis.kernels.probability_front import CLOSED, FLAG, OPEN
from analysis.kernels.solver import true_numbers
from analysis.kernels.solver_rules import MD1, MD2, apply_rules
from analysis.kernels.solver_table import neighbours, open_cell, table_of
from analysis.probability import ImpossiblePosition, Position, probabilities
from analysis.recording import Board, Level
from analysis.solver import Options, Reason, Rules, Solver, Strength, generate
from tests.effort import examples
from tests.naive_probability import naive_answer, random_position
from tests.naive_solver import naive_play

THINKING = [Strength.SAFEST, Strength.FULL]
SMALL = [(5, 5, 5), (4, 8, 6), (8, 8, 10), (9, 9, 10)]
SEEDS = st.integers(0, 10**6)


def a_board(seed: int, shape: tuple[int, int, int]) -> Board:
    return generate(shape, Rules.XP, seed)


@given(SEEDS, st.sampled_from(THINKING), st.sampled_from(SMALL))
@settings(max_examples=examples(60))
def test_a_game_is_the_same_as_move_by_move(seed: int, strength: Strength, shape: tuple[int, int, int]) -> None:
    solver, board = Solver(Options(strength)), a_board(seed, shape)
    played = solver.play(board)
    won, guesses, seen = naive_play(solver, board, Rules.XP)
    assert (played.won, played.guesses) == (won, guesses)
    opened = played.numbers <= 8
    assert np.array_equal(opened, seen <= 8)
    assert np.array_equal(played.numbers[opened], seen[opened])
    assert played.opened == opened.sum()


@given(SEEDS, st.sampled_from(list(Strength)), st.sampled_from(SMALL))
@settings(max_examples=examples(80))
def test_games_are_honest_and_repeatable(seed: int, strength: Strength, shape: tuple[int, int, int]) -> None:
    board = a_board(seed, shape)
    played = Solver(Options(strength, seed=seed)).play(board)
    again = Solver(Options(strength, seed=seed)).play(board)
    assert np.array_equal(played.numbers, again.numbers)
    assert (played.won, played.moves, played.guesses) == (again.won, again.moves, again.guesses)
    opened = played.numbers <= 8
    assert np.array_equal(played.numbers[opened], board_facts(board).numbers[opened])
    assert played.won == (played.opened == played.to_open)
    assert played.won or played.guesses > 0 or strength in (Strength.SURRENDER, Strength.LOGIC)
    assert not board.mines[played.numbers == OPEN].any()
    assert board.mines[played.numbers == FLAG].all()
    assert 0 < played.explored <= 1


@given(SEEDS, st.sampled_from([Strength.EXACT, *THINKING]))
@settings(max_examples=examples(150))
def test_certain_cells_are_taken_and_certain_mines_are_not(seed: int, strength: Strength) -> None:
    position = random_position(np.random.default_rng(seed), max_closed=14)
    answer = naive_answer(position)
    assert answer is not None
    if position.closed.all() or position.closed.sum() == position.mines:
        return
    safe = tuple(sorted(cell for cell, chance in answer.mine.items() if chance == 0))
    move = Solver(Options(strength)).choose(position)
    if safe:
        assert (move.cells, move.reason, move.safe) == (safe, Reason.CERTAIN, 1.0)
    else:
        (cell,) = move.cells
        assert move.reason is not Reason.CERTAIN
        assert answer.mine[cell] < 1
        assert move.safe == pytest.approx(1 - float(answer.mine[cell]), abs=1e-12)
        if strength is Strength.SAFEST:
            assert answer.mine[cell] == min(answer.mine.values())


@given(SEEDS)
@settings(max_examples=examples(100))
def test_few_layouts_are_played_perfectly(seed: int) -> None:
    position = random_position(np.random.default_rng(seed), max_closed=8)
    move = Solver(Options(most_layouts=100)).choose(position)
    if not position.closed.all() and move.reason not in (Reason.CERTAIN, Reason.NOTHING):
        assert move.reason is Reason.ENDGAME
        assert move.win is not None
        assert 0 < move.win <= move.safe + 1e-12


@given(SEEDS, st.sampled_from([(Rule.MD1, MD1), (Rule.MD2, MD2)]))
@settings(max_examples=examples(150))
def test_the_quick_rules_conclude_what_the_slow_ones_do(seed: int, rules: tuple[Rule, int]) -> None:
    position = random_position(np.random.default_rng(seed), max_closed=20)
    slow = deduce(position, up_to=rules[0])
    table = table_of(position.grid(), neighbours(position.rows, position.columns))
    apply_rules(table, rules[1])
    assert np.array_equal((table.grid == OPEN) & position.closed, slow.safe)
    assert np.array_equal(table.grid == FLAG, slow.mines)


@given(SEEDS, st.tuples(st.integers(1, 20), st.integers(1, 20)))
@settings(max_examples=examples(60))
def test_opening_a_cell_opens_what_the_board_says(seed: int, sides: tuple[int, int]) -> None:
    rng = np.random.default_rng(seed)
    mines = (rng.random(sides) < 0.15).astype(np.uint8)
    if mines.all():
        return
    facts = board_facts(Board(mines.copy()))
    near = neighbours(*sides)
    numbers = true_numbers(mines, near)
    assert np.array_equal(numbers, facts.numbers.ravel())
    for cell in range(mines.size):
        table = table_of(np.full(sides, CLOSED, np.uint8), near)
        opened = open_cell(table, numbers, cell)
        assert opened == (mines.flat[cell] == 0)
        opening = facts.opening_id.flat[cell]
        expected = np.zeros(sides, bool)
        if opening:
            zeros = facts.opening_id == opening
            padded = np.pad(zeros, 1)
            for down in range(3):
                for right in range(3):
                    expected |= padded[down : down + sides[0], right : right + sides[1]]
        elif opened:
            expected.flat[cell] = True
        assert np.array_equal(table.grid <= 8, expected)


def test_every_stronger_player_wins_more() -> None:
    boards = [generate(Level.BEGINNER_9X9, Rules.XP, seed) for seed in range(400)]
    wins = [sum(Solver(Options(strength)).play(board).won for board in boards) for strength in Strength]
    random, novice, surrender, logic, careful, exact, safest, full = wins
    assert random < 0.05 * len(boards)
    assert random < novice < careful < safest
    assert surrender <= logic < exact
    assert surrender < careful
    assert exact < safest
    assert full >= safest - 4  # on small boards the two differ by less than chance
    assert full > 0.87 * len(boards)


@pytest.mark.parametrize(
    ("rows", "mines", "cells"),
    [
        (["1.", "11"], 1, ()),  # a number with one closed cell: a mine, and nothing to open
        (["?111", "....", "????"], 1, None),
    ],
)
def test_small_examples(rows: list[str], mines: int, cells: tuple[tuple[int, int], ...] | None) -> None:
    position = Position.of_rows(rows, mines)
    move = Solver().choose(position)
    if cells is None:
        assert set(move.cells) == {(int(r), int(c)) for r, c in np.argwhere(probabilities(position).certain_safe)}
    else:
        assert move.cells == cells
        assert move.reason is Reason.NOTHING


def test_two_sets_that_overlap_show_a_safe_cell() -> None:
    """The 1 in the corner needs one of two cells, the 1 beside it sees those and one more: that one is safe."""
    position = Position.of_rows(["11???", "....."], 2)
    for strength in (Strength.CAREFUL, Strength.FULL):
        move = Solver(Options(strength)).choose(position)
        assert (move.cells, move.reason) == (((1, 2),), Reason.CERTAIN)
    assert Solver(Options(Strength.NOVICE)).choose(position).reason is Reason.CHANCE


@pytest.mark.parametrize(
    ("level", "rules", "start"),
    [(Level.EXPERT, Rules.XP, (0, 0)), (Level.EXPERT, Rules.WIN7, (3, 3)), (Level.INTERMEDIATE, Rules.WIN7, (2, 2))],
)
def test_the_first_move_follows_the_rules(level: Level, rules: Rules, start: tuple[int, int]) -> None:
    board = generate(level, rules, seed=1)
    empty = Position(np.full((board.rows, board.columns), CLOSED, np.uint8), board.mine_count)
    move = Solver().choose(empty, rules)
    assert (move.cells, move.reason, move.safe) == ((start,), Reason.FIRST, 1.0)
    assert Solver().play(board, rules=rules).numbers[start] <= 8


def test_a_first_click_that_breaks_the_promise_is_an_error() -> None:
    board = Board(np.array([[0, 1, 0], [0, 0, 0]], np.uint8))
    solver = Solver()
    assert solver.play(board, (0, 0)).opened >= 1
    with pytest.raises(Inconsistent):
        solver.play(board, (0, 1))
    with pytest.raises(Inconsistent):
        solver.play(board, (0, 0), Rules.WIN7)
    with pytest.raises(Inconsistent):
        solver.play(board, (2, 0))


def test_a_mine_on_any_side_breaks_the_promise() -> None:
    for mine in (place for place in range(9) if place != 4):
        cells = np.zeros((5, 5), np.uint8)
        cells[1 + mine // 3, 1 + mine % 3] = 1
        with pytest.raises(Inconsistent):
            Solver().play(Board(cells), (2, 2), Rules.WIN7)


def test_an_impossible_position_is_an_error() -> None:
    with pytest.raises(ImpossiblePosition):
        Solver().choose(Position.of_rows(["3..", "..."], 2))
