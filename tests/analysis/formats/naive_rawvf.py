"""The slow twin of RawVF's compiled line scanner: a regular expression for each kind of line, decimal arithmetic."""

from __future__ import annotations

import re
from decimal import Decimal

from analysis.limits import MAX_LINE_CHARS, MAX_TIME_MS
from analysis.recording import Kind

KINDS = {
    "mv": Kind.MOVE, "lc": Kind.LEFT_PRESS, "lr": Kind.LEFT_RELEASE, "rc": Kind.RIGHT_PRESS, "rr": Kind.RIGHT_RELEASE,
    "mc": Kind.MIDDLE_PRESS, "mr": Kind.MIDDLE_RELEASE, "sc": Kind.SHIFT_LEFT_PRESS, "mt": Kind.MARKS_TOGGLE,
    "pf": Kind.PREFLAG, "cc": Kind.SECOND_PRESS, "l": Kind.LEFT_CHANGE, "r": Kind.RIGHT_CHANGE, "m": Kind.MIDDLE_CHANGE,
}  # fmt: skip

_B = r"[ \t]"
_TIME = rf"(?P<time>-?[0-9]+(?:\.[0-9]+)?){_B}+"
_PAIR = rf"{_B}*-?[0-9]+{_B}+-?[0-9]+"
_MOUSE = re.compile(
    rf"{_TIME}(?P<code>{'|'.join(KINDS)})(?![a-z0-9])(?:{_PAIR})?{_B}*"
    rf"\({_B}*(?P<x>-?[0-9]+){_B}+(?P<y>-?[0-9]+){_B}*\)(?:{_B}*\([lrm]*\))?"
)
_GAME = re.compile(rf"(?:{_TIME})?(?P<word>won|win|victory|lost|lose|loss|defeat|boom|start|nonstandard|blast)")
_SCROLL = re.compile(rf"{_TIME}s[xy](?![a-z0-9]){_PAIR}")
_BOARD = re.compile(rf"(?:number[0-8]|pressed|closed|flag|questionmark|pressedqm)(?![a-z0-9]){_PAIR}")
_BLAST = re.compile(rf"(?:{_TIME})?blast(?![a-z0-9]){_PAIR}")


class BadLine(Exception):
    """The first line outside the grammar, by its number from 1."""

    def __init__(self, number: int) -> None:
        super().__init__(f"line {number}")
        self.number = number


def milliseconds(text: str) -> int | None:
    """The time, or ``None`` if it is no whole number of milliseconds or beyond a day."""
    exact = Decimal(text) * 1000
    return int(exact) if exact == exact.to_integral_value() and abs(exact) <= MAX_TIME_MS else None


def parse(data: bytes) -> list[tuple[int, int, int, int]]:
    """The mouse events, in file order, with unchanged times."""
    events = []
    for number, raw in enumerate(data.split(b"\n"), start=1):
        line = raw.decode("latin-1").rstrip(" \t\r").lstrip(" \t").lower()
        if len(raw) > MAX_LINE_CHARS + 1:
            raise BadLine(number)
        if not line:
            continue
        match = next(filter(None, (kind.fullmatch(line) for kind in (_MOUSE, _GAME, _SCROLL, _BOARD, _BLAST))), None)
        if match is None:
            raise BadLine(number)
        groups = match.groupdict()
        time_ms = milliseconds(groups["time"]) if groups.get("time") else 0
        if time_ms is None:
            raise BadLine(number)
        if "code" in groups:
            x_px, y_px = int(groups["x"]), int(groups["y"])
            if not all(-32768 <= value <= 32767 for value in (x_px, y_px)):
                raise BadLine(number)
            events.append((time_ms, x_px, y_px, int(KINDS[groups["code"]])))
    return events
