"""RawVF, the option lines: ``name: value``, names without case."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from analysis.errors import BadField, Inconsistent, LimitExceeded, excerpt
from analysis.formats.notes import Notes
from analysis.formats.reader import LineReader
from analysis.formats.text import decode

MAX_OPTIONS = 256  # the longest list of any program has about 80
_LARGEST_COUNT = 1_000_000_000

ON = frozenset({"on", "yes", "true", "1"})
OFF = frozenset({"off", "no", "false", "0", ""})

#: Options without which the game cannot be replayed; the others are claims about it, or settings with a default.
NEEDED: Final = frozenset({"width", "height", "mines", "squaresize"})

_COUNT = re.compile(rb"\d{1,10}")
_SECONDS = re.compile(rb"(\d{1,7})(?:[.,](\d{1,3})0*)?")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Option:
    """One option line: its name and value as they stand in the file, and the number of the line."""

    name: str
    value: bytes
    line: int

    @property
    def word(self) -> str:
        return decode(self.value).lower()

    def bad(self) -> BadField:
        """The error for a value that is not allowed."""
        return BadField(self.name, offset=self.line, value=decode(self.value))


class Options:
    """The options of one file.  It records which ones were read; :meth:`others` returns the rest."""

    def __init__(self, lines: dict[str, Option], notes: Notes) -> None:
        self._lines = lines
        self._notes = notes
        self._asked: set[str] = set()

    def get(self, *names: str) -> Option | None:
        """The first of the options ``names`` (in small letters) that is there."""
        self._asked.update(names)
        return next((self._lines[name] for name in names if name in self._lines), None)

    def peek(self, name: str) -> Option | None:
        """The option, without recording that it was read."""
        return self._lines.get(name)

    def raw(self, *names: str) -> bytes:
        option = self.get(*names)
        return option.value if option else b""

    def text(self, *names: str) -> str:
        """The value as clean text; empty if the option is missing."""
        return decode(self.raw(*names))

    def count(self, name: str) -> int | None:
        """The value as a whole number from 0."""
        option = self.get(name)
        if option is None:
            return None
        count = read_count(option.value)
        if count is None:
            raise option.bad()
        return count

    def demanded(self, name: str) -> int:
        """Return the value as :meth:`count` does, of an option that must be there."""
        count = self.count(name.lower())
        if count is None:
            raise Inconsistent(f"The file does not state {name}.")
        return count

    def claim(self, read: Callable[[bytes], T | None], *names: str) -> T | None:
        """Return the value as ``read`` reads it; one that it cannot read is noted, and counts as missing."""
        return self._read(self.get(*names), read)

    def setting(self, read: Callable[[bytes], T | None], name: str) -> T | None:
        """Return the value as :meth:`claim` does, without recording that it was read."""
        return self._read(self.peek(name), read)

    def _read(self, option: Option | None, read: Callable[[bytes], T | None]) -> T | None:
        if option is None or not option.value:
            return None
        value = read(option.value)
        if value is None:
            self._notes.unread(f"{option.name}: {decode(option.value)}")
        return value

    def switch(self, *names: str) -> bool:
        return bool(self.claim(read_switch, *names))

    def others(self) -> dict[str, str]:
        """The options that were not read, text by name."""
        return {option.name: decode(option.value) for key, option in self._lines.items() if key not in self._asked}


def read_count(value: bytes) -> int | None:
    """Return a whole number from 0."""
    return int(value) if _COUNT.fullmatch(value) and int(value) <= _LARGEST_COUNT else None


def read_seconds(value: bytes) -> int | None:
    """Return seconds with at most three decimals that are not 0, as whole milliseconds."""
    match = _SECONDS.fullmatch(value)
    return int(match[1]) * 1000 + int((match[2] or b"").ljust(3, b"0")) if match else None


def read_step_ms(value: bytes) -> int:
    """Return the step of the last decimal that seconds are written with, at most a second; 1 if these are none."""
    match = _SECONDS.fullmatch(value)
    return 10 ** (3 - len(match[2] or b"")) if match else 1


def read_switch(value: bytes) -> bool | None:
    word = decode(value).lower()
    return True if word in ON else False if word in OFF else None


def read_options(lines: LineReader, notes: Notes) -> Options:
    """The options up to the line ``Board:``, which is passed over."""
    found: dict[str, Option] = {}
    twice: dict[str, str] = {}
    count = 0
    while True:
        line = lines.next_filled("the line Board:")
        raw_name, colon, value = line.partition(b":")
        name = decode(raw_name)
        if not colon or not name:
            raise BadField("option", offset=lines.line, value=decode(line))
        key = name.lower()
        if key == "board":
            if value.strip():
                raise BadField(name, offset=lines.line, value=decode(value))
            if twice:
                notes.add("option_twice", names=excerpt(", ".join(twice.values())))
            return Options(found, notes)
        count += 1
        if count > MAX_OPTIONS:
            raise LimitExceeded("number of options", limit=MAX_OPTIONS, value=count)
        if key not in found:
            found[key] = Option(name, value.strip(), lines.line)
        elif key not in NEEDED:
            twice[key] = found[key].name
        elif found[key].value != value.strip():
            raise Inconsistent(f"The option {name} stands in two lines ({found[key].line} and {lines.line}).")
