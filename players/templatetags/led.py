"""Seven-segment displays as SVG, for pages of every app; ``play/look/led.js`` changes their digits."""

from __future__ import annotations

from typing import Final

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

_ACROSS: Final = "M4.7 {0}l2.6-2.6h9.4l2.6 2.6-2.6 2.6h-9.4z"
_DOWN: Final = "M{0} {1}l2.6 2.6v9.4l-2.6 2.6-2.6-2.6v-9.4z"
_SEGMENTS: Final = {
    "a": _ACROSS.format(4), "b": _DOWN.format(20, 4.7), "c": _DOWN.format(20, 20.7), "d": _ACROSS.format(36),
    "e": _DOWN.format(4, 20.7), "f": _DOWN.format(4, 4.7), "g": _ACROSS.format(20),
}  # fmt: skip
#: The lit segments of each sign.
_LIT: Final = {
    "0": "abcdef", "1": "bc", "2": "abdeg", "3": "abcdg", "4": "bcfg", "5": "acdfg", "6": "acdefg", "7": "abc",
    "8": "abcdefg", "9": "abcdfg", "-": "g",
}  # fmt: skip
_UNLIT: Final = "".join(_SEGMENTS.values())
_PITCH, _EDGE, _POINT, _POINT_X = 26, 6, 8, 1.6
#: The least places before the point.
_WHOLE: Final = 3


def led(text: str, label: str = "", name: str = "") -> SafeString:
    """Draw ``text``: digits, a minus, and one point at most.

    ``label``: its name for screen readers; without, it is for eyes alone, and the text goes next to it.  ``name``: what a
    script finds it by.
    """
    digits, point = text.replace(".", ""), text.find(".")
    places = "".join(
        f'<g transform="translate({_PITCH * place + (_POINT if 0 <= point <= place else 0)})"><path class="soff" d="{_UNLIT}"/>'
        f'<path class="son" d="{"".join(_SEGMENTS[name] for name in _LIT[digit])}"/></g>'
        for place, digit in enumerate(digits)
    )
    if point >= 0:
        places += f'<circle class="son" cx="{_PITCH * point + _POINT_X:g}" cy="36" r="2.9"/>'
    return format_html(
        '<svg class="led"{} viewBox="-4 -2 {} 44" {}>{}</svg>', format_html(' data-led="{}"', name) if name else "", _PITCH * len(digits) + (_POINT if point >= 0 else 0) + _EDGE,
        format_html('role="img" aria-label="{}"', label) if label else SafeString('aria-hidden="true"'),
        mark_safe(places),  # noqa: S308 - numbers
    )  # fmt: skip


def clock_text(text: str) -> str:
    """A number as a display shows it: "40.55" as "040.55", with more places where it needs them."""
    whole, point, rest = text.partition(".")
    return f"{whole:0>{_WHOLE}}{point}{rest}"
