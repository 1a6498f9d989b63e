"""Simulated players: games for a demo site and for load tests, made from nothing but a seed.

A bot plays by what it sees (:mod:`analysis.bots.mind`, and a solver of its strength), moves a cursor as a hand would
(:mod:`analysis.bots.hand`) and leaves a :class:`~analysis.recording.Recording` that goes the way of any other.  Bots are for filling a site with
plausible games; they say nothing about how good a player or a solver can be.
"""

from __future__ import annotations

from analysis.bots.bot import SOFTWARE, PlayStyle, play_game
from analysis.bots.demo import demo_games
from analysis.bots.profiles import DEMO_PROFILES, BotProfile

__all__ = ["DEMO_PROFILES", "SOFTWARE", "BotProfile", "PlayStyle", "demo_games", "play_game"]
