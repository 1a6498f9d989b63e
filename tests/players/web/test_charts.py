"""Step charts: nothing outside the drawing, round ticks, escaped texts."""

from __future__ import annotations

import datetime
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.time_convention import number_text
from players.web.charts.axes import date_ticks, value_range, value_ticks
from players.web.charts.plot import FOOT, LEFT, RIGHT, TOP
from players.web.charts.step_chart import Point, step_chart

UTC = datetime.UTC
NOW = datetime.datetime(2024, 6, 1, tzinfo=UTC)
DATETIMES = st.datetimes(
    datetime.datetime(1990, 1, 1), datetime.datetime(2024, 5, 1), timezones=st.just(UTC)  # noqa: DTZ001 - hypothesis adds it
)  # fmt: skip
VALUES = st.floats(0.001, 100_000).map(lambda value: round(value, 3))


def drawn(points: list[Point]) -> ElementTree.Element:
    return ElementTree.fromstring(str(step_chart(points, until=NOW, title="A & B", number=number_text)))  # noqa: S314


@given(st.lists(st.tuples(DATETIMES, VALUES), min_size=1, max_size=30))
def test_every_point_lies_in_the_drawing(found: list[tuple[datetime.datetime, float]]) -> None:
    points = [Point(at, value, f"{value}") for at, value in sorted(found)]
    chart = drawn(points)
    circles = list(chart.iter("circle"))
    assert [circle[0].text for circle in circles] == [point.text for point in points]
    xs, ys = ([float(circle.get(name, "").rstrip("%")) for circle in circles] for name in ("cx", "cy"))
    assert xs == sorted(xs)
    assert all(LEFT <= x <= RIGHT for x in xs)
    assert all(TOP <= y <= FOOT for y in ys)
    by_value = sorted(zip([point.value for point in points], ys, strict=True))
    assert [y for _value, y in by_value] == sorted(ys, reverse=True)  # more is higher


@given(st.lists(VALUES, min_size=1, max_size=5))
def test_ticks_are_round_and_few(values: list[float]) -> None:
    low, high = value_range(values)
    ticks, decimals = value_ticks(low, high)
    assert 2 <= len(ticks) <= 7
    assert all(low - 1e-6 * abs(low) <= tick <= high + 1e-6 * abs(high) for tick in ticks)
    texts = [number_text(tick, decimals) for tick in ticks]
    assert len(set(texts)) == len(texts)
    assert [float(text) for text in texts] == ticks


@given(DATETIMES, st.timedeltas(datetime.timedelta(0), datetime.timedelta(days=20_000)))
def test_dates_are_few_and_in_order(begin: datetime.datetime, span: datetime.timedelta) -> None:
    ticks = date_ticks(begin, begin + span)
    assert len(ticks) <= 9
    values = [tick.value for tick in ticks]
    assert values == sorted(set(values))
    assert all(begin.timestamp() <= value <= (begin + span).timestamp() for value in values)


@pytest.mark.parametrize(
    ("begin", "end", "texts"),
    [
        ((2020, 3, 5), (2024, 1, 2), ["2021", "2022", "2023", "2024"]),
        ((2023, 11, 5), (2024, 3, 1), ["2023-12", "2024-01", "2024-02", "2024-03"]),
        ((2024, 1, 1), (2024, 1, 4), ["01-01", "01-02", "01-03", "01-04"]),
    ],
)
def test_ticks_of_dates_have_the_shortest_form(
    begin: tuple[int, int, int], end: tuple[int, int, int], texts: list[str]
) -> None:
    ticks = date_ticks(datetime.datetime(*begin, tzinfo=UTC), datetime.datetime(*end, tzinfo=UTC))
    assert [tick.text for tick in ticks] == texts


def test_a_value_holds_until_the_next_one() -> None:
    points = [Point(NOW - datetime.timedelta(days=10), 60.0, "a"), Point(NOW - datetime.timedelta(days=5), 50.0, "b")]
    (steps,) = (group for group in drawn(points).iter("g") if group.get("class") == "steps")
    across, down, on = ([line.get(name, "") for name in ("x1", "y1", "x2", "y2")] for line in steps)
    assert (across[0], across[2], across[1]) == ("10%", "53.5%", across[3])
    assert (down[0], down[2]) == ("53.5%", "53.5%")
    assert (on[0], on[2], on[1]) == ("53.5%", "97%", on[3])


def test_one_point_now_is_drawn_too() -> None:
    assert len(list(drawn([Point(NOW, 0.0, "x")]).iter("circle"))) == 1


def test_no_points_give_no_drawing() -> None:
    assert step_chart([], until=NOW, title="", number=number_text) == ""


def test_texts_are_escaped() -> None:
    chart = str(step_chart([Point(NOW, 1.0, "<i>")], until=NOW, title='"><script>', number=number_text))
    assert "<i>" not in chart
    assert "<script>" not in chart
