"""Valid files of every format, small and whole, by our own encoders; and real ones where they are present."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache

import numpy as np

from analysis.bots import DEMO_PROFILES, play_game
from analysis.formats import rawvf
from analysis.recording import Board, Claims, EventArray, Kind, Level, Recording, events_from
from tests.encoders import avf, evf, mvf, rmv
from tests.encoders.native import mvf_states
from tests.shared_files import replay_files

SMALL_BYTES = 2_500  # files up to this size are cut at every byte
_PLAYED_AT = datetime(2024, 5, 4, 12, 0, 0)  # noqa: DTZ001 - files without a zone, as AVF has them
_MVF_RELEASES = ("0.97", "funny", "2006", "2007", "hack", "old96", "old76", "old75")
_EVF_VERSIONS = (0, 1, 2, 3, 4)
_SUFFIXES = ("avf", "evf", "mvf", "rawvf", "rmv")


@dataclass(frozen=True, slots=True)
class Seed:
    """A valid file; ``format`` is the name of its reader, or ``evfs``."""

    format: str
    name: str
    data: bytes


@cache
def all_seeds(*, real: bool = True) -> tuple[Seed, ...]:
    """Our own seeds, then the real files (if wanted and present), always in the same order."""
    return (*own_seeds(), *(real_seeds() if real else ()))


@cache
def own_seeds() -> tuple[Seed, ...]:
    """Every format and version of a tiny game, of a short one and of a whole one."""
    whole = _bot_game(Level.INTERMEDIATE, 3)
    games = {"tiny": tiny_game(), "short": _thinned(_bot_game(Level.BEGINNER, 1), keep=40), "whole": whole}
    return tuple(seed for size, game in games.items() for seed in seeds_of(game, size))


def real_seeds() -> tuple[Seed, ...]:
    """The shared files."""
    return tuple(Seed(suffix, path.name, path.read_bytes()) for suffix in _SUFFIXES for path in replay_files(suffix))


def seeds_of(game: Recording, name: str) -> Iterator[Seed]:
    """``game`` in every format that can be written here."""
    yield Seed("rawvf", f"{name} rawvf", rawvf.write(game))
    yield Seed("avf", f"{name} avf", avf.encode(game))
    yield Seed("avf", f"{name} freesweeper", b"".join(avf.parts(game, freesweeper=True).values()))
    states = _states(game.events)
    for release in _MVF_RELEASES:
        if release.startswith("old") and game.board.level is Level.CUSTOM:
            continue  # readers recognise the old releases by the size of a level
        yield Seed("mvf", f"{name} mvf {release}", mvf.encode(mvf.Game(game.board, states), release))
    events = game.events.tolist()
    for version in (1, 2):
        yield Seed("rmv", f"{name} rmv {version}", rmv.encode(rmv.Game(game.board, events, preflags=[(0, 0)]), version))
    evf_files = [evf.encode(evf.Game(game.board, events, cell_px=16), version) for version in _EVF_VERSIONS]
    for version, data in zip(_EVF_VERSIONS, evf_files, strict=True):
        yield Seed("evf", f"{name} evf {version}", data)
    yield Seed("evfs", f"{name} evfs", evf.encode_set([(b"1", evf_files[4]), (b"2", evf_files[3])]))


@cache
def tiny_game() -> Recording:
    """Two cells are opened and one is flagged."""
    mines = np.array([[0, 1, 0], [0, 0, 0]], np.uint8)
    points = [
        (0, 8, 8, Kind.MOVE), (0, 8, 8, Kind.LEFT_PRESS), (100, 8, 8, Kind.LEFT_RELEASE),
        (200, 24, 8, Kind.RIGHT_PRESS), (300, 24, 8, Kind.RIGHT_RELEASE), (400, 8, 24, Kind.MOVE),
        (410, 8, 24, Kind.LEFT_PRESS), (500, 8, 24, Kind.LEFT_RELEASE),
    ]  # fmt: skip
    return _with_header(Recording("avf", "", Board(mines), events_from(points)))


def _bot_game(level: Level, seed: int) -> Recording:
    game = play_game(DEMO_PROFILES[0], level, "FL", seed, must_win=True, played_at=_PLAYED_AT)
    events = game.events.copy()
    events["time_ms"] = (events["time_ms"] - events["time_ms"].min()) // 10 * 10  # the grid of AVF, from 0
    for axis, side in (("x_px", game.board.columns), ("y_px", game.board.rows)):
        events[axis] = np.clip(events[axis], 0, side * game.cell_px - 1)  # EVF knows no point outside
    return _with_header(replace(game, events=events))


def _with_header(game: Recording) -> Recording:
    return replace(
        game, player="王嘉宁", player_bytes="王嘉宁".encode("gbk"), country="CN", played_at=_PLAYED_AT, ended_at=_PLAYED_AT,
        claims=Claims(time_ms=1_230, bv=9, win=True, level=game.board.level), question_marks=True, time_precision_ms=10,
    )  # fmt: skip


def _thinned(game: Recording, keep: int) -> Recording:
    """``game`` with one move in ``keep``."""
    stays = (game.events["kind"] != Kind.MOVE) | (np.arange(len(game.events)) % keep == 0)
    return replace(game, events=game.events[stays])


def _states(events: EventArray) -> list[mvf.State]:
    """Return the states as MVF has them; times are cut at 250,000 ms, which is as far as its times reach."""
    return [(min(time_ms, 250_000), x_px, y_px, held) for time_ms, x_px, y_px, held in mvf_states(events)]


def heads(data: bytes) -> tuple[bytes, ...]:
    """Beginnings that make a reader believe in a file."""
    return tuple(data[:length] for length in (1, 2, 4, 5, 8, 16, 32, 64, 128))
