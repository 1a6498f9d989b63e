"""The one function that decides which of two files of a play stands: each rule alone, and before the weaker ones."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from replays.trust.equals.stands import Side, Stands, which_stands

T0 = datetime(2026, 3, 1, tzinfo=UTC)
DAY = timedelta(days=1)
FIRST = Side(
    could_rank=True, doubted=False, accepted=False, refused_at=None, evidence="sealed", vouched=None, owner_id=None,
    claimed_at=None, uploader_id=10, uploader_lost=False, arrived_at=T0,
)  # fmt: skip
SECOND = replace(FIRST, uploader_id=20, arrived_at=T0 + DAY)
REFUSED = {"refused_at": T0 + DAY / 2}
REFUSED_LATER = {"refused_at": T0 + 2 * DAY}
CLAIMED = {"owner_id": 5, "claimed_at": T0 - 20 * DAY}
CLAIMED_LATELY = {"owner_id": 5, "claimed_at": T0 - 13 * DAY}


def answer(first: dict[str, object], second: dict[str, object], *, first_stands: bool = False) -> str:
    """Return which of two strangers' files stands; they differ in the given fields alone."""
    one, two = replace(FIRST, **first), replace(SECOND, **second)  # type: ignore[arg-type]
    return which_stands(one, two, first_stands=first_stands).value


@pytest.mark.parametrize(
    ("first", "second", "stands"),
    [
        ({}, {}, "neither"),
        # --- staff ---
        ({"accepted": True}, {"accepted": True}, "both"),
        ({"accepted": True}, {"evidence": "here"}, "first"),
        ({"evidence": "here"}, {"accepted": True}, "second"),
        ({"accepted": True, "doubted": True}, {}, "first"),
        # --- what could not rank takes nothing from anybody ---
        ({"could_rank": False}, {}, "both"),
        ({}, {"could_rank": False}, "both"),
        # --- a lost game takes nothing from a won one, and counts if that one does not ---
        ({"won": False}, {}, "second"),
        ({"won": False, "evidence": "here"}, {"evidence": "open"}, "second"),
        ({}, {"won": False}, "first"),
        ({"won": False}, {"doubted": True}, "both"),
        ({"won": False}, {"won": False}, "neither"),
        # --- what staff refused; a new wrapper of it is no way back ---
        (REFUSED_LATER, {}, "second"),
        ({}, REFUSED_LATER, "first"),
        (REFUSED, {}, "neither"),
        ({"refused_at": SECOND.arrived_at}, {}, "second"),  # it came before they knew
        ({"refused_at": SECOND.arrived_at - timedelta(microseconds=1)}, {}, "neither"),
        (REFUSED, {"uploader_id": 10}, "first"),
        (REFUSED_LATER, {"uploader_id": 10}, "first"),
        ({}, {**REFUSED_LATER, "uploader_id": 10}, "second"),
        (REFUSED, REFUSED_LATER, "neither"),
        # --- doubt ---
        ({"doubted": True}, {}, "second"),
        ({"doubted": True, "evidence": "here"}, {"evidence": "open"}, "second"),
        ({}, {"doubted": True}, "first"),
        ({"doubted": True}, {"doubted": True}, "neither"),
        ({"doubted": True}, {"doubted": True, "evidence": "here"}, "second"),
        # --- evidence ---
        ({"evidence": "open"}, {}, "second"),
        ({"evidence": "open", "vouched": T0}, {}, "second"),
        ({}, {"evidence": "here"}, "second"),
        ({}, {"evidence": "open"}, "first"),
        # --- a date for which staff vouch ---
        ({"vouched": T0}, {}, "first"),
        ({}, {"vouched": T0}, "second"),
        ({"vouched": T0}, {"vouched": T0 - DAY}, "second"),
        ({"vouched": T0 - DAY}, {"vouched": T0}, "first"),
        ({"vouched": T0}, {"vouched": T0}, "neither"),
        (CLAIMED, {"vouched": T0}, "second"),
        # --- a claim of long standing, on one side only ---
        (CLAIMED, {}, "first"),
        ({}, CLAIMED, "second"),
        (CLAIMED_LATELY, {}, "neither"),
        ({}, CLAIMED_LATELY, "neither"),
        (CLAIMED, {**CLAIMED, "owner_id": 6}, "neither"),
        ({**CLAIMED, "uploader_lost": True}, {}, "first"),
        # --- who lost a pair opens no dispute ---
        ({"uploader_lost": True}, {}, "second"),
        ({}, {"uploader_lost": True}, "first"),
        ({"uploader_lost": True}, {"uploader_lost": True}, "neither"),
        # --- arrival, where both are games of one claimed name ---
        ({"owner_id": 5}, {"owner_id": 5}, "first"),
        ({"owner_id": 5}, {"owner_id": 6}, "neither"),
    ],
)
def test_each_rule(first: dict[str, object], second: dict[str, object], stands: str) -> None:
    assert answer(first, second) == stands


@pytest.mark.parametrize(
    ("first", "second", "stands"),
    [
        ({}, {}, "first"),
        ({}, CLAIMED, "first"),
        ({"could_rank": False}, {}, "first"),  # somebody who had lost on the board, and played it again
        ({}, {"vouched": T0}, "second"),
        ({}, {"evidence": "here"}, "second"),
        ({"doubted": True}, {}, "second"),
        ({}, {"accepted": True}, "second"),
        (REFUSED_LATER, {}, "second"),
    ],
)
def test_what_was_known_when_both_met(first: dict[str, object], second: dict[str, object], stands: str) -> None:
    assert answer(first, second, first_stands=True) == stands


def test_two_weeks_are_more_than_two_weeks() -> None:
    exactly = {"owner_id": 5, "claimed_at": SECOND.arrived_at - timedelta(days=14)}
    assert answer(exactly, {}) == "neither"
    assert answer({**exactly, "claimed_at": SECOND.arrived_at - timedelta(days=14, seconds=1)}, {}) == "first"


def test_arrival_alone_decides_between_strangers_nowhere() -> None:
    """Whatever both sides share, exchanging them exchanges the answer: the first to arrive wins nothing by it."""
    shared: list[dict[str, object]] = [
        {},
        {"doubted": True},
        {"evidence": "open"},
        {"vouched": T0},
        {"uploader_lost": True},
        {"could_rank": False},
    ]
    for one, two in product(shared, repeat=2):
        there, back = answer(one, two), answer(two, one)
        assert {there, back} in ({"first", "second"}, {"both"}, {"neither"}), (one, two)
    assert answer({}, {}) == Stands.NEITHER
