"""The list of findings of a reader, the claims that it cannot read, and the correction of times that go back.

A claim is what the file says of its game and what replaying it tells: one that cannot be read is noted, and rejects nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from analysis.errors import excerpt
from analysis.kernels.events import raise_times
from analysis.recording import EventArray, Finding, Mode


@dataclass(slots=True)
class Notes:
    """Findings in the order of their discovery."""

    found: list[Finding] = field(default_factory=list)

    def add(self, code: str, **params: str | int) -> None:
        self.found.append(Finding(code, params))

    def unread(self, line: str) -> None:
        self.add("claim_unread", line=excerpt(line))

    def unknown_level(self, level: object) -> None:
        self.add("level_unknown", level=excerpt(str(level)))

    def unknown_mode(self, mode: object) -> Mode:
        """Note a mode that is not known, and return the one that counts."""
        self.add("mode_unknown", mode=excerpt(str(mode)))
        return Mode.OTHER

    def marks(self, code: int, *, on: int = 1, off: int = 0) -> bool:
        """Return the setting of question marks; a ``code`` that is neither is noted, and is off."""
        if code not in (on, off):
            self.add("claim_unread", line="question marks")
        return code == on


def settle_times(events: EventArray, notes: Notes) -> None:
    """Raise every time to the largest before it; one of 8,103 files steps back by 10 ms."""
    late = int(raise_times(events))
    if late:
        notes.add("time_goes_back", late=late)
