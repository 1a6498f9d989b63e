"""Seconds from 1, sub-N, and rounding as a person would do it."""

from __future__ import annotations

from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.recording import Level
from analysis.statistics import (
    BASE,
    BY_NAME,
    LEVEL_CODES,
    RANKED,
    STATISTICS,
    Better,
    Floats,
    Statistic,
    StatKind,
    derive,
)
from analysis.time_convention import (
    best_sub,
    decimals_apart,
    difference,
    number_text,
    on_clock_from_one,
    second,
    sub_limit_ms,
    time_decimals,
    value_text,
)


@pytest.mark.parametrize(
    ("time_ms", "expected"), [(0, 1), (999, 1), (1000, 2), (9000, 10), (9990, 10), (9999, 10), (10_000, 11)]
)
def test_seconds_count_from_one(time_ms: int, expected: int) -> None:
    assert second(time_ms) == expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [(46.44, 42.0, 4.44), (0.3, 0.1, 0.2), (42.0, 46.44, -4.44), (61, 60, 1), (1e-7, 0, 1e-7)],
)
def test_differences_have_no_rounding_of_floats(one: float, other: float, expected: float) -> None:
    assert repr(difference(one, other)) == repr(expected)


def test_expert_sub40_is_38_99_and_not_39_00() -> None:
    assert sub_limit_ms(40) > 38_990
    assert sub_limit_ms(40) > 38_999
    assert sub_limit_ms(40) == 39_000  # on this both conventions of the field agree


@given(st.integers(0, 10**9), st.integers(1, 10**6))
def test_the_limit_the_second_and_the_predicate_agree(time_ms: int, n: int) -> None:
    assert (time_ms < sub_limit_ms(n)) == (second(time_ms) <= n - 1)
    assert time_ms < sub_limit_ms(best_sub(second(time_ms)))
    assert time_ms >= sub_limit_ms(best_sub(second(time_ms)) - 1)


@pytest.mark.parametrize(
    ("value", "decimals", "expected"),
    [
        (112 / 20.16, 2, "5.56"),  # other sites show 5.55
        (127 / 49.25, 3, "2.579"),  # and 2.578
        (2.5787, 3, "2.579"),
        (2.675, 2, "2.68"),  # the double is 2.67499999999999982236431605997495353221893310546875
        (0.125, 2, "0.13"),
        (-0.125, 2, "-0.13"),
        (-0.001, 2, "0.00"),
        (1e21, 0, "1000000000000000000000"),
        (1e-7, 3, "0.000"),
        (5, 0, "5"),
        (5, 3, "5.000"),
    ],
)
def test_numbers_round_half_up(value: float, decimals: int, expected: str) -> None:
    assert number_text(value, decimals) == expected


@given(st.integers(-(10**9), 10**9), st.integers(0, 4))
def test_whole_thousandths_round_like_decimals(thousandths: int, decimals: int) -> None:
    exact = Decimal(thousandths) / 1000
    expected = exact.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)
    assert Decimal(number_text(thousandths / 1000, decimals)) == expected


@pytest.mark.parametrize(
    ("precision_ms", "decimals"), [(None, 3), (1, 3), (5, 3), (10, 2), (50, 2), (100, 1), (1000, 0)]
)
def test_decimals_follow_the_clock(precision_ms: int | None, decimals: int) -> None:
    assert time_decimals(precision_ms) == decimals


def test_times_show_what_the_clock_measured() -> None:
    time = BY_NAME["time"]
    assert value_text(time, 37.82, precision_ms=10) == "37.82"
    assert value_text(time, 36.734, precision_ms=1) == "36.734"
    assert value_text(time, 9.0, precision_ms=10) == "9.00"
    assert value_text(time, 12_000.0) == "12000.000"


def test_sums_add_one_a_game() -> None:
    assert on_clock_from_one(BY_NAME["time"], 61.5, games=3) == 64.5


def test_every_time_of_a_game_is_shown_on_the_same_clock() -> None:
    assert on_clock_from_one(BY_NAME["time_ms"], 59_640) == 60_640
    assert on_clock_from_one(BY_NAME["estime"], 59.5) == 60.5
    assert on_clock_from_one(BY_NAME["rv"], 59.64) == 59.64  # an index, not the time of a game


def test_small_values_are_written_out() -> None:
    assert value_text(BY_NAME["ioe"], 0.000075) == "0.000075"
    assert value_text(BY_NAME["ioe"], 2.5e-8) == "2.5e-08"


def test_what_is_not_zero_does_not_look_like_zero() -> None:
    assert value_text(BY_NAME["luck"], 1.234e-7) == "1.2e-07"
    assert value_text(BY_NAME["luck"], 0.000109) == "0.000109"
    assert value_text(BY_NAME["luck"], 0.0) == "0.000000"


# --- values of different ranks look different -------------------------------------------------------------------------


def _games(source: Random, precision_ms: int, count: int) -> dict[str, Floats]:
    """Base numbers of won Expert games as close together as their clocks and counts allow."""
    steps = source.sample(range(55_000 // precision_ms, 65_000 // precision_ms), count)
    counts = {row.name: [float(source.randint(150, 170)) for _ in steps] for row in BASE if row.integer}
    times = {"time_ms": [float(step * precision_ms) for step in steps]}
    paths = {"path": [source.uniform(5_000, 5_001) for _ in steps]}
    fixed = {"win": [1.0] * count, "level": [float(LEVEL_CODES[Level.EXPERT])] * count}
    return {name: np.array(values) for name, values in (counts | times | paths | fixed).items()}


@pytest.mark.parametrize("precision_ms", [1, 10])
@pytest.mark.parametrize("row", RANKED, ids=lambda row: row.name)
def test_different_values_look_different_on_a_board(row: Statistic, precision_ms: int) -> None:
    source = Random(f"{row.name} {precision_ms}")
    if row.kind is StatKind.LUCK:
        values = [source.uniform(0, 3) for _ in range(100)] + [0.0, 1e-6, 0.5, 0.5019]
    else:
        base = _games(source, precision_ms, 100)
        values = [float(value) for value in (base | derive(base))[row.name]]
    ranked = sorted(set(values), key=row.rank_key)
    assert len(ranked) > 10
    decimals = decimals_apart(row, ranked)
    texts = [value_text(row, value, precision_ms=precision_ms, decimals=decimals) for value in ranked]
    for (better, text), (worse, next_text) in pairwise(zip(ranked, texts, strict=True)):
        if abs(better - worse) > 1e-9:  # closer ones differ by the rounding of floats alone
            assert text != next_text
            assert (float(text) < float(next_text)) is (row.better is Better.LOW)


@pytest.mark.parametrize("better", [Better.LOW, Better.HIGH])
def test_a_list_has_no_more_decimals_than_it_needs(better: Better) -> None:
    row = replace(BY_NAME["bvs"], better=better)
    assert decimals_apart(row, []) == decimals_apart(row, [2.0]) == decimals_apart(row, [2.0, 2.0]) == 3
    assert decimals_apart(row, [2.0, 2.001]) == 3
    assert decimals_apart(row, [2.0, 2.0004]) == 4
    assert decimals_apart(row, [2.0, 2.0 + 1e-12]) == 9
    assert decimals_apart(BY_NAME["time"], [2.0, 2.0004]) is None


@pytest.mark.parametrize("row", [row for row in STATISTICS if not row.integer], ids=lambda row: row.name)
def test_no_statistic_is_rounded_to_whole_numbers(row: Statistic) -> None:
    assert row.decimals > 0
