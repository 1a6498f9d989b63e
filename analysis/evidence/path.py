"""Whether the cursor went where the buttons were used."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from analysis.analyse import Analysis
from analysis.click_machine import Result
from analysis.evidence.track import Track
from analysis.kernels.click_machine import LEFT_PRESS, LEFT_RELEASE, RIGHT_PRESS
from analysis.recording import Finding, Recording

#: The least share of button events at the place of the event before them.  An MVF record has place and buttons at once,
#: so there it is always 1.  Of 8,085 files of Arbiter 0.1 % are below;
#: of 34 files of other programs none is below 0.98 once preflags are left out, too few for a high limit.
_BUTTON_PLACE_AVF: Final = 0.911
_BUTTON_PLACE: Final = 0.80
_MISSES: Final = 3  # one or two of the few clicks of a short game say nothing

#: Records a 3BV of a won game: at least 19.5 in 8,085 files of Arbiter; Clone 0.96 has a game with 11.3.
_RECORDS_PER_BV: Final = 10.0
_RECORDS_PER_BV_MVF: Final = 5.0


def path_findings(analysis: Analysis, track: Track) -> Iterator[Finding]:
    """Yield findings if the path of the cursor is missing, wholly or in part."""
    recording, game = analysis.recording, analysis.game
    acts, jumps = track.acts, track.jumps
    least = _BUTTON_PLACE_AVF if recording.format == "avf" else _BUTTON_PLACE
    if jumps >= _MISSES and acts - jumps < least * acts:
        text = f"{jumps} of {acts} button events happened away from the cursor; up to {1 - least:.1%} is normal."
        yield Finding("button_jumps", text)
    per_bv = track.events / max(analysis.facts.bv, 1)
    least = _RECORDS_PER_BV_MVF if recording.format == "mvf" else _RECORDS_PER_BV
    # A single click may win at once, without a path.
    if game.result is Result.WON and analysis.facts.bv >= 2 and per_bv < least:
        yield Finding(
            "no_path", f"The file has {per_bv:.1f} events per 3BV; games played by hand have at least {least:.0f}."
        )


def right_press_findings(recording: Recording, end_index: int) -> Iterator[Finding]:
    """Clone 0.97 counts every right press made while the left button is up."""
    stated = recording.extra.get("RightPresses")
    if recording.format != "mvf" or stated is None:
        return
    kind = recording.events["kind"][: end_index + 1]
    left_down = np.cumsum((kind == LEFT_PRESS).astype(np.int64) - (kind == LEFT_RELEASE))
    found = int(np.count_nonzero((kind == RIGHT_PRESS) & (left_down <= 0)))
    if str(found) != stated:
        text = f"The file gives the number of right clicks as {stated}, but we count {found}."
        yield Finding("rcl_differs", text)
