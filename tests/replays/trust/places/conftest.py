"""Copies of a game in other files, and a player who was robbed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from django.utils import timezone

from analysis.formats import rawvf
from analysis.recording import Board, Kind, Level, Recording
from players.models import User
from replays.models import Place, Replay
from tests.replays.conftest import ingest as ingest
from tests.replays.conftest import store as store
from tests.replays.games import game_file, recording

GAME = (1, Level.INTERMEDIATE)
Copy = Callable[[Recording], bytes]


def _written(game: Recording, **changes: object) -> bytes:
    return rawvf.write(replace(game, claims=replace(game.claims, time_ms=None), **changes))  # type: ignore[arg-type]


def _with_times(game: Recording, change: Callable[[np.ndarray], np.ndarray]) -> bytes:
    events = game.events.copy()
    events["time_ms"] = np.maximum.accumulate(change(events["time_ms"].copy()))
    return _written(game, events=events)


def _one_later(times: np.ndarray, place: int) -> np.ndarray:
    times[place] += 1
    return times


def _mirrored(game: Recording) -> bytes:
    events = game.events.copy()
    events["x_px"] = game.board.columns * game.cell_px - 1 - events["x_px"]
    return _written(game, events=events, board=Board(np.ascontiguousarray(game.board.mines[:, ::-1])))


def _years_earlier(game: Recording) -> Recording:
    dates = {name: getattr(game, name) for name in ("played_at", "ended_at")}
    return replace(game, **{name: date - timedelta(days=5_000) for name, date in dates.items() if date is not None})


#: Copies that a thief makes in a second, and that keep the play; the first five keep the hash of the game as well.
COPIES: dict[str, Copy] = {
    "byte appended": lambda game: rawvf.write(game) + b"\n",
    "hidden character": lambda game: rawvf.write(replace(game, player="Ada\u200b Bot")),
    "renamed": lambda game: rawvf.write(replace(game, player="Thief")),
    "redated": lambda game: rawvf.write(_years_earlier(game)),
    "another program": lambda game: rawvf.write(replace(game, software="another writer")),
    "retimed": lambda game: _with_times(game, lambda times: (times * 0.95).astype(np.int32)),
    "mirrored": _mirrored,
    "one event moved": lambda game: _with_times(
        game, lambda times: _one_later(times, int(np.flatnonzero(game.events["kind"] == Kind.LEFT_RELEASE)[5]))
    ),
}


def original() -> bytes:
    return game_file(*GAME)


def copied(kind: str = "retimed") -> bytes:
    return COPIES[kind](recording(*GAME))


@pytest.fixture
def thief(other_player: User) -> User:
    return other_player


@pytest.fixture
def disputed(ingest: Callable[..., Replay], owner: User, thief: User) -> tuple[Replay, Replay, Place]:
    """The owner's game and the thief's copy of it, which came first, and their place."""
    copy = ingest(copied(), uploader=thief)
    mine = ingest(original(), uploader=owner)
    copy.refresh_from_db()
    assert (mine.judgement, copy.judgement) == ("disputed", "disputed")
    return mine, copy, Place.objects.get()


def aged(replay: Replay, days: float) -> Replay:
    """``replay`` as if it had come so many days ago."""
    Replay.objects.filter(pk=replay.pk).update(uploaded_at=timezone.now() - timedelta(days=days))
    replay.refresh_from_db()
    return replay
