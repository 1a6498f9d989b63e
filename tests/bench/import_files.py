"""Files for the benches of the import: as many as wanted, no two of the same game, in the AVF layout."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import chain, islice
from pathlib import Path

import numpy as np

from analysis import formats
from analysis.bots import demo_games
from analysis.errors import ReplayError
from analysis.recording import Recording
from tests.encoders import avf
from tests.shared_files import replay_files

SEED = 20260101
LAST_DAY = datetime(2026, 1, 1, tzinfo=UTC)


def write_files(folder: Path, files: int) -> str:
    """Write ``files`` different games, the real ones and after them games of our bots; says what they are.

    A copy of a real file that differs in a little is the same play to the site, and its place a dispute.
    """
    real = list(islice(_real_recordings(), files))
    bots = demo_games(SEED, files - len(real), until=LAST_DAY)
    for number, recording in enumerate(chain(real, map(_on_grid, bots))):
        _write(folder, number, recording)
    return f"{len(real)} real files and {files - len(real)} games of bots"


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


def _on_grid(recording: Recording) -> Recording:
    events = recording.events.copy()
    events["time_ms"] = events["time_ms"] // 10 * 10
    events["time_ms"] = events["time_ms"].clip(min=0)  # AVF has no time before the opening
    played_at = recording.played_at.replace(tzinfo=None) if recording.played_at else None
    claims = replace(recording.claims, time_ms=int(events["time_ms"][-1]))
    name = recording.player.encode()
    return replace(recording, events=events, played_at=played_at, claims=claims, player_bytes=name, country="")
