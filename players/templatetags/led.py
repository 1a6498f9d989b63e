"""A time as a seven-segment display, which a page has once: its parts have ids."""

from __future__ import annotations

from typing import Final

from django.utils.safestring import SafeString, mark_safe

_ACROSS: Final = "M4.7 {0}l2.6-2.6h9.4l2.6 2.6-2.6 2.6h-9.4z"
_DOWN: Final = "M{0} {1}l2.6 2.6v9.4l-2.6 2.6-2.6-2.6v-9.4z"
_SEGMENTS: Final = {
    "a": _ACROSS.format(4), "b": _DOWN.format(20, 4.7), "c": _DOWN.format(20, 20.7), "d": _ACROSS.format(36),
    "e": _DOWN.format(4, 20.7), "f": _DOWN.format(4, 4.7), "g": _ACROSS.format(20),
}  # fmt: skip
#: The lit segments of each digit.
_LIT: Final = ("abcdef", "bc", "abged", "abgcd", "fgbc", "afgcd", "afgedc", "abc", "abcdefg", "abcdfg")
_DIGIT, _POINT, _EDGE = 26, 8, 5


def led(text: str) -> SafeString:
    """Draw ``text``, digits with a point at most, for eyes alone; the text itself goes beside it."""
    parts, x = [], 0
    for sign in text:
        if sign == ".":
            parts.append(f'<circle class="son" cx="{x + 1.6:g}" cy="36" r="2.9"/>')
            x += _POINT
        else:
            unlit = '<path id="unlit" class="soff" d="{}"/>'.format("".join(_SEGMENTS.values()))
            lit = "".join(_SEGMENTS[name] for name in _LIT[int(sign)])
            parts.append(
                (f'<use href="#unlit" x="{x}"/>' if parts else unlit)
                + f'<path class="son" transform="translate({x})" d="{lit}"/>'
            )
            x += _DIGIT
    return mark_safe(  # noqa: S308 - numbers
        f'<svg class="led" viewBox="-4 -2 {x + _EDGE} 44" aria-hidden="true">{"".join(parts)}</svg>'
    )
