"""Games that look retimed beside their player's other games."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from analysis.evidence.history import FEWEST_GAMES, History, retimed_likely
from analysis.recording import Level


def honest(seed: int) -> History:
    """A game of one hand and one mouse, whose numbers vary as those of real files do."""
    source = random.Random(seed)
    return History(
        line_hz=47.19 + source.uniform(-0.02, 0.02),
        line_strength=source.choice([18.0, 60.0, 150.0]),
        equal_steps=0.49 + source.gauss(0, 0.006),
        hold_ms=78 + source.gauss(0, 6),
    )


OTHERS = [honest(seed) for seed in range(30)]
GAME = honest(100)
RETIMED = replace(GAME, line_hz=50.0, line_strength=220.0, equal_steps=0.54)


def test_two_habits_at_once_are_a_finding() -> None:
    found = retimed_likely(Level.EXPERT, RETIMED, OTHERS)
    assert found is not None
    assert found.code == "retimed_likely"
    assert found.params == {"count": 30, "first": "polling_rate", "second": "equal_steps"}


@pytest.mark.parametrize(
    "game",
    [
        GAME,
        replace(GAME, line_hz=50.0, line_strength=220.0),  # a new mouse
        replace(GAME, hold_ms=130.0),  # a tired hand
        replace(GAME, line_hz=50.0, line_strength=2.0, equal_steps=0.54),  # the line is not clear
        History(None, None, None, None, None, None),
    ],
)
def test_one_habit_alone_is_none(game: History) -> None:
    assert retimed_likely(Level.EXPERT, game, OTHERS) is None


def test_beginner_games_and_short_histories_say_nothing() -> None:
    assert retimed_likely(Level.BEGINNER, RETIMED, OTHERS) is None
    assert retimed_likely(Level.EXPERT, RETIMED, OTHERS[: FEWEST_GAMES - 1]) is None
    assert retimed_likely(Level.EXPERT, RETIMED, OTHERS[:FEWEST_GAMES]) is not None


def test_a_player_with_two_mice_has_both() -> None:
    two = [replace(one, line_hz=50.0, line_strength=200.0) if number % 2 else one for number, one in enumerate(OTHERS)]
    assert retimed_likely(Level.EXPERT, replace(GAME, line_hz=50.0, hold_ms=130.0), two) is None
