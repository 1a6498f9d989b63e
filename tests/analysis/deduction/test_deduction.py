"""Human deduction: the rules by example, against a slow twin, and against the exact probabilities."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.deduction import SENTENCES, Conclusion, Deduction, Rule, deduce, needed_steps
from analysis.deduction.deduce import Mask
from analysis.probability import ImpossiblePosition, Position, probabilities
from tests.analysis.probability.oracles import board_halves
from tests.effort import examples
from tests.naive_deduction import naive_marks
from tests.naive_probability import Cell, random_position

seeds = st.integers(0, 2**32 - 1)
LOCAL = (Rule.MD1, Rule.MD2, Rule.NMD3)


def cells(mask: Mask) -> set[Cell]:
    return {(int(row), int(column)) for row, column in np.argwhere(mask)}


def in_play(seed: int) -> Position:
    """A position of a game on a board of any size, never one that no game could reach."""
    rng = np.random.default_rng(seed)
    shape = (int(rng.integers(3, 13)), int(rng.integers(3, 17)))
    return next(board_halves(rng, shape, int(shape[0] * shape[1] * rng.uniform(0.1, 0.3))))


def of(rows: str, mines: int, up_to: Rule = Rule.GUESS) -> Deduction:
    return deduce(Position.of_rows(rows.split(), mines), up_to=up_to)


# --- the rules --------------------------------------------------------------------------------------------------------


def test_md1_marks_the_only_cell_and_opens_what_a_number_does_not_need() -> None:
    deduction = of("1.. ??1", 1, Rule.MD1)
    assert [step.rule for step in deduction.steps] == [Rule.MD1, Rule.MD1]
    assert deduction.steps[0].mines == ((0, 1),)
    assert deduction.steps[1].safe == ((0, 2),)
    assert "the 1 in row 1, column 1" in deduction.steps[0].sentence()


def test_md2_a_set_within_another_with_as_many_mines() -> None:
    """G needs one of abc, f needs one of ab: c is safe."""
    deduction = of("... 11?", 1, Rule.MD2)
    assert (cells(deduction.safe), cells(deduction.mines)) == ({(0, 2)}, set())
    (step,) = deduction.steps
    assert step.rule is Rule.MD2
    assert [(of.name, of.number, of.cells, of.mines) for of in step.sets] == [
        ("A", (1, 0), ((0, 0), (0, 1)), 1),
        ("B", (1, 1), ((0, 0), (0, 1), (0, 2)), 1),
    ]
    for named in ("A (the 1 in row 2, column 1)", "B (the 1 in row 2, column 2)", "only B"):
        assert named in step.sentence()
    assert not of("... 11?", 1, Rule.MD1).steps


def test_md2_decides_both_sides() -> None:
    """H needs two of bcd, g needs one of abc: d is a mine, a is safe."""
    deduction = of(".... ?12?", 2, Rule.MD2)
    assert deduction.steps[0].kind == "both"
    assert deduction.steps[0].numbers == ((1, 2), (1, 1))
    assert cells(deduction.mines) >= {(0, 3)}
    assert cells(deduction.safe) >= {(0, 0)}


def test_nmd3_one_set_against_two_apart() -> None:
    """B needs three of efghj, a needs one of def, c needs one of hj: g is a mine, and d is safe."""
    rows = "....? 1?3?1 ?.?.?"
    assert not of(rows, 3, Rule.MD2).steps
    deduction = of(rows, 3, Rule.NMD3)
    assert [step.rule for step in deduction.steps] == [Rule.NMD3]
    assert (cells(deduction.mines), cells(deduction.safe)) == ({(0, 2)}, {(0, 0)})
    assert [of.name for of in deduction.steps[0].sets] == ["A", "B", "C"]


def test_more_than_three_numbers_need_all_cases() -> None:
    """The mines of a ring of numbers: no two or three of them decide anything."""
    found = [
        deduction
        for deduction in (deduce(in_play(seed), up_to=Rule.COUNT) for seed in range(300))
        if any(step.rule is Rule.CASES for step in deduction.steps)
    ]
    assert found
    for deduction in found:
        (step,) = (step for step in deduction.steps if step.rule is Rule.CASES)
        assert step.mines or step.safe


def test_counting_all_mines_decides_what_numbers_cannot() -> None:
    deduction = of("....? .3.4? ....?", 5)
    assert [step.rule for step in deduction.steps] == [Rule.COUNT, Rule.GUESS]
    assert deduction.steps[0].mines == ((0, 3), (2, 3))
    assert [number in deduction.steps[0].sentence() for number in ("5", "2 more cells")] == [True, True]
    guess = deduction.steps[-1]
    assert guess.risk == pytest.approx(1 / 5)
    assert set(guess.guesses) == {(0, 0), (0, 1), (1, 0), (2, 0), (2, 1)}
    assert "8 closed cells" in guess.sentence()
    assert "20.0%" in guess.sentence()
    assert not deduction.safe.any()


def test_nothing_is_guessed_when_all_is_known() -> None:
    deduction = of("11 1.", 1)
    assert cells(deduction.mines) == {(1, 1)}
    assert Rule.GUESS not in {step.rule for step in deduction.steps}


def test_the_rule_of_a_cell() -> None:
    (step,) = of("... 11?", 1).steps
    assert step.rule is Rule.MD2
    assert (0, 2) in step.safe


def test_trusted_flags_are_known_mines() -> None:
    position = Position.of_rows(["1F", ".."], 1)
    assert cells(deduce(position, trust_flags=True).safe) == {(1, 0), (1, 1)}
    assert not cells(deduce(position, trust_flags=True).mines)
    assert deduce(position).steps[-1].rule is Rule.GUESS


def test_impossible_positions_are_refused() -> None:
    with pytest.raises(ImpossiblePosition):
        of("12 ..", 2)


# --- what must hold ---------------------------------------------------------------------------------------------------


@settings(max_examples=examples(60))
@given(seeds, st.booleans())
def test_the_rules_equal_their_slow_twin(seed: int, played: bool) -> None:
    position = in_play(seed) if played else random_position(np.random.default_rng(seed), 20)
    for rule in LOCAL:
        deduction = deduce(position, up_to=rule)
        assert (cells(deduction.safe), cells(deduction.mines)) == naive_marks(position, rule)


@settings(max_examples=examples(150))
@given(seeds, st.booleans())
def test_no_conclusion_contradicts_the_exact_probabilities(seed: int, trust_flags: bool) -> None:
    position = random_position(np.random.default_rng(seed), 40, ["right" if trust_flags else "wrong"])
    check_against_exact(position, trust_flags=trust_flags)


@settings(max_examples=examples(60))
@given(seeds)
def test_positions_of_games_are_deduced_rightly(seed: int) -> None:
    check_against_exact(in_play(seed), trust_flags=False)


def check_against_exact(position: Position, *, trust_flags: bool) -> None:
    """Each rule finds what the easier ones find, all that is found is true, and the last rule finds all."""
    exact = probabilities(position, trust_flags=trust_flags)
    flags = cells((position.numbers == 11) & trust_flags)
    deductions = [deduce(position, up_to=rule, trust_flags=trust_flags) for rule in Rule]
    for easier, harder in pairwise(deductions):
        assert cells(easier.safe) <= cells(harder.safe)
        assert cells(easier.mines) <= cells(harder.mines)
    last = deductions[-1]
    assert cells(last.safe) == cells(exact.certain_safe)
    assert cells(last.mines) == cells(exact.certain_mine) - flags
    check_steps(last)


def check_steps(deduction: Deduction) -> None:
    """Every cell is decided once, by sets that hold it, in words that can be said."""
    decided: list[Cell] = []
    for step in deduction.steps:
        decided += [*step.mines, *step.safe]
        assert step.sentence()
        if step.rule in LOCAL:
            of_sets = {cell for of in step.sets for cell in of.cells}
            assert step.mines or step.safe
            assert of_sets.issuperset({*step.mines, *step.safe})
    assert len(decided) == len(set(decided))
    assert set(decided) == cells(deduction.safe) | cells(deduction.mines)


def names(template: str) -> set[str]:
    return set(re.findall(r"%\((\w+)\)", template))


@pytest.mark.parametrize("key", SENTENCES, ids=lambda key: " ".join(key))
def test_every_sentence_is_used_by_a_position(key: tuple[Rule, str]) -> None:
    """Searched among positions, so that no sentence stands there unsaid; its names are all given a value."""
    for step in steps_of(in_play(seed) for seed in range(2000)):
        if (step.rule, step.kind) == key:
            assert names(step.template) <= set(step.values())
            assert step.sentence(lambda text: f"» {text}").count("»") == 1 + len(step.sets)
            return
    pytest.fail("no position needs this sentence")


def steps_of(positions: Iterable[Position]) -> Iterable[Conclusion]:
    for position in positions:
        yield from deduce(position).steps


# --- the steps that are needed ------------------------------------------------------------------------------------------


@given(seeds)
@settings(max_examples=examples(60))
def test_each_needed_step_follows_from_those_before_it(seed: int) -> None:
    """The sets of a step are those that the number and the kept steps leave, and no safe cell is lost."""
    position = in_play(seed)
    deduction = deduce(position)
    kept = needed_steps(deduction.steps)
    assert {cell for step in kept for cell in step.safe} == cells(deduction.safe)
    known: dict[Cell, bool] = {}
    for step in kept:
        for one in step.sets:
            row, column = one.number
            around = position.closed[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
            near = {(max(row - 1, 0) + down, max(column - 1, 0) + right) for down, right in cells(around)}
            assert set(one.cells) == near - set(known)
            assert one.mines == one.shown - sum(known.get(cell, False) for cell in near)
        known |= dict.fromkeys(step.mines, True) | dict.fromkeys(step.safe, False)


def test_mines_on_which_nothing_rests_are_left_out() -> None:
    """The left 1 marks a mine far from the cell that the right ones show to be safe."""
    deduction = of(".1????1.. ????????1", 2)
    assert [step.mines for step in deduction.steps] == [((0, 0),), ((0, 7),), ()]
    assert needed_steps(deduction.steps) == deduction.steps[1:]
