"""Seven-segment displays of the home page as SVG; ``browse/home/led.js`` changes their digits."""

from __future__ import annotations

from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

_ACROSS: Final = "M4.7 {0}l2.6-2.6h9.4l2.6 2.6-2.6 2.6h-9.4z"
_DOWN: Final = "M{0} {1}l2.6 2.6v9.4l-2.6 2.6-2.6-2.6v-9.4z"
_SEGMENTS: Final = {
    "a": _ACROSS.format(4), "b": _DOWN.format(20, 4.7), "c": _DOWN.format(20, 20.7), "d": _ACROSS.format(36),
    "e": _DOWN.format(4, 20.7), "f": _DOWN.format(4, 4.7), "g": _ACROSS.format(20),
}  # fmt: skip
#: The lit segments of each digit.
_LIT: Final = ("abcdef", "bc", "abged", "abgcd", "fgbc", "afgcd", "afgedc", "abc", "abcdefg", "abcdfg")
_DIGIT: Final = 26
_POINT: Final = 8
_POINT_X: Final = 1.6
_EDGE: Final = 5


def led(text: str, label: str) -> SafeString:
    """Show ``text`` (digits, and a point at most); ``label`` names it for screen readers."""
    parts, x = [], 0
    for sign in text:
        if sign == ".":
            parts.append(format_html('<circle class="son" cx="{}" cy="36" r="2.9"/>', x + _POINT_X))
            x += _POINT
        else:
            parts.append(format_html('<use href="#led" x="{0}"/><use class="lit" href="#led-{1}" x="{0}"/>', x, sign))
            x += _DIGIT
    return format_html(
        '<svg class="led" viewBox="-4 -2 {} 44" role="img" aria-label="{}">{}</svg>',
        x + _EDGE, label, SafeString("".join(parts)),
    )  # fmt: skip


def led_symbols() -> SafeString:
    """Define the digits, and the segments that are not lit."""
    digits = ((number, "".join(_SEGMENTS[name] for name in lit)) for number, lit in enumerate(_LIT))
    return format_html(
        '<path id="led" class="soff" d="{}"/>{}', "".join(_SEGMENTS.values()),
        format_html_join("", '<path id="led-{}" class="son" d="{}"/>', digits),
    )  # fmt: skip


def clock_text(text: str) -> str:
    """A time as a clock shows it: "40.55" as "040.55"; the last second of those it has no place for."""
    whole, point, rest = text.partition(".")
    return f"{whole[:3]:0>3}{point}{rest}" if len(whole) <= 3 else f"999{point}{'9' * len(rest)}"
