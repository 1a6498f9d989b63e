"""Games move by move are those of the solver, and every move agrees with a count of all layouts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from analysis.deduction import Rule, deduce
from analysis.probability import CLOSED, Position, probabilities
from analysis.recording import Level
from analysis.solver import Options, Reason, Rules, Solver, Strength, generate
from analysis.solver.course import Course, Turn, course_of, think
from analysis.solver.match import Match
from tests.effort import examples
from tests.naive_probability import naive_answer

SEEDS = st.integers(0, 10**6)
RULES = st.sampled_from([Rules.XP, Rules.WIN7])
STRENGTHS = st.sampled_from(list(Strength))
TINY = (4, 5, 4)


def positions(course: Course) -> Iterator[tuple[Position, Turn]]:
    """Each position of a game, and what was done in it."""
    seen = np.full(course.numbers.shape, CLOSED, np.uint8)
    for turn in course.turns:
        yield Position(seen, course.board.mine_count), turn
        for _, opened in turn.opened:
            for cell in opened:
                assert seen[cell] == CLOSED
                seen[cell] = course.numbers[cell]


@given(SEEDS, STRENGTHS, RULES, st.sampled_from([Level.BEGINNER, Level.INTERMEDIATE]))
@example(849, Strength.NOVICE, Rules.XP, Level.BEGINNER)  # opens a zero beside a number that is open already
@settings(max_examples=examples(60))
def test_a_course_is_the_game_of_the_match(number: int, strength: Strength, rules: Rules, level: Level) -> None:
    match = Match(level, rules, strength, seed=3)
    board, options = match.deal(number)
    course, played = course_of(options, board, rules), match.play(number)
    opened = [cell for turn in course.turns for _, cells in turn.opened for cell in cells]
    certain = (Reason.FIRST, Reason.CERTAIN, Reason.GIVE_UP)
    guesses = sum(turn.thought.move.reason not in certain for turn in course.turns)
    assert (course.won, guesses) == (played.won, played.guesses)
    assert len(set(opened)) == len(opened) == round(played.explored * (board.mines.size - board.mine_count))
    assert not board.mines[tuple(np.transpose(opened))].any()


@pytest.mark.parametrize("strength", list(Strength))
def test_every_move_agrees_with_a_count_of_all_layouts(strength: Strength) -> None:
    """The slow twin: what is called certain is safe in every layout, and nobody else gives up or guesses."""
    reasons: set[Reason] = set()
    for seed in range(examples(40)):
        board = generate(TINY, Rules.XP, seed)
        for position, turn in positions(course_of(Options(strength, seed=seed), board, Rules.XP)):
            thought, move = turn.thought, turn.thought.move
            reasons.add(move.reason)
            if move.reason is Reason.FIRST:
                continue
            answer = naive_answer(position)
            assert answer is not None
            assert thought.known is not None
            safe = {cell for cell, chance in answer.mine.items() if chance == 0}
            assert {(int(r), int(c)) for r, c in np.argwhere(thought.known.certain_safe)} == safe
            if move.reason is Reason.CERTAIN:
                assert set(move.cells) <= safe
                assert sorted(cell for cell, _ in thought.clicks) == list(move.cells)
                assert all(step is not None and cell in step.safe for cell, step in thought.clicks)
            if strength in (Strength.SURRENDER, Strength.CAREFUL):
                found = [(int(r), int(c)) for r, c in np.argwhere(deduce(position, up_to=Rule.MD2).safe)]
                assert (move.reason is Reason.CERTAIN) == bool(found)
                assert not found or list(move.cells) == found
            elif strength not in (Strength.RANDOM, Strength.NOVICE):
                assert (move.reason is Reason.CERTAIN) == bool(safe)
                assert not safe or set(move.cells) == safe
            if strength is Strength.SAFEST and not safe and move.cells:
                assert answer.mine[move.cells[0]] == min(answer.mine.values())
    assert (Reason.GIVE_UP in reasons) == (strength in (Strength.SURRENDER, Strength.LOGIC))
    assert (Reason.CHANCE in reasons) == (
        strength in (Strength.RANDOM, Strength.NOVICE, Strength.CAREFUL, Strength.EXACT)
    )


def test_players_of_logic_give_up_where_others_guess() -> None:
    position = Position.of_rows(["1.", ".."], 1)
    for strength in (Strength.SURRENDER, Strength.LOGIC):
        move = Solver(Options(strength)).choose(position)
        assert (move.cells, move.reason) == ((), Reason.GIVE_UP)
    assert think(Options(Strength.EXACT), probabilities(position)).move.reason is Reason.CHANCE


def test_logic_sees_what_two_rules_do_not() -> None:
    """Only the count of mines tells that two corners are safe."""
    position = Position.of_rows(["2..", "...", "..2"], 3)
    assert think(Options(Strength.SURRENDER), probabilities(position)).move.reason is Reason.GIVE_UP
    thought = think(Options(Strength.LOGIC), probabilities(position))
    assert thought.move.cells == ((0, 2), (2, 0))
    assert [step.rule for step in thought.steps] == [Rule.COUNT]


def test_all_stages_play_the_same_boards() -> None:
    one, two = (Match(Level.BEGINNER, Rules.XP, strength, 5) for strength in (Strength.RANDOM, Strength.FULL))
    assert np.array_equal(one.deal(7)[0].mines, two.deal(7)[0].mines)
    assert not np.array_equal(one.deal(7)[0].mines, one.deal(8)[0].mines)
