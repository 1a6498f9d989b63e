"""Names of players as people see them: what is hidden in a name, and which names look the same."""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from typing import Final

#: Characters of no width that have other categories than control and format: the grapheme joiner, fillers of Hangul,
#: vowels of Khmer that are not shown, and the blank pattern of Braille.
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
#: Categories of characters that are not visible or change how others are: control, format, surrogate, line and paragraph
#: separators.  Not the unassigned ones: letters of a younger Unicode than Python's are among them.
_HIDDEN_CATEGORIES: Final = frozenset(["Cc", "Cf", "Cs", "Zl", "Zp"])
#: Blocks of variation selectors, of characters that are to be ignored if unknown, and of those that are none at all.
_HIDDEN_RANGES: Final = (
    (0x180B, 0x180F), (0xFE00, 0xFE0F), (0xFFF0, 0xFFF8), (0xE0000, 0xE0FFF), (0xFDD0, 0xFDEF),
    *((plane + 0xFFFE, plane + 0xFFFF) for plane in range(0, 0x110000, 0x10000)),
)  # fmt: skip
#: Names that clones write until the player sets one, as :func:`folded` has them: Minesweeper Arbiter, Metasweeper,
#: FreeSweeper, and the Minesweeper of Windows, which others follow.
_DEFAULT_NAMES: Final = frozenset({
    "anonymous! press f5 for setup", "匿名玩家(anonymous player)", "双击设置姓名", "anonymous", "匿名",
})  # fmt: skip
#: Letters that search boxes take for others although Unicode has no decomposition of them, nor a name that tells the letter.
_PLAIN_LETTERS: Final = {"æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ı": "i", "ȷ": "j"}
_NON_JOINER, _JOINER, _EMOJI_STYLE = "\u200c", "\u200d", "\ufe0f"
_DIRECTION_MARK: Final = "\u200e"


def canonical(name: str) -> str:
    """Return the one spelling of all names that are equal by Unicode's rules (NFC), with one space between words."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def hidden_characters(name: str) -> list[int]:
    """The indexes of characters of ``name`` that nobody sees, or that change how the others are shown.

    Left out is what makes a visible difference in an honest name: the emoji style and the joiner behind a symbol, and the
    non-joiner between two Arabic letters, as in Persian.
    """
    if name.isascii() and name.isprintable():
        return []
    return [index for index, char in enumerate(name) if _is_hidden(char) and not _has_use(name, index)]


def shown_name(name: str) -> str:
    """``name`` with hidden characters written as ``⟨U+202E⟩``."""
    hidden = hidden_characters(name)
    if not hidden:
        return name
    chars = list(name)
    for index in hidden:
        chars[index] = f"⟨U+{ord(name[index]):04X}⟩"
    return "".join(chars)


def is_default_name(name: str) -> bool:
    """Return whether ``name`` is what a clone writes for a player who has set none: it belongs to nobody."""
    return folded(name) in _DEFAULT_NAMES


def folded(name: str) -> str:
    """``name`` for searching: without case, width and other forms of the same letters, one space between words.

    Unicode's NFKC with full case folding; hidden characters are left out.
    """
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return _visible(plain)


def without_accents(name: str) -> str:
    """Return :func:`folded` without accents, strokes and other marks: "Łukasz Żółć" becomes "lukasz zolc".

    For searching only: names that differ by a mark are names of different people.
    """
    text = folded(name)
    if text.isascii():
        return text
    plain = "".join(map(_without_marks, unicodedata.normalize("NFKD", text)))
    return " ".join(unicodedata.normalize("NFC", plain).split())  # syllables of Hangul are composed again


@lru_cache(maxsize=4096)
def _without_marks(char: str) -> str:
    """Return the letter that ``char`` is without its stroke, hook or the like; "" for a combining mark."""
    category = unicodedata.category(char)
    if category in ("Mn", "Me"):
        return ""
    letter, has_mark, _mark = unicodedata.name(char, "").partition(" WITH ")
    if not (has_mark and category.startswith("L")):
        return _PLAIN_LETTERS.get(char, char)
    try:
        return unicodedata.lookup(letter)
    except KeyError:
        return char


def skeleton(name: str) -> str:
    """Reduce ``name`` to its appearance: two names with the same skeleton can be taken for each other.

    The algorithm of Unicode Technical Standard 39, with one space between words since pages show no more, and letters and
    digits of normal width, of which its table lacks some.  Case counts.
    Characters that look alike become one of them, any one: a skeleton is for comparing only.
    """
    decomposed = _visible(unicodedata.normalize("NFD", "".join(map(_of_normal_width, name))))
    prototypes = _prototypes()
    mapped = "".join(prototypes.get(char, char) for char in decomposed)
    return " ".join(unicodedata.normalize("NFD", mapped).split())


def _is_hidden(char: str) -> bool:
    if unicodedata.category(char) in _HIDDEN_CATEGORIES or char in _BLANK:
        return True
    return any(first <= ord(char) <= last for first, last in _HIDDEN_RANGES)


def _has_use(name: str, index: int) -> bool:
    """Return whether the hidden character at ``index`` shapes the visible ones next to it."""
    before, after = name[index - 1 : index] if index else "", name[index + 1 : index + 2]
    if not before or not after:
        return name[index] == _EMOJI_STYLE and _is_symbol(before)
    if name[index] == _NON_JOINER:
        return unicodedata.bidirectional(before) == unicodedata.bidirectional(after) == "AL"
    return name[index] in (_EMOJI_STYLE, _JOINER) and _is_symbol(before)


def _is_symbol(char: str) -> bool:
    return char == _EMOJI_STYLE or (char != "" and char not in _BLANK and unicodedata.category(char) in ("So", "Sk"))


def _of_normal_width(char: str) -> str:
    if unicodedata.decomposition(char).startswith(("<wide>", "<narrow>")):
        return unicodedata.normalize("NFKC", char)
    return char


def _visible(text: str) -> str:
    """``text`` without hidden characters, every run of spaces made one."""
    return " ".join("".join(char for char in text if char.isspace() or not _is_hidden(char)).split())


@cache
def _prototypes() -> dict[str, str]:
    """Character -> the text that stands for all that look like it, from Unicode's table of confusables.

    The package lists each pair both ways.  A character that looks like several is what they stand for; of a lone pair
    either may stand for both.  Some entries are wrapped in direction marks.
    """
    from confusable_homoglyphs.confusables import confusables_data  # reads 0.9 MB

    alike = {
        text.strip(_DIRECTION_MARK): [pair["c"].strip(_DIRECTION_MARK) for pair in pairs]
        for text, pairs in confusables_data.items()
    }
    found = {
        text: others[0]
        for text, others in alike.items()
        if len(text) == len(others) == 1 and (len(alike[others[0]]) > 1 or len(others[0]) > 1 or others[0] < text)
    }
    # What stands for a character may hold one side of a lone pair.
    return {
        text: "".join(found.get(char, char) for char in unicodedata.normalize("NFD", other))
        for text, other in found.items()
    }
