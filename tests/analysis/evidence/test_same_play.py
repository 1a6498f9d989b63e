"""Tests of when two games are one play: the table of levels and lengths."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from analysis.evidence import SAME_BOARD, SAME_CLICKS, Fingerprint, same_play
from analysis.evidence.fingerprint import same_rhythm
from analysis.recording import Level

LONG = (Level.INTERMEDIATE, Level.EXPERT)
BEGINNER = (Level.BEGINNER, Level.BEGINNER_9X9)


def game(opening_clicks: int, *, start: bool = False) -> Fingerprint:
    """A fingerprint whose hashes say what they are of."""
    return Fingerprint(
        clicks=b"clicks",
        clicks_start=b"start" if start else None,
        board=b"board",
        clicks_on_board=b"clicks on board",
        offsets=b"offsets",
        rhythm=bytes([40, 90, 200]) if 4 <= opening_clicks < 10 else b"",
        opening_clicks=opening_clicks,
    )


OTHER_BOARD: dict[str, Any] = {"board": b"other", "clicks_on_board": b"other"}
OTHER_CLICKS: dict[str, Any] = {"clicks": b"other", "clicks_start": b"other", "clicks_on_board": b"other"}
OTHER_HAND: dict[str, Any] = {"offsets": b"other", "rhythm": bytes([90, 120, 220])}


@pytest.mark.parametrize("level", LONG)
def test_long_games_are_told_by_their_clicks_alone(level: Level) -> None:
    first = game(80, start=True)
    assert same_play(level, first, replace(first, **OTHER_BOARD, **OTHER_HAND), both_won=True) == SAME_CLICKS
    lengthened = replace(first, **OTHER_BOARD, clicks=b"other", opening_clicks=81)
    assert same_play(level, first, lengthened, both_won=True) == SAME_CLICKS
    assert same_play(level, first, replace(first, **OTHER_CLICKS), both_won=True) == SAME_BOARD
    assert same_play(level, first, replace(first, **OTHER_CLICKS, board=b"other"), both_won=True) is None


@pytest.mark.parametrize("level", Level)
def test_lost_games_need_the_same_board(level: Level) -> None:
    first = game(40, start=True)
    assert same_play(level, first, first, both_won=False) == SAME_CLICKS
    assert same_play(level, first, replace(first, **OTHER_BOARD, **OTHER_HAND), both_won=False) is None
    assert same_play(level, first, replace(first, clicks=b"other", clicks_on_board=b"x"), both_won=False) == SAME_BOARD


@pytest.mark.parametrize("level", BEGINNER)
def test_beginner_from_20_clicks_on(level: Level) -> None:
    first = game(20, start=True)
    assert same_play(level, first, replace(first, **OTHER_BOARD, **OTHER_HAND), both_won=True) == SAME_CLICKS
    assert same_play(level, first, replace(first, **OTHER_CLICKS), both_won=True) == SAME_BOARD


@pytest.mark.parametrize("level", BEGINNER)
@pytest.mark.parametrize("count", [10, 19])
def test_beginner_from_10_to_19_clicks(level: Level, count: int) -> None:
    first = game(count)
    assert same_play(level, first, replace(first, **OTHER_HAND), both_won=True) == SAME_CLICKS
    assert same_play(level, first, replace(first, **OTHER_BOARD), both_won=True) == SAME_CLICKS  # the same offsets
    assert same_play(level, first, replace(first, **OTHER_BOARD, **OTHER_HAND), both_won=True) is None
    mirrored_apart = replace(first, clicks_on_board=b"other", **OTHER_HAND)
    assert same_play(level, first, mirrored_apart, both_won=True) == SAME_BOARD


@pytest.mark.parametrize("level", BEGINNER)
@pytest.mark.parametrize("count", [1, 3, 4, 9])
def test_beginner_below_10_clicks(level: Level, count: int) -> None:
    first = game(count)
    assert same_play(level, first, first, both_won=True) == SAME_CLICKS
    assert same_play(level, first, replace(first, **OTHER_HAND), both_won=True) == SAME_BOARD
    assert same_play(level, first, replace(first, **OTHER_BOARD), both_won=True) is None
    by_rhythm = replace(first, offsets=b"other")
    assert same_play(level, first, by_rhythm, both_won=True) == (SAME_CLICKS if count >= 4 else SAME_BOARD)


def test_custom_games_by_their_length() -> None:
    long, short, tiny = game(30, start=True), game(15), game(3)
    assert same_play(Level.CUSTOM, long, replace(long, **OTHER_BOARD, **OTHER_HAND), both_won=True) == SAME_CLICKS
    assert same_play(Level.CUSTOM, short, replace(short, **OTHER_HAND), both_won=True) == SAME_CLICKS
    assert same_play(Level.CUSTOM, short, replace(short, **OTHER_CLICKS), both_won=True) == SAME_BOARD
    assert same_play(Level.CUSTOM, tiny, replace(tiny, **OTHER_HAND), both_won=True) is None


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ([40, 90], [40, 90], True),
        ([40, 90], [44, 86], True),
        ([40, 90], [45, 90], False),
        ([40, 90], [40, 90, 200], False),
        ([], [], False),
    ],
)
def test_rhythms_allow_for_rounding(a: list[int], b: list[int], same: bool) -> None:
    assert same_rhythm(bytes(a), bytes(b)) is same
