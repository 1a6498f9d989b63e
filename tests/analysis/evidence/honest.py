"""Honest native files of every format that can be ``SEALED``, made of games of bots, and what is found in a file."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache

import numpy as np

from analysis import formats
from analysis.analyse import analyse
from analysis.bots import DEMO_PROFILES, play_game
from analysis.evidence import Evidence, evidence_of
from analysis.recording import Level, Recording
from tests.encoders import native

#: Format, variant, software, step of the clock, and a date on which the program was there.
_FORMS: dict[str, tuple[str, str, str, int, datetime]] = {
    "avf": ("avf", "0.52.3", "Minesweeper Arbiter 0.52.3", 10, datetime(2021, 5, 4, 12)),  # noqa: DTZ001 - as AVF has it
    "evf 3": ("evf", "v3", "元3.1.9", 1, datetime(2024, 9, 4, 12, tzinfo=UTC)),
    "evf 4": ("evf", "v4", "元3.3.1", 1, datetime(2026, 5, 4, 12, tzinfo=UTC)),
    "mvf 0.97": ("mvf", "0.97 beta", "Minesweeper Clone 0.97 beta", 10, datetime(2009, 5, 4, 12)),  # noqa: DTZ001
    "mvf 2006": ("mvf", "2006 release 1", "Minesweeper Clone 2006 release 1", 1, datetime(2007, 5, 4, 12)),  # noqa: DTZ001
    "mvf 2007": ("mvf", "2007 release 1", "Minesweeper Clone 2007 release 1", 1, datetime(2008, 5, 4, 12)),  # noqa: DTZ001
    "mvf 0.96": ("mvf", "0.96 or earlier", "Minesweeper Clone 0.96 or earlier", 10, datetime(2004, 5, 4)),  # noqa: DTZ001
    "rmv 1": ("rmv", "4.0.0", "Vienna Minesweeper - Release 4.0.0", 1, datetime(2024, 5, 4, 12, tzinfo=UTC)),
    "rmv 2": ("rmv", "5.0.0b4", "Vienna Minesweeper - Release 5.0.0b4", 1, datetime(2026, 1, 4, 12, tzinfo=UTC)),
}
FORMS = tuple(_FORMS)


@cache
def recording(form: str = "avf", level: Level = Level.INTERMEDIATE, seed: int = 1) -> Recording:
    """A won game as a file of ``form`` would say it; the same arguments give the same game."""
    name, variant, software, precision_ms, played_at = _FORMS[form]
    game = play_game(DEMO_PROFILES[0], level, "FL", seed, must_win=True, played_at=played_at)
    events = game.events.copy()
    for axis, side in (("x_px", game.board.columns), ("y_px", game.board.rows)):
        events[axis] = np.clip(events[axis], 0, side * game.cell_px - 1)  # EVF knows no point outside
    made = replace(
        game,
        format=name,
        format_variant=variant,
        software=software,
        time_precision_ms=precision_ms,
        player="Ann",
        player_bytes=b"Ann",
        country="",
        events=events,
    )
    made = native.on_clock(native.without_idle_states(made) if name == "mvf" else made)
    return with_moments(made)


def with_moments(recording: Recording) -> Recording:
    """``recording`` with an end that lies as long after its beginning as the game lasted."""
    if recording.played_at is None:
        return recording
    lasted = timedelta(milliseconds=analyse(recording).game.time_ms)
    return replace(recording, ended_at=recording.played_at + lasted)


def evidence_in(data: bytes) -> Evidence:
    """The evidence in a file."""
    return evidence_of(analyse(formats.read(data)))


def codes_in(data: bytes) -> list[str]:
    """The codes of all findings in a file, of the reader, the analysis and the evidence."""
    analysis = analyse(formats.read(data))
    return [finding.code for finding in (*analysis.findings, *evidence_of(analysis).findings)]
