"""The programs that write replay files, and which of their versions count: the table ``programs.csv`` beside this file.

version
    a version, or with ``*`` at its end all that begin so; one without a row is unknown, and new releases get theirs there
variants
    of the format, that these versions write; empty: any
first
    the earliest day of its files: where the release is not dated, the first day of the year in its copyright line
last, reason
    the last day of files that count, and why

Sources: copyright lines in the files; the histories of Clone (minesweeper.info) and of Vienna MineSweeper (sweeper.wien);
the periods of Metasweeper's releases in ``ms_toollib.valid_time_period``.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Final

from analysis.recording import Finding, Recording


@dataclass(frozen=True, slots=True)
class Program:
    """A row of the table."""

    format: str
    version: str
    variants: tuple[str, ...]
    first: date | None
    last: date | None
    reason: str

    def covers(self, recording: Recording) -> bool:
        """Whether the file says that one of these versions wrote it."""
        if recording.format != self.format or (self.variants and recording.format_variant not in self.variants):
            return False
        if self.version.endswith("*"):
            return recording.software.startswith(self.version[:-1])
        return recording.software == self.version


def _read_table() -> tuple[Program, ...]:
    with Path(__file__).with_name("programs.csv").open(encoding="utf-8", newline="") as table:
        return tuple(
            Program(
                format=row["format"],
                version=row["version"],
                variants=tuple(row["variants"].split()),
                first=date.fromisoformat(row["first"]) if row["first"] else None,
                last=date.fromisoformat(row["last"]) if row["last"] else None,
                reason=row["reason"],
            )
            for row in csv.DictReader(table)
        )


PROGRAMS: Final[tuple[Program, ...]] = _read_table()

_SLACK: Final = timedelta(days=1)  # a date may be of any zone


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
    if program.first is not None and day < program.first - _SLACK:
        yield Finding("before_version", f"The file is of {day}; {shown} is there only since {program.first}.")
    if program.last is not None and day > program.last + _SLACK:
        text = f"The file is of {day}; files of {shown} count until {program.last}: {program.reason}."
        yield Finding("version_withdrawn", text)
