"""Files for the benches of the import: as many as wanted, no two of the same game, in the AVF layout."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from analysis import formats
from analysis.bots import demo_games
from analysis.errors import ReplayError
from analysis.recording import Kind, Recording
from tests.encoders import avf
from tests.shared_files import replay_files

SEED = 20260101
LAST_DAY = datetime(2026, 1, 1, tzinfo=UTC)


def write_files(folder: Path, files: int) -> str:
    """Write ``files`` different games; says what they are.

    Copies of the real files, each with one press or release a pixel aside, or games of our bots where there are none.
    """
    real = list(_real_recordings())
    if not real:
        for number, recording in enumerate(demo_games(SEED, files, until=LAST_DAY)):
            _write(folder, number, _on_grid(recording))
        return "games of bots"
    for number in range(files):
        copy, which = divmod(number, len(real))
        _write(folder, number, _with_an_act_aside(real[which], copy))
    return f"copies of {len(real)} real files, each with one press or release a pixel aside"


def _write(folder: Path, number: int, recording: Recording) -> None:
    (folder / f"{number:06d}.avf").write_bytes(avf.encode(recording))


def _real_recordings() -> Iterator[Recording]:
    """The real AVF files that our encoder writes so that they read as the same game."""
    for path in replay_files("avf"):
        try:
            recording = formats.read(path.read_bytes())
            again = formats.read(avf.encode(recording))
        except (ReplayError, KeyError):  # a country or a record that the encoder does not know
            continue
        if np.array_equal(again.events, recording.events):
            yield recording


def _with_an_act_aside(recording: Recording, copy: int) -> Recording:
    """Copy number ``copy``; number 0 is the game itself.

    Another point of a press or release makes it another game, though in the same cell: every number stays plausible.
    """
    if copy == 0:
        return recording
    events = recording.events.copy()
    acts = np.flatnonzero(events["kind"] != Kind.MOVE)
    act = acts[copy % len(acts)]
    events["x_px"][act] ^= 1 + copy // len(acts)  # a low bit: cells are 16 px wide
    return replace(recording, events=events)


def _on_grid(recording: Recording) -> Recording:
    events = recording.events.copy()
    events["time_ms"] = events["time_ms"] // 10 * 10
    events["time_ms"] = events["time_ms"].clip(min=0)  # AVF has no time before the opening
    played_at = recording.played_at.replace(tzinfo=None) if recording.played_at else None
    claims = replace(recording.claims, time_ms=int(events["time_ms"][-1]))
    name = recording.player.encode()
    return replace(recording, events=events, played_at=played_at, claims=claims, player_bytes=name, country="")
