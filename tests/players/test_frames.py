"""Addresses of narrowed boards."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from players.frames import FIRST_FORTNIGHT, WHOLE, BadFrame, Frame, fortnight_of, frame_of


def moment(*numbers: int) -> datetime:
    return datetime(*numbers, tzinfo=UTC)  # type: ignore[arg-type, misc]  # year, month, day


def test_nothing_asked_is_the_whole_board() -> None:
    assert frame_of({}) == WHOLE
    assert frame_of({"style": "NF", "cursor": "x", "period": " ", "min_3bv": "0", "best_of": "1"}) == WHOLE
    assert WHOLE.is_whole
    assert not WHOLE.games_matter
    assert WHOLE.parameters() == {}


@pytest.mark.parametrize(
    ("period", "since", "until"),
    [
        ("2019", moment(2019, 1, 1), moment(2020, 1, 1)),
        ("2019-05", moment(2019, 5, 1), moment(2019, 6, 1)),
        ("2019-12", moment(2019, 12, 1), moment(2020, 1, 1)),
        ("2002-01-19", moment(2002, 1, 19), moment(2002, 2, 2)),
        ("2002-01-05", moment(2002, 1, 5), moment(2002, 1, 19)),
    ],
)
def test_periods(period: str, since: datetime, until: datetime) -> None:
    frame = frame_of({"period": period})
    assert (frame.since, frame.until) == (since, until)
    assert frame.parameters() == {"period": period}
    assert frame.games_matter
    assert not frame.only_until


def test_active_is_the_two_weeks_of_today() -> None:
    frame = frame_of({"period": "active"})
    assert frame.since is not None
    assert frame.until is not None
    assert frame.since <= timezone.now() < frame.until
    assert frame.until - frame.since == timedelta(days=14)
    assert frame_of({"period": f"{frame.since:%Y-%m-%d}"}).since == frame.since


@given(st.dates(date(1990, 1, 1), date(2099, 1, 1)))
def test_every_day_has_its_two_weeks(day: date) -> None:
    first = fortnight_of(day)
    assert first <= day < first + timedelta(days=14)
    assert (first - FIRST_FORTNIGHT).days % 14 == 0


def test_a_board_as_of_a_day_holds_that_day() -> None:
    frame = frame_of({"as_of": "2019-05-01"})
    assert frame.until == moment(2019, 5, 2)
    assert frame.only_until
    assert frame_of({"as_of": "2019-05-01", "country": "pl"}).only_until
    assert not frame_of({"as_of": "2019-05-01", "best_of": "5"}).only_until


def test_a_day_within_a_period_ends_it() -> None:
    frame = frame_of({"period": "2019", "as_of": "2019-05-01"})
    assert (frame.since, frame.until) == (moment(2019, 1, 1), moment(2019, 5, 2))
    assert frame_of({"period": "2019", "as_of": "2021-01-01"}).until == moment(2020, 1, 1)


def test_the_rest() -> None:
    frame = frame_of({"country": "de", "min_3bv": "120", "best_of": "10"})
    assert frame == Frame(country="DE", min_bv=120, best_of=10)
    assert frame.parameters() == {"country": "DE", "min_3bv": "120", "best_of": "10"}
    assert not frame_of({"country": "DE"}).games_matter


@pytest.mark.parametrize(
    "parameters",
    [
        {"period": "19"}, {"period": "2019-13"}, {"period": "2019-00"}, {"period": "1066"}, {"period": "9999"},
        {"period": "2019-05-01"}, {"period": "2019-02-30"}, {"period": "soon"}, {"period": "２０１９"},
        {"as_of": "2019"}, {"as_of": "2019-02-29"}, {"as_of": "1500-01-01"}, {"as_of": "active"},
        {"country": "D"}, {"country": "DEU"}, {"country": "1!"}, {"country": "ßß"},
        {"min_3bv": "-1"}, {"min_3bv": "x"}, {"min_3bv": "1000"}, {"min_3bv": "9" * 50}, {"min_3bv": "²"},
        {"best_of": "0"}, {"best_of": "101"}, {"best_of": "1.5"},
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_a_reason(parameters: dict[str, str]) -> None:
    with pytest.raises(BadFrame, match=r"\w+"):
        frame_of(parameters)


def test_sums_have_no_least_3bv() -> None:
    with pytest.raises(BadFrame, match="3BV"):
        frame_of({"min_3bv": "100"}, combined=True)
    assert frame_of({"best_of": "5"}, combined=True).best_of == 5


@given(st.dictionaries(st.sampled_from(["period", "as_of", "country", "min_3bv", "best_of"]), st.text(max_size=12)))
def test_any_text_is_a_frame_or_a_reason(parameters: dict[str, str]) -> None:
    try:
        frame = frame_of(parameters)
    except BadFrame:
        return
    assert frame_of(frame.parameters()) == frame
