"""Tests of how values are written."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pytest
from django.contrib.auth.models import AnonymousUser
from django.template import Context, Template

from analysis.board import board_facts
from analysis.recording import Board
from analysis.statistics import BY_NAME
from players.models import User
from players.web.clock import shown_text
from replays.watch.film.board_svg import board_svg, board_text
from tests.clocks import read_by, times_from_one


@pytest.mark.parametrize(
    ("name", "value", "precision_ms", "from_zero", "from_one"),
    [
        ("time", 49.25, 10, "49.25", "50.25"),
        ("time", 49.25, 1, "49.250", "50.250"),
        ("time", 49.25, None, "49.250", "50.250"),
        ("bvs", 112 / 20.16, 10, "5.556", "5.556"),
        ("bvs", 2.5785, 10, "2.579", "2.579"),
        ("path", 1234.25, 10, "1234.3", "1234.3"),
        ("bv", 127, 10, "127", "127"),
        ("cpo", -0.0001, 10, "-0.0001", "-0.0001"),
        ("estime", 60.0, 10, "60.000", "61.000"),
        ("pluck", 0.5019, 10, "0.502", "0.502"),
        ("worst_risk", 0.5, 10, "0.5000", "0.5000"),
    ],
)
def test_shown_text(name: str, value: float, precision_ms: int | None, from_zero: str, from_one: str) -> None:
    assert shown_text(BY_NAME[name], value, precision_ms=precision_ms) == from_zero
    with times_from_one():
        assert shown_text(BY_NAME[name], value, precision_ms=precision_ms) == from_one
    assert shown_text(BY_NAME[name], value, precision_ms=precision_ms) == from_zero


def test_sums_and_decimals_on_a_clock_from_1() -> None:
    with times_from_one():
        assert shown_text(BY_NAME["time"], 61.5, games=3) == "64.500"
        assert shown_text(BY_NAME["time"], 9.0, decimals=1) == "10.0"


@pytest.mark.parametrize("visitor", [User(clock=User.Clock.ZERO), User(clock=User.Clock.ONE), AnonymousUser(), None])
def test_value_tag_follows_the_readers_clock(visitor: User | AnonymousUser | None) -> None:
    template = Template('{% load sweepbook %}{% value "time" 49.25 10 %}')
    from_one = isinstance(visitor, User) and visitor.clock == User.Clock.ONE
    with nullcontext() if visitor is None else read_by(visitor):
        assert template.render(Context({})) == ("50.25" if from_one else "49.25")


def test_missing_value_says_why() -> None:
    shown = Template('{% load sweepbook %}{% value "bvs" None %}').render(Context({}))
    assert 'title="not defined: the time is 0"' in shown
    assert "–" in shown


def test_drawn_board() -> None:
    mines = np.zeros((3, 5), np.uint8)
    mines[0, 0] = mines[2, 0] = 1
    facts = board_facts(Board(mines))
    assert board_text(facts) == "* 1 . . .\n2 2 . . .\n* 1 . . ."
    drawing = board_svg(facts, "a <title>", 'a "description"')
    assert 'viewBox="-0.1 -0.1 5.2 3.2"' in drawing
    assert "a &lt;title&gt;" in drawing
    assert '<text class="t1" x="1.5 1.5" y="0.74 2.74">11</text>' in drawing
    assert '<path class="closed" d="M0 0h1v1h-1zM0 2h1v1h-1z"/>' in drawing
    assert '<path class="o1" d="M2 0h1v1h-1z' in drawing
    assert '<path class="o1 border" d="M1 0h1v1h-1zM1 1h1v1h-1zM1 2h1v1h-1z"/>' in drawing
    assert '<path class="island" d="M0 1h1v1h-1z"/>' in drawing
