"""The axis of boards: where values are on it, and its ticks."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from analysis.statistics import BY_NAME
from players.leaderboards.pages.axis import Axis
from players.leaderboards.pages.board_texts import label_inside
from players.leaderboards.pages.cells import gap

TIME = BY_NAME["time"]


@pytest.mark.parametrize(("leader", "last"), [(40.0, 360.0), (4.1, 0.3), (0.0, 1.2), (-1.0, 3.0), (100.0, 1.0)])
def test_worse_values_are_further_from_the_leader(leader: float, last: float) -> None:
    axis = Axis(leader, last)
    shares = sorted(random.Random(8).random() for _ in range(50))
    places = [axis.at(leader + share * (last - leader)) for share in (0.0, *shares, 1.0)]
    assert places == sorted(places)
    assert [places[0], places[-1]] == pytest.approx([2, 96])
    assert axis.at(leader - (last - leader)) == places[0]  # a better value than the leader's stays inside


def test_the_same_ratio_is_the_same_distance() -> None:
    axis = Axis(40.0, 640.0)
    assert axis.at(80.0) - axis.at(40.0) == pytest.approx(axis.at(640.0) - axis.at(320.0))


@pytest.mark.parametrize(
    ("leader", "last", "statistic", "texts"),
    [
        (40.545, 359.36, "time", ["60 s", "120 s", "240 s"]),
        (40.0, 44.0, "time", ["41 s", "42 s", "43 s"]),
        (1.0, 9.8, "time", ["2 s", "4 s", "8 s"]),
        (4.1, 1.1, "bvs", ["3", "2"]),
        (0.0, 1.2, "pluck", ["0.5", "1"]),
        (50_000.0, 1_200.0, "path", ["20000 px", "5000 px", "2000 px"]),
    ],
)
def test_ticks_are_round_and_apart(leader: float, last: float, statistic: str, texts: list[str]) -> None:
    ticks = Axis(leader, last).ticks(BY_NAME[statistic])
    assert [text for _x, text in ticks] == texts
    places = [x for x, _text in ticks]
    assert all(after - before >= 20 for before, after in pairwise(places))


def test_ticks_are_round_on_the_clock_of_the_reader() -> None:
    axis = Axis(40.545, 359.36)
    ((place, text), *_more) = axis.ticks(TIME, offset=1.0)
    assert (text, place) == ("60 s", axis.at(59.0))


@pytest.mark.parametrize(
    ("label", "inside"),
    [("Time", "time"), ("3BV/s", "3BV/s"), ("STNB (2023)", "STNB (2023)"), ("Luck needed", "luck needed"), ("IOE", "IOE"),
     ("Greedy ZiNi/s", "greedy ZiNi/s"), ("CE cost per opening", "CE cost per opening"), ("时间", "时间")],
)  # fmt: skip
def test_labels_inside_a_title(label: str, inside: str) -> None:
    assert label_inside(label) == inside


def test_a_gap_has_no_rounding_of_floats() -> None:
    assert (repr(gap(46.44, 42.0)), repr(gap(42.0, 46.44)), gap(60, 41)) == ("4.44", "4.44", 19)
