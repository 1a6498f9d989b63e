"""Clicks and movements that no hand has made are a question; those of our bots that play like people are none."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.analyse import analyse
from analysis.click_machine import Result
from analysis.evidence import evidence_of
from analysis.evidence.hand import hand_findings
from analysis.recording import Level, Recording
from tests.forgeries.kinds import BOTS
from tests.replays.games import recording


def codes(game: Recording) -> set[str]:
    return {finding.code for finding in hand_findings(analyse(game))}


def forged(name: str) -> Recording:
    (kind,) = (kind for kind in BOTS if kind.name == name)
    return kind.forge(recording(2, Level.INTERMEDIATE), np.random.default_rng(1))


@pytest.mark.parametrize("level", [Level.BEGINNER, Level.INTERMEDIATE])
def test_a_game_like_a_persons_asks_nothing(level: Level) -> None:
    assert all(codes(recording(seed, level)) == set() for seed in range(1, 6))


def test_mines_in_one_half_are_found_without_a_question() -> None:
    analysis = analyse(forged("all mines in one half"))
    assert analysis.game.result is Result.WON
    assert {finding.code for finding in evidence_of(analysis).findings} >= {"unlikely_board"}
    assert not codes(analysis.recording)


def test_clicks_at_even_pauses() -> None:
    assert codes(forged("clicks every 200 ms")) == {"even_clicks"}


def test_more_clicks_than_a_hand_makes() -> None:
    """The bot of 28 clicks a second that took rank 1 of Beginner in 0.283 s."""
    assert "quick_clicks" in codes(forged("28 clicks a second"))
    assert "quick_clicks" not in codes(forged("clicks every 200 ms"))


def test_a_cursor_that_moves_in_lines() -> None:
    assert codes(forged("straight movements")) == {"straight_moves"}
