"""Seconds from 1, sub-N, and rounding as a person would do it."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.time_convention import (
    best_sub,
    is_sub,
    number_text,
    second,
    seconds_text,
    sub_limit_ms,
    time_decimals,
    time_text,
)


@pytest.mark.parametrize(
    ("time_ms", "expected"), [(0, 1), (999, 1), (1000, 2), (9000, 10), (9990, 10), (9999, 10), (10_000, 11)]
)
def test_seconds_count_from_one(time_ms: int, expected: int) -> None:
    assert second(time_ms) == expected


def test_expert_sub40_is_38_99_and_not_39_00() -> None:
    assert is_sub(38_990, 40)
    assert is_sub(38_999, 40)
    assert not is_sub(39_000, 40)
    assert not is_sub(39_010, 40)  # on this both conventions of the field agree


@given(st.integers(0, 10**9), st.integers(1, 10**6))
def test_the_limit_the_second_and_the_predicate_agree(time_ms: int, n: int) -> None:
    assert is_sub(time_ms, n) == (time_ms < sub_limit_ms(n)) == (second(time_ms) <= n - 1)
    assert is_sub(time_ms, best_sub(second(time_ms)))
    assert not is_sub(time_ms, best_sub(second(time_ms)) - 1)


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
    assert time_text(37_820, 10) == "37.82"
    assert time_text(37_820, 10, from_one=True) == "38.82"
    assert time_text(36_734, 1) == "36.734"
    assert time_text(9_000, 10) == "9.00"
    assert time_text(999_999, 1) == "999.999"
    assert time_text(12_000_000, 1) == "12000.000"


def test_sums_add_one_a_game() -> None:
    assert seconds_text(61.5, from_one=True, games=3) == "64.500"
    assert seconds_text(9.0) == "9.000"
    assert seconds_text(9.0, from_one=True, decimals=2) == "10.00"
