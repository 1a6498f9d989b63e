"""RawVF, the option lines: ``name: value``, names without case."""

from __future__ import annotations

import re
from dataclasses import dataclass

from analysis.errors import BadField, Inconsistent, LimitExceeded
from analysis.formats.reader import LineReader
from analysis.formats.text import decode

MAX_OPTIONS = 256  # the longest list of any program has about 80
_LARGEST_COUNT = 1_000_000_000

ON = frozenset({"on", "yes", "true", "1"})
OFF = frozenset({"off", "no", "false", "0", ""})

_COUNT = re.compile(rb"\d{1,10}")
_SECONDS = re.compile(rb"(\d{1,7})(?:\.(\d{1,3})0*)?")


@dataclass(frozen=True, slots=True)
class Option:
    """One option line: its name and value as they stand in the file, and the number of the line."""

    name: str
    value: bytes
    line: int

    @property
    def word(self) -> str:
        """The value as a keyword: text in small letters."""
        return decode(self.value).lower()

    def bad(self) -> BadField:
        """The error for a value that is not allowed."""
        return BadField(self.name, offset=self.line, value=decode(self.value))


class Options:
    """The options of one file.  It records which ones were read; :meth:`others` returns the rest."""

    def __init__(self, lines: dict[str, Option]) -> None:
        self._lines = lines
        self._asked: set[str] = set()

    def get(self, *names: str) -> Option | None:
        """The first of the options ``names`` (in small letters) that is there."""
        self._asked.update(names)
        return next((self._lines[name] for name in names if name in self._lines), None)

    def peek(self, name: str) -> Option | None:
        """The option, without recording that it was read."""
        return self._lines.get(name)

    def raw(self, *names: str) -> bytes:
        """The value as bytes; none if the option is missing."""
        option = self.get(*names)
        return option.value if option else b""

    def text(self, *names: str) -> str:
        """The value as clean text; empty if the option is missing."""
        return decode(self.raw(*names))

    def count(self, *names: str) -> int | None:
        """The value as a whole number from 0."""
        option = self.get(*names)
        if option is None:
            return None
        if not _COUNT.fullmatch(option.value) or int(option.value) > _LARGEST_COUNT:
            raise option.bad()
        return int(option.value)

    def demanded(self, name: str) -> int:
        """Return the value as :meth:`count` does, of an option that must be there."""
        count = self.count(name.lower())
        if count is None:
            raise Inconsistent(f"The file does not state {name}.")
        return count

    def milliseconds(self, name: str) -> int | None:
        """The value, seconds with at most three decimals that are not 0, as whole milliseconds."""
        option = self.get(name)
        if option is None:
            return None
        match = _SECONDS.fullmatch(option.value)
        if match is None:
            raise option.bad()
        return int(match[1]) * 1000 + int((match[2] or b"").ljust(3, b"0"))

    def switch(self, *names: str) -> bool:
        """Return whether the option is on; off if it is missing."""
        option = self.get(*names)
        if option is None or option.word in OFF:
            return False
        if option.word in ON:
            return True
        raise option.bad()

    def others(self) -> dict[str, str]:
        """The options that were not read, text by name."""
        return {option.name: decode(option.value) for key, option in self._lines.items() if key not in self._asked}


def read_options(lines: LineReader) -> Options:
    """The options up to the line ``Board:``, which is passed over."""
    found: dict[str, Option] = {}
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
            return Options(found)
        if key in found:
            raise Inconsistent(f"The option {name} stands in two lines ({found[key].line} and {lines.line}).")
        if len(found) == MAX_OPTIONS:
            raise LimitExceeded("number of options", limit=MAX_OPTIONS, value=len(found) + 1)
        found[key] = Option(name, value.strip(), lines.line)
