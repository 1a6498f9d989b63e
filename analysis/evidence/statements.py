"""A program's own word on the game it recorded, where it speaks against the player."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.analyse import Analysis
from analysis.click_machine import Result
from analysis.recording import Finding


def statement_findings(analysis: Analysis) -> Iterator[Finding]:
    """Yield a finding if the program itself doesn't call the game fair.  Unfinished games are never called so."""
    if analysis.recording.claims.fair is False and analysis.game.result is not Result.UNFINISHED:
        yield Finding("not_fair")
