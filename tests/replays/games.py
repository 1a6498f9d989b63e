"""Replay files made by our own bots, and the same games in other wrappers."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import cache

import numpy as np

from analysis.bots import DEMO_PROFILES, play_game
from analysis.formats import rawvf
from analysis.limits import MAX_SIDE
from analysis.recording import Board, Kind, Level, Recording, events_from
from tests.encoders import avf

_PLAYED_AT = datetime(2024, 5, 4, 12, 0, 0)  # noqa: DTZ001 - files without a zone, as AVF has them


@cache
def recording(seed: int = 1, level: Level = Level.BEGINNER, style: str = "FL") -> Recording:
    """A won game; the same arguments give the same game."""
    game = play_game(DEMO_PROFILES[0], level, style, seed, must_win=True, played_at=_PLAYED_AT)  # type: ignore[arg-type]
    return replace(game, player="Ada Bot")


def game_file(seed: int = 1, level: Level = Level.BEGINNER, **replaced: object) -> bytes:
    """The game as a RawVF file; ``replaced`` are fields of the recording."""
    return rawvf.write(replace(recording(seed, level), **replaced))  # type: ignore[arg-type]


@cache
def avf_file(seed: int = 1) -> bytes:
    """The game as an AVF file, whose clock has steps of 10 ms."""
    game = recording(seed)
    events = game.events.copy()
    events["time_ms"] = events["time_ms"] // 10 * 10
    return avf.encode(replace(game, events=events))


def other_wrapper(data: bytes) -> bytes:
    """The game of ``data`` as another file: read, and written as RawVF."""
    from analysis import formats

    return rawvf.write(formats.read(data))


def largest_game(seed: int = 1, density: float = 0.2) -> bytes:
    """A game on a random board of the largest size, 255 x 255, as a RawVF file: its first clicks."""
    mines = np.random.default_rng(seed).random((MAX_SIDE, MAX_SIDE)) < density
    mines[:3, :3] = False
    clicks = [
        (100 * column, 16 * column + 8, 8, kind) for column in (0, 1) for kind in (Kind.LEFT_PRESS, Kind.LEFT_RELEASE)
    ]
    game = Recording(
        format=rawvf.NAME, format_variant="", board=Board(mines.astype(np.uint8)), events=events_from(clicks)
    )
    return rawvf.write(replace(game, player="Large"))
