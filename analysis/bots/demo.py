"""The games of the demo site: all bots, all levels, both styles, spread over two years."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np
from numpy.random import Generator

from analysis.bots.bot import play_game
from analysis.bots.profiles import DEMO_PROFILES, BotProfile
from analysis.recording import Level, Recording

_SPAN = timedelta(days=730)
#: People hand in their wins; a site of bots that all hand in everything would be mostly losses.
_WINS_MEANT = 0.6


def demo_games(seed: int, games: int, *, until: datetime) -> Iterator[Recording]:
    """Games for a demo site, in the order of their dates.

    Parameters
    ----------
    seed
        The same arguments give the same games.
    games
        How many.
    until
        The end of the two years in which they are played.  Nothing here reads the clock.
    Yields
    ------
    Recording
        Three in five must be won, the rest ends as it ends.
    """
    rng = np.random.default_rng(seed)
    shares = np.sort(rng.random(games))  # of the two years
    order = rng.permutation(games)  # deals the bots evenly
    for share, place in zip(shares.tolist(), order.tolist(), strict=True):
        profile = DEMO_PROFILES[place % len(DEMO_PROFILES)]
        played_at = (until - (1.0 - share) * _SPAN).replace(microsecond=0)
        yield play_game(
            replace(profile, pace=_pace(rng, profile, share)),
            _level(rng, profile),
            "FL" if rng.random() < profile.flag_games else "NF",
            int(rng.integers(2**63)),
            must_win=bool(rng.random() < _WINS_MEANT),
            played_at=played_at,
        )


def _pace(rng: Generator, profile: BotProfile, share: float) -> float:
    """A factor on all durations: improvement over the two years, times a random one for the day."""
    return (1.0 + profile.progress * (1.0 - share)) * math.exp(0.07 * rng.standard_normal())


def _level(rng: Generator, profile: BotProfile) -> Level:
    weights = np.array([weight for _, weight in profile.levels])
    return profile.levels[int(rng.choice(len(weights), p=weights / weights.sum()))][0]
