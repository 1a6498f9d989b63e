"""When a game began and ended by the clock of the game, by that of the wall, and by the header."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from analysis.analyse import Analysis
from analysis.click_machine import Result
from analysis.recording import Finding, Recording

_MILLISECOND: Final = timedelta(milliseconds=1)
_HAVE_MOMENTS: Final = frozenset({"avf", "evf", "rawvf"})  # MVF and RMV have only one of the two

#: By how many ms the wall's clock may exceed the game's, by the program.  Arbiter: -10 to 30 in 8,078 of 8,085 files,
#: -6 to 25 in 99.9 %.  Metasweeper: -0.3 to 0.6 in 10 of 10.  Other programs may write whole seconds.
_MOMENTS: Final[tuple[tuple[tuple[str, ...], float, float], ...]] = (
    (("Minesweeper Arbiter", "Arbiter"), -15.0, 40.0),
    (("元",), -1.5, 1.5),
    (("",), -1_001.0, 1_001.0),
)


def moment_findings(analysis: Analysis) -> Iterator[Finding]:
    """Yield a finding if the start or end by the wall clock is missing, or if the game lasted a different time."""
    recording = analysis.recording
    if recording.format not in _HAVE_MOMENTS:
        return
    lasted_ms = _lasted_ms(recording.played_at, recording.ended_at)
    if lasted_ms is None:
        yield Finding("moments_missing", "The file doesn't say when the game started and ended.")
        return
    time_ms = analysis.game.time_ms  # what the header says of it is compared by the analysis
    least, most = next((least, most) for names, least, most in _MOMENTS if recording.software.startswith(names))
    if not least <= lasted_ms - time_ms <= most:
        text = f"The game lasted {lasted_ms:.1f} ms according to its dates, but {time_ms} ms according to its events."
        yield Finding("moments_differ", text)


def _lasted_ms(began: datetime | None, ended: datetime | None) -> float | None:
    if began is None or ended is None or (began.tzinfo is None) != (ended.tzinfo is None):
        return None
    return (ended - began) / _MILLISECOND


def span_findings(analysis: Analysis) -> Iterator[Finding]:
    """Yield findings if a native file does not begin or end as its program makes it.

    Every program sets its clock to 0 at the first event; Arbiter only at the opening, and it writes nothing after the
    deciding release.
    """
    recording, game = analysis.recording, analysis.game
    if recording.format == "rawvf" or recording.converted:
        return
    places = {"first event": 0} | ({"opening": game.start_index} if _is_arbiter(recording) else {})
    for what, place in places.items():
        time_ms = int(recording.events["time_ms"][place])
        if abs(time_ms) > recording.time_precision_ms:
            yield Finding("start_not_zero", f"The {what} of the game is at {time_ms} ms instead of 0.")
            break
    behind = len(recording.events) - 1 - game.end_index
    if behind and game.result is Result.WON and _is_arbiter(recording):
        yield Finding(
            "events_after_end", f"The file has events after the winning click: {behind}. Arbiter never writes any."
        )


def _is_arbiter(recording: Recording) -> bool:
    return recording.format == "avf" and recording.software.startswith("Minesweeper Arbiter")
