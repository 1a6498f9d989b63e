"""When a game began and ended by the clock of the game, by that of the wall, and by the header."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from analysis.analyse import Analysis
from analysis.click_machine import Result
from analysis.recording import Finding

_MILLISECOND: Final = timedelta(milliseconds=1)
_HAVE_MOMENTS: Final = frozenset({"avf", "evf", "rawvf"})  # MVF and RMV have only one of the two

#: By how many ms the two clocks may differ: three times as far as they do in any of 8,103 files, where a busy computer made it
#: 309 ms.  Two clocks in one file need no sample to contradict each other, but they may stop, drift and be set.
_MOMENTS_MS: Final = 1_001.0
_HOUR_MS: Final = 3_600_000.0


def moment_findings(analysis: Analysis) -> Iterator[Finding]:
    """Yield a finding if the start or end by the wall clock is missing, or if the game lasted a different time."""
    recording = analysis.recording
    if recording.format not in _HAVE_MOMENTS:
        return
    lasted_ms = _lasted_ms(recording.played_at, recording.ended_at)
    if lasted_ms is None:
        yield Finding("moments_missing")
        return
    time_ms = analysis.game.time_ms  # what the header says of it is compared by the analysis
    apart_ms = abs(lasted_ms - time_ms)
    if recording.played_at is not None and recording.played_at.tzinfo is None:
        apart_ms = min(apart_ms, abs(apart_ms - _HOUR_MS))  # summer time may begin or end during a game
    if apart_ms > _MOMENTS_MS:
        yield Finding("moments_differ", {"dates_ms": round(lasted_ms, 1), "events_ms": time_ms})


def _lasted_ms(began: datetime | None, ended: datetime | None) -> float | None:
    if began is None or ended is None or (began.tzinfo is None) != (ended.tzinfo is None):
        return None
    return (ended - began) / _MILLISECOND


def span_findings(analysis: Analysis) -> Iterator[Finding]:
    """Yield findings if a native file does not begin or end as programs make it.

    Every program sets its clock to 0 at the first event.  Arbiter writes nothing after the deciding release.
    """
    recording, game = analysis.recording, analysis.game
    if recording.format == "rawvf" or recording.converted:
        return
    time_ms = int(recording.events["time_ms"][0])
    if abs(time_ms) > recording.time_precision_ms:
        yield Finding("start_not_zero", {"time_ms": time_ms})
    behind = len(recording.events) - 1 - game.end_index
    is_arbiters = recording.format == "avf" and recording.software.startswith("Minesweeper Arbiter")
    if behind and game.result is Result.WON and is_arbiters:
        yield Finding("events_after_end", {"count": behind})
