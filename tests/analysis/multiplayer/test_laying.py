"""Laying: golden boards, the slow twin, and parameters from which no board can be laid."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.board import board_facts
from analysis.kernels import multiplayer as kernels
from analysis.multiplayer import laying as module
from analysis.multiplayer.laying import (
    MAX_CELLS,
    MAX_STEPS,
    Laying,
    LayingError,
    areas,
    lay,
    mine_count,
    numbers_of,
    steps,
)
from analysis.recording import Board
from tests.analysis.multiplayer.golden import DEFAULT, GOLDEN, TINY, TINY_REPAIR, board_sha256, mines_of, numbers_on
from tests.effort import amount, examples
from tests.naive_rooms import NaiveBoard, NeverEnds, multiplied, naive_lay

BOARD = GOLDEN["default_board"]
WEAK = GOLDEN["weaknesses"]


def rows_of(mines: Any) -> list[str]:
    return ["".join(".*"[mine] for mine in row) for row in mines]


def test_the_default_board() -> None:
    mines = mines_of(DEFAULT)
    places = np.argwhere(mines).tolist()
    assert len(places) == BOARD["mines"]
    assert places[:8] == BOARD["first_8_mines_row_major"]
    assert places[-3:] == BOARD["last_3_mines"]
    assert (rows_of(mines)[0], rows_of(mines)[74]) == (BOARD["row_0"], BOARD["row_74"])
    assert board_sha256(mines) == BOARD["board_sha256"]
    laid = areas(DEFAULT)
    by_area = [int(mines[a.top : a.top + a.height, a.left : a.left + a.width].sum()) for a in laid]
    assert np.reshape(by_area, (5, 5)).tolist() == BOARD["mines_by_area"]
    assert [area.mines for area in laid] == by_area


@given(st.integers(1, 60), st.integers(1, 60), st.integers(1, 70), st.data())
def test_the_number_of_mines_without_laying(rows: int, columns: int, area: int, data: st.DataObject) -> None:
    laying = Laying(rows, columns, area, data.draw(st.integers(0, area * area - 1)))
    assert mine_count(laying) == sum(one.mines for one in areas(laying))


def test_numbers_of_the_default_board() -> None:
    assert np.bincount(numbers_on(DEFAULT).ravel()).tolist() == BOARD["cells_by_number_0_to_8_then_mines"]
    assert np.count_nonzero(numbers_on(DEFAULT) < 9) == BOARD["safe"]
    facts = board_facts(Board(mines_of(DEFAULT).copy()))
    assert (facts.op, facts.bv) == (BOARD["openings"], BOARD["bv"])
    assert np.array_equal(facts.numbers, numbers_on(DEFAULT))


def test_the_first_steps_of_the_default_board() -> None:
    shown = [
        {"cell": [*s.cell], "fibonacci": s.fibonacci, "delta": s.deltas[-1], "swap_with": [*s.swapped_with]}
        for s in steps(DEFAULT, 0, 8)
    ]
    assert shown == BOARD["first_8_steps"]
    every = [step for first in range(0, DEFAULT.cells, MAX_STEPS) for step in steps(DEFAULT, first, MAX_STEPS)]
    assert len(every) == DEFAULT.cells
    assert sum(step.multiplications - 1 for step in every) == BOARD["retries"]


@pytest.mark.parametrize("wanted", GOLDEN["other_boards"], ids=lambda board: f"{board['rows']}-{board['start_number']}")
def test_other_boards(wanted: dict[str, Any]) -> None:
    names = ("rows", "columns", "area", "area_mines", "modulus", "start_number")
    mines = lay(Laying(**{name: wanted[name] for name in names}))
    assert int(mines.sum()) == wanted["mines"]
    assert np.argwhere(mines).tolist()[:4] == wanted["first_4_mines"]
    assert board_sha256(mines) == wanted["board_sha256"]


def test_the_tiny_board_by_hand() -> None:
    golden = GOLDEN["tiny_board"]
    assert rows_of(mines_of(TINY)) == golden["rows"]
    assert numbers_on(TINY).tolist() == golden["numbers_9_is_mine"]
    assert [area.mines for area in areas(TINY)] == golden["mines_by_area"]
    lefts = [area.left for area in areas(TINY) for _ in range(area.height * area.width)]
    traced = [
        [s.fibonacci, [*s.deltas], [s.swapped_with[0], s.swapped_with[1] - left]]
        for s, left in zip(steps(TINY, 0, 24), lefts, strict=True)
    ]
    assert traced == golden["trace_fibonacci_deltas_swap"]
    assert sum(s.multiplications - 1 for s in steps(TINY, 0, 24)) == golden["retries"]


def test_the_board_of_the_tiny_repair() -> None:
    assert np.argwhere(mines_of(TINY_REPAIR)).tolist() == GOLDEN["repair_tiny"]["mines"]
    assert numbers_on(TINY_REPAIR).tolist() == GOLDEN["repair_tiny"]["numbers"]


@st.composite
def layings(draw: st.DrawFn) -> Laying:
    """Any parameters that are not refused at once; often with a modulus little above the cells of an area."""
    rows, columns, area = draw(st.integers(1, 24)), draw(st.integers(1, 24)), draw(st.integers(1, 9))
    cells = min(area, rows) * min(area, columns)
    modulus = draw(st.just(33_554_393) | st.integers(cells + 2, cells + 300) | st.integers(cells + 2, 2**26))
    start_number = draw(st.integers(1, 998_244_352).filter(lambda number: number % modulus != 0))
    return Laying(rows, columns, area, draw(st.integers(0, area * area - 1)), modulus, start_number)


@given(layings())
@settings(max_examples=examples(600), deadline=None)
def test_any_board_is_that_of_the_slow_twin(laying: Laying) -> None:
    try:
        wanted = naive_lay(laying)
    except NeverEnds:
        with pytest.raises(LayingError) as raised:
            lay(laying)
        assert raised.value.code in {"delta_zero", "delta_cycle"}
        return
    assert np.array_equal(lay(laying), wanted)
    assert numbers_of(wanted).ravel().tolist() == NaiveBoard(wanted).number


@given(layings(), st.integers(0, 600), st.integers(0, 50))
@settings(max_examples=examples(300), deadline=None)
def test_steps_are_a_part_of_all_steps(laying: Laying, first: int, count: int) -> None:
    try:
        every = steps(laying, 0, laying.cells)
    except LayingError:
        return
    assert len(every) == laying.cells
    assert steps(laying, first, count) == every[first : first + count]
    deltas = [laying.start_number % laying.modulus, *(step.deltas[-1] for step in every)]
    for (before, _), step in zip(pairwise([*deltas, 0]), every, strict=False):
        assert step.deltas[0] == before * step.fibonacci % laying.modulus
        assert step.multiplications == len(step.deltas) or len(step.deltas) == module.DELTAS_SHOWN


def test_steps_outside_the_board_are_none() -> None:
    assert steps(TINY, 24, 1) == steps(TINY, -1, 3) == steps(TINY, 3, 0) == []
    assert len(steps(TINY, 20, 100)) == 4


# --- what cannot be laid ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"rows": 0}, "out_of_range"),
        ({"columns": -3}, "out_of_range"),
        ({"rows": 1001, "columns": 1000}, "too_many_cells"),
        ({"rows": 10**30, "columns": 1}, "out_of_range"),
        ({"area": 0}, "out_of_range"),
        ({"area": 1001, "modulus": 2**26}, "out_of_range"),
        ({"area_mines": 256}, "out_of_range"),
        ({"area_mines": -1}, "out_of_range"),
        ({"modulus": 256}, "out_of_range"),
        ({"modulus": 257}, "out_of_range"),  # delta is at most 256, never above it
        ({"modulus": 2**26 + 1}, "out_of_range"),
        ({"start_number": 0}, "out_of_range"),
        ({"start_number": -1}, "out_of_range"),
        ({"start_number": 2**53}, "out_of_range"),
        ({"start_number": 33_554_393}, "start_number_zero"),
        ({"start_number": 3 * 33_554_393}, "start_number_zero"),
        ({"start_number": 1.5}, "not_a_number"),
        ({"rows": True}, "not_a_number"),
        ({"rows": "75"}, "not_a_number"),
    ],
    ids=str,
)
def test_parameters_that_make_no_board_are_refused(values: dict[str, Any], code: str) -> None:
    with pytest.raises(LayingError) as raised:
        Laying(**values)
    assert raised.value.code == code
    assert all(str(value) in str(raised.value) for value in raised.value.params.values())


def test_a_multiplier_of_zero_ends_in_an_error() -> None:
    """The 50th Fibonacci number is the first that 101 divides, and the multiplier of the 48th cell."""
    assert lay(Laying(4, 11, area=4, area_mines=3, modulus=101, start_number=7)).shape == (4, 11)
    with pytest.raises(LayingError) as raised:
        lay(Laying(4, 12, area=4, area_mines=3, modulus=101, start_number=7))
    assert (raised.value.code, raised.value.params) == ("delta_zero", {"step": 47})


def test_the_papers_modulus_divides_no_multiplier_of_a_board_that_is_allowed() -> None:
    """Every loop of the reference that this would make endless lies beyond the boards that are laid here."""
    swap = WEAK["fibonacci_is_zero_at_swap"]
    modulus = DEFAULT.modulus

    def fibonacci(n: int) -> tuple[int, int]:
        """F(n) and F(n + 1) mod the modulus."""
        if n == 0:
            return 0, 1
        a, b = fibonacci(n // 2)
        even, odd = a * (2 * b - a) % modulus, (a * a + b * b) % modulus
        return (odd, (even + odd) % modulus) if n % 2 else (even, odd)

    index = swap + 2  # the first multiplier is F(3)
    assert fibonacci(index)[0] == 0
    # The zeros of the sequence are the multiples of the first, so a smaller one would divide this one.
    primes = [q for q in range(2, 10_000) if index % q == 0 and all(q % r for r in range(2, q))]
    rest = index
    for prime in primes:
        assert fibonacci(index // prime)[0] != 0
        while rest % prime == 0:
            rest //= prime
    assert rest == 1 or fibonacci(index // rest)[0] != 0
    assert swap > MAX_CELLS


def test_delta_that_goes_round_ends_in_an_error() -> None:
    """2 is of order 3 modulo 7: from 1 on delta is 2, 4, 1, 2, and never above 4."""
    with pytest.raises(LayingError) as raised:
        lay(Laying(2, 2, area=2, area_mines=1, modulus=7, start_number=1))
    assert (raised.value.code, raised.value.params) == ("delta_cycle", {"step": 0})


def test_a_laying_has_a_limit_of_multiplications(monkeypatch: pytest.MonkeyPatch) -> None:
    laying = Laying(20, 20, area=20, area_mines=80, modulus=409, start_number=5)
    monkeypatch.setattr(module, "MAX_MULTIPLICATIONS", 1_000)
    with pytest.raises(LayingError) as raised:
        lay(laying)
    assert raised.value.code == "too_long"


@given(st.integers(1, 30), st.integers(1, 30), st.integers(1, 30), st.integers(2, 400), st.integers(1, 10_000))
@settings(max_examples=examples(400), deadline=None)
def test_multiplications_are_bounded(rows: int, columns: int, area: int, above: int, start_number: int) -> None:
    """Whatever the parameters: no more than the limit and one retry, whose values cannot be more than the cells."""
    cells = min(area, rows) * min(area, columns)
    limit = 500
    mines = np.empty((rows, columns), np.uint8)
    no_trace = np.empty((0, kernels.TRACE_COLUMNS), np.int64)
    result, step, multiplications = kernels.lay_areas(
        mines, area, 0, cells + above, start_number % (cells + above), limit, 0, no_trace
    )
    assert multiplications <= limit + cells + 1
    assert (result == kernels.LAID) == (step == rows * columns)


# --- what is known to be weak, and why boards of rooms are not ranked ------------------------------------------------


def test_only_the_residue_of_the_start_number_counts() -> None:
    assert WEAK["distinct_boards_at_most"] == DEFAULT.modulus - 1
    other = Laying(start_number=DEFAULT.start_number + DEFAULT.modulus)
    assert np.array_equal(lay(other), mines_of(DEFAULT))


def test_small_start_numbers_collide() -> None:
    boards = {number: board_sha256(lay(Laying(16, 16, start_number=number))) for number in range(1, 257)}
    assert len({boards[2**power] for power in range(9)}) == 1
    assert len(set(boards.values())) == WEAK["boards_of_start_numbers_1_to_256_on_16x16"]


def test_mines_are_spread_unevenly() -> None:
    """Boards are drawn as WEAK["bias_how"] says; the tolerance is four standard errors of the fewest boards."""
    rng = random.Random(2022)
    count = amount(long=200_000, usual=20_000)
    total = np.zeros((16, 32), np.int64)
    for _ in range(count):
        total += lay(Laying(16, 32, start_number=rng.randint(297, 998_244_352)))
    share = total / count
    assert share.mean(axis=1) == pytest.approx(WEAK["mine_share_by_row_of_a_full_area"], abs=0.0025)
    assert share.mean() == pytest.approx(WEAK["mine_share_mean"], abs=1e-12)
    assert (share[:, :16] + share[:, 16:]).max() / 2 == pytest.approx(WEAK["mine_share_highest_cell"], abs=0.012)


def test_the_papers_letter_is_not_what_its_program_does() -> None:
    """Until delta is below the number of mines: hundreds of thousands of multiplications, and three columns."""
    golden = WEAK["literal_text_retry_rule"]
    delta, counts = DEFAULT.start_number, []
    for f1 in (2, 3, 5):
        values = multiplied(delta, f1, DEFAULT.modulus, lambda value: value < DEFAULT.area_mines)
        counts.append(len(values))
        delta = values[-1]
    assert counts == golden["first_3_swaps_multiplications"]
    assert sorted({value // 16 % 16 for value in range(DEFAULT.area_mines)}) == golden["reachable_columns"]
    reset = naive_lay(DEFAULT, new_delta_each_area=True)
    assert np.count_nonzero(reset != mines_of(DEFAULT)) == WEAK["delta_reset_per_area_changes_cells"]
