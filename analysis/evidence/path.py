"""Whether the cursor went where the buttons were used."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from analysis.analyse import Analysis
from analysis.click_machine import Result
from analysis.errors import excerpt
from analysis.evidence.track import Track
from analysis.kernels.click_machine import LEFT_PRESS, LEFT_RELEASE, RIGHT_PRESS
from analysis.recording import Finding, Recording

#: Of 8,119 files none has eight button events away from the cursor.  An MVF record has place and buttons at once, so there it is
#: always 0.  None of these players uses a touchscreen or a pen, so it is a remark.
_MISSES: Final = 10
_SHARE: Final = 0.15

#: Records a 3BV of a won game: at least 19.5 in 8,098 files of Arbiter; Clone 0.96 has a game with 11.3.
_RECORDS_PER_BV: Final = 10.0
_RECORDS_PER_BV_MVF: Final = 5.0


def path_findings(analysis: Analysis, track: Track) -> Iterator[Finding]:
    """Yield findings if the path of the cursor is missing, wholly or in part."""
    recording, game = analysis.recording, analysis.game
    acts, jumps = track.acts, track.jumps
    if jumps >= _MISSES and jumps > _SHARE * acts:
        yield Finding("button_jumps", {"jumps": jumps, "acts": acts, "most_percent": round(100 * _SHARE)})
    per_bv = track.events / max(analysis.facts.bv, 1)
    least = _RECORDS_PER_BV_MVF if recording.format == "mvf" else _RECORDS_PER_BV
    # A single click may win at once, without a path.
    if game.result is Result.WON and analysis.facts.bv >= 2 and per_bv < least:
        yield Finding("no_path", {"events_per_3bv": round(per_bv, 1), "least": round(least)})


def right_press_findings(recording: Recording, end_index: int) -> Iterator[Finding]:
    """Clone 0.97 counts every right press made while the left button is up."""
    stated = recording.extra.get("RightPresses")
    if recording.format != "mvf" or stated is None:
        return
    kind = recording.events["kind"][: end_index + 1]
    left_down = np.cumsum((kind == LEFT_PRESS).astype(np.int64) - (kind == LEFT_RELEASE))
    found = int(np.count_nonzero((kind == RIGHT_PRESS) & (left_down <= 0)))
    if str(found) != stated:
        yield Finding("rcl_differs", {"claimed": excerpt(stated), "actual": found})
