"""Accuracy of games whose risks are counted another way, and of real games as it was measured before it was built."""

from __future__ import annotations

import math

import numpy as np
import pytest

from analysis import formats
from analysis.errors import ReplayError
from analysis.luck import Click, Luck, accuracy_of, luck_of, needless_risk_of, snapshot_at
from analysis.probability import probabilities
from analysis.recording import Level, Recording
from tests.effort import amount
from tests.replays.games import recording
from tests.shared_files import needs_shared, replay_files


def chances(game: Recording, click: Click) -> tuple[float, float]:
    """The chance of a mine in the cell of a single click, and the least of all closed cells, in the position before it."""
    position = snapshot_at(game, click.event).position
    assert position is not None
    mine = probabilities(position).mine
    return float(mine[click.cell]), float(mine[position.closed].min())


def check(game: Recording, luck: Luck) -> None:
    """Accuracy and needless risk of a game without chords, from the positions before its clicks."""
    assert not any(click.chord for click in luck.clicks)
    risks = [chances(game, click) for click in luck.clicks[1:]]
    avoidable = [risk > 1e-12 and (least < 1e-12 or risk > least + 0.02) for risk, least in risks]
    assert accuracy_of(luck.clicks) == pytest.approx(100 * (1 - sum(avoidable) / len(luck.clicks)))
    if any(risk > 1 - 1e-12 for risk, _least in risks):
        assert needless_risk_of(luck.clicks) is None
    else:
        product = math.prod((1 - risk) / (1 - least) for risk, least in risks)
        assert needless_risk_of(luck.clicks) == pytest.approx(-math.log2(product), abs=1e-9)


@pytest.mark.parametrize("level", [Level.BEGINNER, Level.EXPERT])
@pytest.mark.parametrize("seed", range(amount(long=8, usual=2)))
def test_games_of_bots(level: Level, seed: int) -> None:
    game = recording(seed, level, "NF")
    check(game, luck_of(game))


@needs_shared
@pytest.mark.shared
def test_real_games() -> None:
    checked = 0
    for path in [path for path in replay_files("avf") if "_NF_" in path.name][:: amount(long=1, usual=6)]:
        game = formats.read(path.read_bytes())
        luck = luck_of(game)
        if any(click.chord for click in luck.clicks):
            continue
        check(game, luck)
        checked += 1
    assert checked


@needs_shared
@pytest.mark.shared
def test_accuracy_tells_real_games_apart() -> None:
    """Measured on the shared files: mean 96.6, median 97.7, below 95 in 21 of 100."""
    found = []
    for path in (path for folder in ("avf", "evf", "mvf", "rawvf", "rmv") for path in replay_files(folder)):
        try:
            found.append(accuracy_of(luck_of(formats.read(path.read_bytes())).clicks))
        except ReplayError:
            continue
    values = np.array([value for value in found if value is not None])
    assert len(values) >= 0.9 * len(found)
    assert ((values >= 0) & (values <= 100 + 1e-9)).all()
    assert (values.mean(), np.median(values), (values < 95).mean()) == pytest.approx((96.6, 97.7, 0.21), rel=0.02)
