"""Results of positions against trying every layout, and their drawing and texts."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.answers import FlagUse, answer_position
from analysis.deduction import Rule
from analysis.kernels import probability as kernels
from analysis.probability import FLAG, Position, probabilities
from analysis.probability.position import LETTERS
from analysis.solver import Move, Reason
from replays.odds.positions.examples import EXAMPLES
from replays.odds.positions.position_drawing import SHADES, table_of
from replays.odds.positions.position_texts import REASONS, RULES, advice_text, big_number, percent, short_percent
from replays.odds.positions.positions import Flags, PositionQuery
from replays.odds.positions.refusal import Refusal
from replays.odds.positions.results import evaluate
from tests.effort import rest_long
from tests.naive_probability import naive_answer, random_position

SIGN_OF = {code: sign for sign, code in LETTERS.items()}
#: Numbers in every other cell of every other row: a front as wide as the board.
LATTICE = PositionQuery(tuple("." * 41 if row % 2 == 0 else ".2" * 20 + "." for row in range(41)), 300)


def query_in(position: Position, flags: Flags) -> PositionQuery:
    rows = tuple("".join(SIGN_OF[code] for code in line) for line in position.numbers.tolist())
    return PositionQuery(rows, position.mines, flags)


@pytest.mark.parametrize("flags", Flags)
@pytest.mark.parametrize("seed", rest_long(*range(25), usual=8))
def test_results_agree_with_every_layout_tried(seed: int, flags: Flags) -> None:
    position = random_position(np.random.default_rng(seed), 11, ("right", "wrong"))
    query = query_in(position, flags)
    expected, use = naive_answer(position, trust_flags=query.trust_flags), FlagUse(flags.value)
    if expected is None and query.trust_flags:
        expected, use = naive_answer(position, trust_flags=False), FlagUse.CONTRADICTORY
    if expected is None:
        with pytest.raises(Refusal, match=r"[Nn]o (mine )?layout fits"):
            evaluate(query)
        return
    found = evaluate(query)
    assert found.flags is use
    assert found.layouts == expected.layouts
    for cell, chance in expected.mine.items():
        assert found.found.mine[cell] == pytest.approx(float(chance), abs=1e-12)
    assert found.advice is not None
    if found.advice.reason is Reason.NOTHING:
        assert set(expected.mine.values()) <= {1}
    for cell in found.advice.cells:  # the solver trusts the flags too
        assert found.advice.safe <= 1 - float(expected.mine[cell]) + 1e-12


@pytest.mark.parametrize("seed", range(25))
def test_removing_flags_does_not_change_the_probabilities(seed: int) -> None:
    position = random_position(np.random.default_rng(seed), 11, ("right",))
    trusted, removed = probabilities(position, trust_flags=True), probabilities(position.without_flags())
    others = position.closed & (position.numbers != FLAG)
    assert removed.mine[others] == pytest.approx(trusted.mine[others], abs=1e-12)
    assert removed.layouts() == trusted.layouts()


def test_a_position_without_flags_is_not_counted_once_more_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting a wide front is what a request costs."""
    counted: list[bool] = []
    count = kernels.odds_of

    def counting(grid: Any, mines: int, trust_flags: bool, weights: int) -> Any:
        counted.append(trust_flags)
        return count(grid, mines, trust_flags, weights)

    monkeypatch.setattr(kernels, "odds_of", counting)
    for trust_flags in (False, True):
        assert answer_position(LATTICE.position().numbers, LATTICE.mines, trust_flags=trust_flags, advice=False) is None
    assert counted == [False, True]


def test_advice_only_on_request() -> None:
    assert evaluate(EXAMPLES[1].query, advice=False).advice is None


def test_a_front_that_is_too_wide_is_refused() -> None:
    with pytest.raises(Refusal) as refused:
        evaluate(LATTICE)
    assert refused.value.code == "too_wide"
    assert refused.value.http_status == 422


