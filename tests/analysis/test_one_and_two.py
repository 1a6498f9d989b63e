"""The 1-and-2 position: formulas, counted values, and where the series meet."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from analysis.one_and_two import (
    FIGURE,
    FORMULAS,
    MINES,
    NAMES,
    ONE,
    ROW,
    SIDE,
    TWO,
    Crossing,
    Formula,
    Meeting,
    apart,
    crossings,
    meetings,
    position_rows,
    series,
)
from analysis.probability import Position
from tests.naive_probability import around


def test_every_formula_is_exact_for_every_number_of_mines() -> None:
    counted = series()
    assert list(counted) == list(range(10, 241))
    for formula in FORMULAS:
        assert [counted[n][formula.name] for n in MINES] == [formula.compute(SIDE * SIDE, n) for n in MINES]


def value_of(text: str, m: int, n: int) -> int:
    """The value of a sum such as ``3m + 17n − 76``."""
    terms = re.findall(r"([−+]?) ?(\d*)([mn]?)", text)
    values = {"m": m, "n": n, "": 1}
    return sum(
        (-1 if sign == "−" else 1) * int(number or 1) * values[name] for sign, number, name in terms if number or name
    )


@pytest.mark.parametrize("formula", FORMULAS, ids=NAMES)
def test_formulas_are_written_as_they_are_computed(formula: Formula) -> None:
    for m, n in ((256, 40), (480, 99)):
        assert Fraction(value_of(formula.above, m, n), value_of(formula.below, m, n)) == formula.compute(m, n)


@pytest.mark.parametrize(
    ("mines", "chances"),
    [
        (24, (Fraction(1, 20), Fraction(1, 4), Fraction(1, 4))),
        (40, (Fraction(19, 248), Fraction(51, 248), Fraction(343, 1240))),
        (99, (Fraction(194, 1405), Fraction(29, 281), Fraction(95, 281))),
    ],
)
def test_known_values(mines: int, chances: tuple[Fraction, ...]) -> None:
    assert tuple(series()[mines][name] for name in NAMES) == chances


def test_the_numbers_are_kept() -> None:
    for chances in series().values():
        assert 5 * chances["A"] + 3 * chances["B"] == 1
        assert 3 * chances["B"] + 5 * chances["C"] == 2


def test_the_figure_is_the_position() -> None:
    position = Position.of_rows(position_rows(), 40)
    one, two = set(around(position, (ROW, ONE))), set(around(position, (ROW, TWO)))
    for down, line in enumerate(FIGURE):
        for across, sign in enumerate(line):
            cell = (ROW - 1 + down, ONE - 1 + across)
            kind = {"A": (True, False), "B": (True, True), "C": (False, True)}.get(sign)
            if kind is None:
                assert position.numbers[cell] == int(sign)
            else:
                assert (cell in one, cell in two) == kind


def test_where_they_meet_and_where_they_only_seem_to() -> None:
    assert meetings(series()) == [Meeting(("B", "C"), 24, Fraction(1, 4))]
    assert crossings(series()) == [Crossing(("A", "B"), 82, 83, 83, Fraction(1, 1293))]
    assert apart(series()) == [("A", "C")]


def test_meeting_is_not_passing() -> None:
    touching = {n: {"A": Fraction(n), "B": Fraction(2), "C": Fraction(9)} for n in (1, 2, 3)}
    assert [one.mines for one in meetings(touching)] == [2]
    assert crossings(touching) == []
    passing = {n: {"A": Fraction(n), "B": Fraction(5, 3), "C": Fraction(9)} for n in (1, 2, 3)}
    assert meetings(passing) == []
    assert [(one.before, one.after, one.nearest) for one in crossings(passing)] == [(1, 2, 2)]
