"""Filters of boards in the query of an address."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from players.leaderboards.filters import (
    FIRST_FORTNIGHT,
    UNFILTERED,
    BoardFilter,
    fortnight_of,
)
from players.web.parameters import BadParameter
from tests.players.queries import filter_in


def utc(*numbers: int) -> datetime:
    return datetime(*numbers, tzinfo=UTC)  # type: ignore[arg-type, misc]  # year, month, day


def test_no_parameter_filters_nothing() -> None:
    assert filter_in({}) == UNFILTERED
    assert filter_in({"style": "NF", "cursor": "x", "period": " ", "min_3bv": "0", "best_of": "1"}) == UNFILTERED
    assert UNFILTERED.is_empty
    assert not UNFILTERED.needs_games
    assert UNFILTERED.parameters() == {}


@pytest.mark.parametrize(
    ("period", "since", "until"),
    [
        ("2019", utc(2019, 1, 1), utc(2020, 1, 1)),
        ("2019-05", utc(2019, 5, 1), utc(2019, 6, 1)),
        ("2019-12", utc(2019, 12, 1), utc(2020, 1, 1)),
        ("2002-01-19", utc(2002, 1, 19), utc(2002, 2, 2)),
        ("2002-01-05", utc(2002, 1, 5), utc(2002, 1, 19)),
    ],
)
def test_periods(period: str, since: datetime, until: datetime) -> None:
    found = filter_in({"period": period})
    assert (found.since, found.until) == (since, until)
    assert found.parameters() == {"period": period}
    assert found.needs_games
    assert not found.is_only_as_of


def test_active_is_the_two_weeks_of_today() -> None:
    found = filter_in({"period": "active"})
    assert found.since is not None
    assert found.until is not None
    assert found.since <= timezone.now() < found.until
    assert found.until - found.since == timedelta(days=14)
    assert filter_in({"period": f"{found.since:%Y-%m-%d}"}).since == found.since


@given(st.dates(date(1990, 1, 1), date(2099, 1, 1)))
def test_every_day_has_its_two_weeks(day: date) -> None:
    first = fortnight_of(day)
    assert first <= day < first + timedelta(days=14)
    assert (first - FIRST_FORTNIGHT).days % 14 == 0


def test_a_board_as_of_a_day_holds_that_day() -> None:
    found = filter_in({"as_of": "2019-05-01"})
    assert found.until == utc(2019, 5, 2)
    assert found.is_only_as_of
    assert filter_in({"as_of": "2019-05-01", "country": "pl"}).is_only_as_of
    for any_day in ("0001-01-01", "1500-01-01", "9999-12-31"):
        assert filter_in({"as_of": any_day}).as_of == any_day
    assert not filter_in({"as_of": "2019-05-01", "best_of": "5"}).is_only_as_of


def test_a_day_within_a_period_ends_it() -> None:
    found = filter_in({"period": "2019", "as_of": "2019-05-01"})
    assert (found.since, found.until) == (utc(2019, 1, 1), utc(2019, 5, 2))
    assert filter_in({"period": "2019", "as_of": "2021-01-01"}).until == utc(2020, 1, 1)


def test_the_rest() -> None:
    found = filter_in({"country": "de", "min_3bv": "120", "best_of": "10"})
    assert found == BoardFilter(country="DE", min_bv=120, best_of=10)
    assert found.parameters() == {"country": "DE", "min_3bv": "120", "best_of": "10"}
    assert not filter_in({"country": "DE"}).needs_games


@pytest.mark.parametrize(
    "parameters",
    [
        {"period": "19"}, {"period": "2019-13"}, {"period": "2019-00"}, {"period": "1066"}, {"period": "9999"},
        {"period": "2019-05-01"}, {"period": "2019-02-30"}, {"period": "soon"}, {"period": "２０１９"},
        {"as_of": "2019"}, {"as_of": "2019-02-29"}, {"as_of": "1500-13-01"}, {"as_of": "active"},
        {"country": "D"}, {"country": "DEU"}, {"country": "1!"}, {"country": "ßß"},
        {"min_3bv": "-1"}, {"min_3bv": "x"}, {"min_3bv": "1000"}, {"min_3bv": "9" * 50}, {"min_3bv": "²"},
        {"best_of": "0"}, {"best_of": "101"}, {"best_of": "1.5"},
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_a_reason(parameters: dict[str, str]) -> None:
    with pytest.raises(BadParameter, match=r"\w+"):
        filter_in(parameters)


def test_sums_have_no_least_3bv() -> None:
    with pytest.raises(BadParameter, match="3BV"):
        filter_in({"min_3bv": "100"}, combined=True)
    assert filter_in({"best_of": "5"}, combined=True).best_of == 5


@given(st.dictionaries(st.sampled_from(["period", "as_of", "country", "min_3bv", "best_of"]), st.text(max_size=12)))
def test_any_text_is_a_filter_or_a_reason(parameters: dict[str, str]) -> None:
    try:
        found = filter_in(parameters)
    except BadParameter:
        return
    assert filter_in(found.parameters()) == found
