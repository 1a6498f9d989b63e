"""Twenty honest games of the shared files, and forgeries of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from analysis.click_machine import Result
from analysis.formats import rawvf
from analysis.recording import LEVEL_SHAPES, Level, Mode
from tests.encoders import native
from tests.forgeries.judge import Stored, Verdict, judge, stored
from tests.forgeries.kinds import KINDS, Forgery
from tests.shared_files import replay_files

_FORGERIES = 200
_OTHER_FORMATS = {"evf": 1, "mvf": 4, "rmv": 3}
_AVF_A_LEVEL = {Level.BEGINNER: 4, Level.INTERMEDIATE: 4, Level.EXPERT: 4}


def originals() -> list[Stored]:
    """Twenty honest games of all levels and native formats, no two of them the same."""
    chosen: list[Stored] = []
    for suffix, count in _OTHER_FORMATS.items():
        chosen += _spread(_honest_games(replay_files(suffix)), count)
    games = _honest_games(replay_files("avf"))
    for level, count in _AVF_A_LEVEL.items():
        chosen += _spread([game for game in games if game.analysis.recording.board.level is level], count)
    return chosen


def _honest_games(paths: list[Path]) -> list[Stored]:
    """Won games of ranked levels without a finding, one of each play.

    The only sealed EVF at hand is of a board without guesses; it is written again as a game of the standard mode.
    """
    found: dict[str, Stored] = {}
    for path in paths:
        game = stored(path.name, path.read_bytes())
        if game.analysis.recording.mode is Mode.NO_GUESS:
            game = stored(path.name, native.write(game.analysis.recording))
        recording = game.analysis.recording
        ranked = recording.board.level in LEVEL_SHAPES and recording.mode is Mode.STANDARD
        won = game.analysis.game.result is Result.WON
        clean = not game.evidence.findings and not game.analysis.findings
        if ranked and won and clean and game.evidence.fingerprint:
            found.setdefault(game.evidence.fingerprint.clicks.hex(), game)
    return list(found.values())


def _spread(games: list[Stored], count: int) -> list[Stored]:
    """``count`` of ``games``, evenly."""
    return [games[place * len(games) // count] for place in range(count)]


def forge(game: Stored, kind: Forgery, random: np.random.Generator) -> bytes:
    """The file of a forgery, in the format of the game with a new seal, or as text."""
    recording = kind.forge(game.analysis.recording, random)
    if kind.as_text:
        return rawvf.write(recording)
    return native.write(recording, seal=random.bytes(len(recording.seal))) + kind.suffix


def mixed(games: list[Stored], random: np.random.Generator) -> Iterator[tuple[Forgery, Verdict]]:
    """Every kind on some of the games, with new seals."""
    for number in range(_FORGERIES):
        kind, game = KINDS[number % len(KINDS)], games[number % len(games)]
        yield kind, judge(forge(game, kind, random), games)