def test_a_front_that_is_too_wide_for_reasons_alone_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the mine count there are few layouts, but the deduction works without it, on many more."""
    rows = tuple("." * 11 if row % 2 == 0 else ".1" * 5 + "." for row in range(11))
    query = PositionQuery(rows, 9)
    position = query.position()
    weights = next(
        1 << power for power in range(30)
        if kernels.odds_of(position.grid(), 9, False, 1 << power).verdict != kernels.WIDE
    )  # fmt: skip
    monkeypatch.setattr(kernels, "MAX_WEIGHTS", weights)
    assert probabilities(position).layouts() > 0
    assert answer_position(position.numbers, position.mines, trust_flags=False, advice=False) is None


@pytest.mark.parametrize(
    ("rows", "mines", "numbers", "words"),
    [
        (("8.", ".."), 1, ((0, 0),), "No mine layout fits the 8 in row 1, column 1."),
        (("2.", ".."), 1, ((0, 0),), "With a mine count of 1, no layout fits the 2 in row 1, column 1."),
        (("0.", ".1"), 1, ((0, 0), (1, 1)), "No mine layout fits the 0 in row 1, column 1, the 1 in row 2, column 2."),
    ],
)  # fmt: skip
def test_contradicting_numbers_are_named(
    rows: tuple[str, ...], mines: int, numbers: tuple[tuple[int, int], ...], words: str
) -> None:
    with pytest.raises(Refusal) as refused:
        evaluate(PositionQuery(rows, mines))
    assert refused.value.code == "impossible_position"
    assert refused.value.cells == numbers
    assert str(refused.value) == words


@pytest.mark.parametrize("rows", [("FF", ".."), ("1F", ".F")])
def test_flags_that_contradict_are_ignored(rows: tuple[str, ...]) -> None:
    """Two flags, but one mine; or a 1 with two flags."""
    found, ignored = evaluate(PositionQuery(rows, 1)), evaluate(PositionQuery(rows, 1, Flags.IGNORED))
    assert (found.flags, ignored.flags) == (FlagUse.CONTRADICTORY, FlagUse.IGNORED)
    assert (found.found.mine == ignored.found.mine).all()
    assert found.advice == ignored.advice


def test_numbers_that_contradict_are_blamed_with_flags_too() -> None:
    with pytest.raises(Refusal) as refused:
        evaluate(PositionQuery(("8F", ".."), 1))
    assert refused.value.cells == ((0, 0),)


def test_only_some_of_many_contradicting_numbers_are_named() -> None:
    query = PositionQuery(tuple("1..1..1..1..1..1..1..1" if row == 1 else "." * 22 for row in range(3)), 3)
    with pytest.raises(Refusal) as refused:
        evaluate(query)
    assert len(refused.value.cells) > 3
    assert str(refused.value).count("the 1 in row") <= 6


def test_examples_are_as_described() -> None:
    found = {one.title: evaluate(one.query) for one in EXAMPLES}
    rules = {title: {step.rule for step in one.deduction.steps} for title, one in found.items()}
    assert Rule.MD2 in rules["The 1-2-1 pattern"]
    assert rules["Three numbers"] == {Rule.NMD3}
    assert rules["Only the mine count helps"] == {Rule.COUNT}
    assert (found["Only the mine count helps"].found.certain_safe.sum(), found["Only the mine count helps"].found.mine[1, 1]) == (2, 1)  # fmt: skip
    gap = found["A gap between two groups of numbers"]
    assert (gap.layouts, gap.advice and gap.advice.cells) == (360, ((0, 2),))
    coin = found["A pure guess"].advice
    assert coin is not None
    assert coin.win == pytest.approx(0.5)
    assert not found["A position from an Expert game"].found.certain_safe.any()


# --- drawing and texts ---


def test_the_cells_of_a_table_have_labels_and_classes() -> None:
    query = PositionQuery(("1F.", "..?", "..."), 2, Flags.IGNORED)
    table = table_of(query, evaluate(query))
    one, flag, far = table[0]
    assert (one.shown, one.classes, one.label) == ("1", "open t1", "row 1, column 1: open, 1")
    assert flag.shown == "⚑"
    assert flag.label == "row 1, column 2: flag, mine: 33.33%"
    assert re.fullmatch(r"closed p\d( advised)?", far.classes)
    trusted = table_of(query, evaluate(replace(query, flags=Flags.TRUSTED)))
    assert (trusted[0][1].shown, trusted[0][1].label) == ("⚑", "row 1, column 2: flag, mine")
    assert table[1][2].label == "row 2, column 3: open, number unknown"


def test_certain_cells_have_a_symbol_a_class_and_a_label() -> None:
    query = PositionQuery(("11.", "..."), 1)
    (row, _below) = table_of(query, evaluate(query))
    assert (row[2].shown, row[2].classes) == ("✓", "closed safe")
    assert row[2].label.endswith("closed, safe")
    mine = table_of(PositionQuery(("1.",), 1), evaluate(PositionQuery(("1.",), 1)))[0][1]
    assert (mine.shown, mine.classes) == ("✹", "closed mine")


def test_wrong_cells_are_highlighted() -> None:
    query = PositionQuery(("8.", ".."), 1)
    with pytest.raises(Refusal) as refused:
        evaluate(query)
    cell = table_of(query, None, refused.value)[0][0]
    assert "wrong" in cell.classes
    assert "contradicts" in cell.label


@given(st.floats(0, 1))
def test_an_uncertain_percentage_is_not_shown_as_0_or_100(chance: float) -> None:
    if 0 < chance < 1:
        assert short_percent(chance) not in {"0", "100"}
        assert float(percent(chance).strip("> ")) not in (0.0, 100.0)
        assert int(chance * SHADES) < SHADES
    else:
        assert percent(chance) in {"0.00", "100.00"}


def test_big_numbers() -> None:
    assert big_number(1) == ("1", "")
    assert big_number(123_456_789) == ("123\u202f456\u202f789", "")
    assert big_number(10**15) == ("1.000", "15")
    assert big_number(2_414_999 * 10**74) == ("2.414", "80")


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_has_its_words(reason: Reason) -> None:
    assert reason in REASONS
    opens = reason not in (Reason.NOTHING, Reason.GIVE_UP)
    words = advice_text(Move(((0, 1),) if opens else (), reason, 0.75, 0.5))
    assert "%(" not in words
    assert ("row 1, column 2" in words) == opens


def test_only_some_of_many_certain_cells_are_named() -> None:
    words = advice_text(Move(tuple((0, column) for column in range(9)), Reason.CERTAIN, 1.0))
    assert [f"column {column}" in words for column in (4, 5)] == [True, False]
    assert "5 more" in words


def test_every_rule_has_a_name() -> None:
    assert set(RULES) == set(Rule)
