"""Forgeries of stored games do not rank unseen, whatever was done to them and with whatever seal."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from analysis.recording import Level
from tests.analysis.evidence.honest import FORMS, recording
from tests.effort import rest_long
from tests.encoders import native
from tests.forgeries.judge import Outcome, Stored, judge, stored
from tests.forgeries.kinds import KINDS, Forgery
from tests.forgeries.real_games import forge, mixed, originals
from tests.shared_files import needs_shared


@cache
def stored_games(level: Level) -> list[Stored]:
    """A game of each format."""
    return [stored(form, native.write(recording(form, level, seed))) for seed, form in enumerate(FORMS, start=1)]


@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
@pytest.mark.parametrize("level", rest_long(Level.BEGINNER, Level.INTERMEDIATE))
def test_a_forgery_of_a_stored_game_is_stopped(kind: Forgery, level: Level) -> None:
    games = stored_games(level)
    random = np.random.default_rng(1)
    for game in games:
        verdict = judge(forge(game, kind, random), games)
        assert verdict.outcome is Outcome.STOPPED, game.name


def test_the_seal_of_a_stored_game_gives_another_game_away() -> None:
    games = stored_games(Level.BEGINNER)
    for game in games:
        other = native.write(recording(game.name, Level.BEGINNER, 50), seal=game.analysis.recording.seal)
        assert judge(other, games).notes == {"seal_reused"}, game.name


def test_an_honest_game_is_not_stopped_by_others() -> None:
    games = stored_games(Level.INTERMEDIATE)
    for form in FORMS:
        verdict = judge(native.write(recording(form, seed=77)), games)
        assert (verdict.outcome, verdict.notes) == (Outcome.MISSED, frozenset()), form


@pytest.mark.long(beside="tests/analysis/evidence/test_forgeries.py::test_a_forgery_of_a_stored_game_is_stopped")
@needs_shared
@pytest.mark.shared
def test_200_forgeries_of_real_games_are_stopped() -> None:
    games = originals()
    assert len(games) == 20
    verdicts = list(mixed(games, np.random.default_rng(1)))
    assert len(verdicts) == 200
    assert {kind.name for kind, verdict in verdicts if verdict.outcome is not Outcome.STOPPED} == set()
