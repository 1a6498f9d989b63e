"""The list of findings of a reader, and the correction of times that go back."""

from __future__ import annotations

from dataclasses import dataclass, field

from analysis.kernels.events import raise_times
from analysis.recording import EventArray, Finding


@dataclass(slots=True)
class Notes:
    """Findings in the order of their discovery."""

    found: list[Finding] = field(default_factory=list)

    def add(self, code: str, text: str) -> None:
        """Note one finding."""
        self.found.append(Finding(code, text))


def settle_times(events: EventArray, notes: Notes) -> None:
    """Raise every time to the largest before it; one of 8,103 files steps back by 10 ms."""
    late = int(raise_times(events))
    if late:
        notes.add(
            "time_goes_back",
            f"Events with an earlier time than the event before them: {late}. We use that event's time instead.",
        )
