"""The programs that write replay files, and which of their versions count: the table ``programs.csv`` beside this file.

version
    a version, or with ``*`` at its end all that begin so and go on with further numbers of one or two digits or the letters
    of a preview; one without a row is new if it is later than all of its program, else unknown.  Sites accept such versions by themselves
variants
    of the format, that these versions write; empty: any
first
    the earliest day of its files: where the release is not dated, the first day of the year in its copyright line;
    ``none`` where not even that is known, as of Clone before 0.97
last, reason
    the last day of files that count, and the code of why; ``none``: its files count to this day.  Clone was official from 2004 to 2013
    as a whole, so all its versions end then.

Sources: copyright lines in the files; the histories of Clone (minesweeper.info) and of Vienna MineSweeper (sweeper.wien);
the periods of Metasweeper's releases in ``ms_toollib.valid_time_period``.  That table also ends Viennasweeper, in April
2023, and gives no reason; the world ranking takes 3.0.2H to this day, so it has no last day here.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Final

from analysis.errors import excerpt
from analysis.recording import Finding, Recording


@dataclass(frozen=True, slots=True)
class Program:
    format: str
    version: str
    variants: tuple[str, ...]
    first: date | None
    last: date | None
    reason: str

    def covers(self, recording: Recording) -> bool:
        """Return whether the file says that one of these versions wrote it."""
        if recording.format != self.format or (self.variants and recording.format_variant not in self.variants):
            return False
        if self.version.endswith("*"):
            return _goes_on(self.version[:-1], recording.software)
        return recording.software == self.version


#: What may stand behind a number, and behind a dot or a blank, where a number has to follow.
_PREVIEW: Final = r"(?:-?[a-zA-Z]{1,5}\d{0,2})?"
_BEHIND_NUMBER: Final = re.compile(r"(?:\.\d{1,2}){0,3}" + _PREVIEW, re.ASCII)
_NUMBER: Final = re.compile(r"\d{1,2}(?:\.\d{1,2}){0,3}" + _PREVIEW, re.ASCII)


def _goes_on(prefix: str, software: str) -> bool:
    """Return whether ``software`` is ``prefix`` and no more than the rest of a version: 0.51 goes on in 0.51.2, not in 0.519."""
    rest = _BEHIND_NUMBER if prefix[-1].isdecimal() else _NUMBER
    return software.startswith(prefix) and rest.fullmatch(software, len(prefix)) is not None


def _read_table() -> tuple[Program, ...]:
    with Path(__file__).with_name("programs.csv").open(encoding="utf-8", newline="") as table:
        return tuple(
            Program(
                format=row["format"],
                version=row["version"],
                variants=tuple(row["variants"].split()),
                first=_day(row["first"]),
                last=_day(row["last"]),
                reason=row["reason"],
            )
            for row in csv.DictReader(table)
        )


def _day(text: str) -> date | None:
    """A day of the table; an empty field is an error, since somebody has to say that there is none."""
    return None if text == "none" else date.fromisoformat(text)


PROGRAMS: Final[tuple[Program, ...]] = _read_table()

#: A name, numbers with dots between them, and the letters of a preview.
_VERSION: Final = re.compile(r"(\D+)(\d{1,4}(?:\.\d{1,4}){0,4})(?:[a-zA-Z-][a-zA-Z0-9.-]{0,11})?", re.ASCII)
_SLACK: Final = timedelta(days=1)  # a date may be of any zone


def program_findings(recording: Recording) -> Iterator[Finding]:
    """Yield a finding if the version is unknown, or if the file is dated before or after the days of that version."""
    program, shown = _program_of(recording), excerpt(recording.software)
    if program is None:
        params = {"program": shown}
        yield Finding("version_new", params) if _is_newer(recording) else Finding("version_unknown", params)
        return
    if recording.played_at is None:
        return
    day = recording.played_at.date()
    if program.first is not None and day < program.first - _SLACK:
        yield Finding("before_version", {"day": f"{day}", "program": shown, "first": f"{program.first}"})
    if program.last is not None and day > program.last + _SLACK:
        yield Finding("version_withdrawn", {"day": f"{day}", **_withdrawal(program, recording)})


def withdrawn_when_received(recording: Recording, received: date) -> Finding | None:
    """The finding of a file that came after its program was withdrawn, whatever date it states; None if there is none.

    Anybody can write a date into a file, so it counts only where somebody vouches for it.
    """
    program = _program_of(recording)
    if program is None or program.last is None or received <= program.last + _SLACK:
        return None
    return Finding("version_withdrawn", {"received": f"{received}", **_withdrawal(program, recording)})


def _withdrawal(program: Program, recording: Recording) -> dict[str, str]:
    return {"program": excerpt(recording.software), "last": f"{program.last}", "reason": program.reason}


def _program_of(recording: Recording) -> Program | None:
    return next((row for row in PROGRAMS if row.covers(recording)), None)


def _is_newer(recording: Recording) -> bool:
    """Return whether the file names a later version of a program than all of that program, whose latest one still counts."""
    stated = _name_and_number(recording.software)
    if stated is None:
        return False
    numbered = [(found, row) for row in PROGRAMS if (found := _name_and_number(row.version.rstrip("*").rstrip(".")))]
    known = [(number, row) for (name, number), row in numbered if (row.format, name) == (recording.format, stated[0])]
    if not known:
        return False
    number, latest = max(known, key=lambda found: found[0])
    writes = not latest.variants or recording.format_variant in latest.variants
    return latest.last is None and writes and stated[1] > number


def _name_and_number(software: str) -> tuple[str, tuple[int, ...]] | None:
    """Return a program and its version in numbers: ("Minesweeper Arbiter ", (0, 52, 3)); None where there is none."""
    match = _VERSION.fullmatch(software)
    return None if match is None else (match[1], tuple(map(int, match[2].split("."))))
