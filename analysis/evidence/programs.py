"""The programs that write replay files, and which of their versions count.

A row is a version, or with ``*`` at its end all versions that begin so.  ``first`` is the earliest day on which a file of
it can have been written: where the release is not dated, the year that its copyright line reaches.  ``last`` is the last
day on which its files count, with the reason.  A version without a row is unknown; new releases get theirs here.

Sources: copyright lines in the files; the histories of Clone (minesweeper.info) and of Vienna MineSweeper (sweeper.wien);
the periods of Metasweeper's releases in ``ms_toollib.valid_time_period``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from analysis.recording import Finding, Recording


@dataclass(frozen=True, slots=True)
class Program:
    """Versions of a program, by the format that they write."""

    format: str
    version: str
    first: date | None = None
    last: date | None = None
    reason: str = ""

    def covers(self, recording: Recording) -> bool:
        """Whether the file says that one of these versions wrote it."""
        if recording.format != self.format:
            return False
        if self.version.endswith("*"):
            return recording.software.startswith(self.version[:-1])
        return recording.software == self.version


_EARLY_ARBITER: Final = "its board files could be loaded and played as if they were new"
_OFFICIAL_CLONE: Final = "Clone is not official since"
_FAIRNESS: Final = "a weakness of its random boards"

PROGRAMS: Final[tuple[Program, ...]] = (
    Program("avf", "Minesweeper Arbiter 0.43*", date(2005, 1, 1), date(2007, 12, 31), _EARLY_ARBITER),
    *(
        Program("avf", f"Minesweeper Arbiter 0.{minor}*", date(2006, 1, 1))
        for minor in (44, 45, 46, 47, 48, 49, 50, 51)
    ),
    *(Program("avf", f"Minesweeper Arbiter 0.52{patch}", date(2006, 1, 1)) for patch in ("", ".1", ".2", ".3")),
    # Before 0.97 the file has neither version nor date.
    Program("mvf", "Minesweeper Clone 0.96 or earlier"),
    Program("mvf", "Minesweeper Clone 0.76"),
    Program("mvf", "Minesweeper Clone 0.75 or earlier"),
    Program("mvf", "Minesweeper Clone 0.97 beta", date(2004, 1, 30), date(2013, 12, 31), _OFFICIAL_CLONE),
    Program("mvf", "Minesweeper Clone 2006 release *", date(2006, 1, 1), date(2013, 12, 31), _OFFICIAL_CLONE),
    Program("mvf", "Minesweeper Clone 2007 release *", date(2007, 1, 1), date(2013, 12, 31), _OFFICIAL_CLONE),
    Program("rmv", "Vienna Minesweeper - Release 2.*", date(2008, 1, 1)),
    *(
        Program("rmv", f"Vienna Minesweeper - {edition}Release 3.*", date(2008, 1, 1))
        for edition in ("", "Home Edition - ", "Scoreganizer Client Edition - ")
    ),
    *(
        Program("rmv", f"Vienna Minesweeper - {edition}Release {major}.*", date(2023, 1, 1))
        for edition in ("", "Home Edition - ", "Scoreganizer Client Edition - ")
        for major in (4, 5)
    ),
    Program("evf", "元3.1.9", date(2024, 7, 24), date(2026, 3, 2), _FAIRNESS),
    Program("evf", "元3.1.10", date(2024, 7, 24), date(2026, 3, 2), _FAIRNESS),
    Program("evf", "元3.1.11", date(2024, 9, 8), date(2026, 3, 2), _FAIRNESS),
    Program("evf", "元3.2.0", date(2024, 11, 20), date(2026, 3, 2), _FAIRNESS),
    Program("evf", "元3.2.1", date(2025, 2, 1), date(2026, 3, 2), _FAIRNESS),
    Program("evf", "元3.2.2", date(2026, 3, 2)),
    Program("evf", "元3.3.0", date(2026, 3, 2)),
    Program("evf", "元3.3.1", date(2026, 3, 2)),
)

_SLACK: Final = timedelta(days=1)  # a file may have the date of any zone


def program_findings(recording: Recording) -> Iterator[Finding]:
    """Whether the version is known, and whether the date of the file lies in its days."""
    program = next((row for row in PROGRAMS if row.covers(recording)), None)
    shown = recording.software[:60] or "nothing"
    if program is None:
        yield Finding("version_unknown", f"The file names {shown} as its program, which is not in the list.")
        return
    if recording.played_at is None:
        return
    day = recording.played_at.date()
    if program.first is not None and day + _SLACK < program.first:
        yield Finding("before_version", f"The file is of {day}; {shown} is there only since {program.first}.")
    if program.last is not None and day - _SLACK > program.last:
        reason = f"{program.last}: {program.reason}"
        yield Finding("version_withdrawn", f"The file is of {day}; files of {shown} count only until {reason}.")
