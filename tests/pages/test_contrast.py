"""Every pair of colours of ``tokens.css`` that meets on a page can be told apart, in light and in dark."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, TypeAlias

import pytest
from django.conf import settings

Colour: TypeAlias = tuple[float, float, float]

TOKENS: Final = Path(settings.BASE_DIR) / "players" / "static" / "web" / "tokens.css"
TEXT_RATIO: Final = 4.5  # WCAG 1.4.3
PART_RATIO: Final = 3.0  # WCAG 1.4.11, and large text

#: Text and the grounds that it is written on.
TEXT: Final = {
    "ink": "page sheet sunken seg hover accent-soft good-soft bad-soft warn-soft",
    "soft": "page sheet sunken hover accent-soft good-soft",
    "muted": "page sheet sunken hover accent-soft",
    "accent": "page sheet hover accent-soft",
    "good": "page sheet hover good-soft",
    "bad": "page sheet hover bad-soft",
    "warn": "page sheet good-soft bad-soft warn-soft",
    "on-accent": "accent accent-h",
    "sheet": "bad",
    "on-medal": "gold silver bronze",
    "stage-ink": "stage stage2 stage3 stage-line",
    "stage-soft": "stage stage2 stage3",
    "stage-accent": "stage stage3",
    "led": "led-bg",
    **{f"n{digit}": "open" for digit in range(1, 9)},
}
#: Lines, dots and other parts that mean something, and their grounds.
PARTS: Final = {
    "edge": "page sheet",
    "accent": "page sheet sunken",
    "stage-accent": "stage stage3",
    "play": "stage-ink",
    "cloth": "b0",
    "mine": "open",
    **{f"n{digit}": "page sheet" for digit in (1, 2, 3, 6, 8)},
    **{f"p{player}": "page sheet" for player in range(1, 9)},
}


def _blocks() -> dict[str, dict[str, str]]:
    """Return the tokens of the light theme, of dark by the system, and of dark by choice."""
    text = re.sub(r"/\*.*?\*/", "", TOKENS.read_text(), flags=re.S)
    found = {
        "light": r":root \{(.*?)\}",
        "dark": r':root:not\(\[data-theme="light"\]\) \{(.*?)\}',
        "chosen": r':root\[data-theme="dark"\] \{(.*?)\}',
    }
    blocks = {}
    for name, pattern in found.items():
        block = re.search(pattern, text, re.S)
        assert block, name
        blocks[name] = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block[1]))
    return {name: blocks["light"] | block for name, block in blocks.items()}


def _channels(code: str) -> Colour:
    return int(code[1:3], 16) / 255, int(code[3:5], 16) / 255, int(code[5:7], 16) / 255


def _luminance(colour: Colour) -> float:
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _ratio(one: Colour, other: Colour) -> float:
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _mixed(one: Colour, other: Colour, share: float) -> Colour:
    """Return ``share`` of one colour over the other, as ``color-mix`` and the boards of rooms do."""
    first, second, third = (a * share + b * (1 - share) for a, b in zip(one, other, strict=True))
    return first, second, third


def _weak(tokens: dict[str, str], rules: dict[str, str], least: float) -> dict[str, float]:
    pairs = [(name, ground) for name, grounds in rules.items() for ground in grounds.split()]
    ratios = {f"{a} on {b}": round(_ratio(_channels(tokens[a]), _channels(tokens[b])), 2) for a, b in pairs}
    return {pair: ratio for pair, ratio in ratios.items() if ratio < least}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_that_meet_can_be_told_apart(theme: str) -> None:
    tokens = _blocks()[theme]
    assert _weak(tokens, TEXT, TEXT_RATIO) == {}
    assert _weak(tokens, PARTS, PART_RATIO) == {}


@pytest.mark.parametrize(("theme", "share"), [("light", 0.24), ("dark", 0.30)])
def test_digits_on_the_cells_of_players(theme: str, share: float) -> None:
    """A cell of a room is tinted with the colour of the player who opened it; its digit is large text."""
    tokens = _blocks()[theme]
    for player in range(1, 9):
        ground = _mixed(_channels(tokens[f"p{player}"]), _channels(tokens["open"]), share)
        for digit in range(1, 9):
            ratio = _ratio(_channels(tokens[f"n{digit}"]), ground)
            assert ratio >= PART_RATIO, (digit, player, round(ratio, 2))


def test_dark_by_choice_is_dark_by_the_system() -> None:
    blocks = _blocks()
    assert blocks["chosen"] == blocks["dark"]
    assert blocks["dark"] != blocks["light"]


def test_a_weak_pair_is_found() -> None:
    """The check itself: black on white is 21:1, a grey on white is not enough for text."""
    assert round(_ratio((0, 0, 0), (1, 1, 1)), 2) == 21
    assert _weak({"a": "#999999", "b": "#ffffff"}, {"a": "b"}, TEXT_RATIO) == {"a on b": 2.85}
