"""Colours of ``tokens.css`` and of players in rooms that meet on a page can be told apart, in light and in dark."""

from __future__ import annotations

import itertools
import math
import re
from pathlib import Path
from typing import Final, TypeAlias

import pytest
from django.conf import settings

Colour: TypeAlias = tuple[float, float, float]

TOKENS: Final = Path(settings.BASE_DIR) / "players" / "static" / "web" / "tokens.css"
PALETTE: Final = Path(settings.BASE_DIR) / "replays" / "static" / "play" / "room" / "board" / "palette.js"
TEXT_RATIO: Final = 4.5  # WCAG 1.4.3
PART_RATIO: Final = 3.0  # WCAG 1.4.11, and large text
SKINS: Final = Path(settings.BASE_DIR) / "replays" / "static" / "play" / "look" / "skins.css"
#: The selectors of the skin for the colour-blind: light, dark by the system, and dark by choice.
SAFE: Final = {
    "light": ':root[data-skin="safe"] {',
    "dark": ':root[data-skin="safe"]:not([data-theme="light"]) {',
    "chosen": ':root[data-skin="safe"][data-theme="dark"] {',
}
#: Distance in CIELAB that the digits 1 to 4, by far the most frequent ones, keep from each other in that skin.
DIGIT_DISTANCE: Final = 47
#: What eyes make of linear RGB: Machado, Oliveira and Fernandes (2009), severity 1.
EYES: Final[dict[str, tuple[Colour, Colour, Colour]]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "red-blind": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "green-blind": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
}
#: From linear RGB to XYZ, and the white of D65.
_TO_XYZ: Final = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
_WHITE: Final = (0.9505, 1.0, 1.089)

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
    **{f"p{picture}": "page sheet" for picture in (2, 4, 6, 8)},
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


def _hues(theme: str) -> list[str]:
    """Return the colours of the players of a room."""
    line = re.search(rf"^  {theme}: (\[\"#.*\]),$", PALETTE.read_text(), re.M)
    assert line, theme
    return re.findall(r"#[0-9a-f]{6}", line[1])


def _channels(code: str) -> Colour:
    return int(code[1:3], 16) / 255, int(code[3:5], 16) / 255, int(code[5:7], 16) / 255


def _linear(colour: Colour) -> Colour:
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour)
    return red, green, blue


def _luminance(colour: Colour) -> float:
    red, green, blue = _linear(colour)
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


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_players_of_a_room(theme: str) -> None:
    """Their shares of a board are drawn on the page and on sheets."""
    tokens, hues = _blocks()[theme], _hues(theme)
    assert len(set(hues)) == 12
    assert _weak(tokens | {hue: hue for hue in hues}, dict.fromkeys(hues, "page sheet"), PART_RATIO) == {}


@pytest.mark.parametrize(("theme", "share"), [("light", 0.24), ("dark", 0.30)])
def test_digits_on_the_cells_of_players(theme: str, share: float) -> None:
    """A cell of a room is tinted with the colour of the player who opened it; its digit is large text."""
    tokens = _blocks()[theme]
    for hue in _hues(theme):
        ground = _mixed(_channels(hue), _channels(tokens["open"]), share)
        for digit in range(1, 9):
            ratio = _ratio(_channels(tokens[f"n{digit}"]), ground)
            assert ratio >= PART_RATIO, (digit, hue, round(ratio, 2))


def test_dark_by_choice_is_dark_by_the_system() -> None:
    blocks = _blocks()
    assert blocks["chosen"] == blocks["dark"]
    assert blocks["dark"] != blocks["light"]


def test_a_weak_pair_is_found() -> None:
    """The check itself: black on white is 21:1, a grey on white is not enough for text."""
    assert round(_ratio((0, 0, 0), (1, 1, 1)), 2) == 21
    assert _weak({"a": "#999999", "b": "#ffffff"}, {"a": "b"}, TEXT_RATIO) == {"a on b": 2.85}


# --- the skin for the colour-blind ------------------------------------------------------------------------------------


def _times(matrix: tuple[Colour, Colour, Colour], colour: Colour) -> Colour:
    first, second, third = (sum(a * b for a, b in zip(row, colour, strict=True)) for row in matrix)
    return first, second, third


def _lab(linear: Colour) -> Colour:
    parts = (part / white for part, white in zip(_times(_TO_XYZ, linear), _WHITE, strict=True))
    x, y, z = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in parts)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _seen(code: str, eyes: str) -> Colour:
    """Return the colour ``code`` in CIELAB, as ``eyes`` see it."""
    red, green, blue = (min(1.0, max(0.0, part)) for part in _times(EYES[eyes], _linear(_channels(code))))
    return _lab((red, green, blue))


def _least_distance(tokens: dict[str, str], eyes: str) -> float:
    """Return how far the two of the digits 1 to 4 are apart that are most alike."""
    colours = [_seen(tokens[f"n{digit}"], eyes) for digit in range(1, 5)]
    return min(math.dist(one, other) for one, other in itertools.combinations(colours, 2))


def _digits_of_safe(theme: str) -> dict[str, str]:
    block = SKINS.read_text().partition(SAFE[theme])[2].partition("}")[0]
    return dict(re.findall(r"--(n\d): (#[0-9a-f]{6});", block))


@pytest.mark.parametrize("theme", SAFE)
@pytest.mark.parametrize("eyes", EYES)
def test_frequent_digits_of_the_safe_skin_can_be_told_apart(theme: str, eyes: str) -> None:
    assert _least_distance(_digits_of_safe(theme), eyes) >= DIGIT_DISTANCE


@pytest.mark.parametrize("eyes", EYES)
def test_frequent_digits_of_the_classic_skin_cannot(eyes: str) -> None:
    """The check itself, and the reason for the skin."""
    assert _least_distance(_blocks()["light"], eyes) < DIGIT_DISTANCE


@pytest.mark.parametrize("theme", SAFE)
def test_digits_of_the_safe_skin_on_open_cells(theme: str) -> None:
    tokens = _blocks()[theme] | _digits_of_safe(theme)
    assert _weak(tokens, {f"n{digit}": "open" for digit in range(1, 9)}, TEXT_RATIO) == {}
