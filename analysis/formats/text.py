"""Decoding names and other texts of a replay, whose encoding the file rarely states."""

from __future__ import annotations

import unicodedata

from analysis.formats.code_pages import UTF8, guess

REPLACEMENT = "\ufffd"

# Control characters, line and paragraph separators, lone surrogates: a text that holds one breaks lines, pages or
# the database (PostgreSQL stores no NUL).
_UNSAFE = frozenset({"Cc", "Zl", "Zp", "Cs"})


def clean(text: str) -> str:
    """``text`` without blanks around it, and with U+FFFD for every character that is unsafe in one line of text."""
    text = text.strip()
    if text.isprintable():  # true of nearly every name; spares the walk over the characters
        return text
    return "".join(REPLACEMENT if unicodedata.category(sign) in _UNSAFE else sign for sign in text).strip()


def read_name(raw: bytes, country: str = "", *, is_utf8: bool | None = None) -> tuple[str, str]:
    """Return a name as clean text, and the encoding if that is a guess, else "".

    ``country`` and ``is_utf8``: what the file states.
    """
    encoding = guess(raw, country, is_utf8=is_utf8)
    is_sure = raw.isascii() or (encoding == UTF8 and is_utf8 is not False)
    return clean(raw.decode(encoding)), "" if is_sure else encoding


def decode(raw: bytes, declared: str | None = None) -> str:
    """Return the bytes as clean text.

    ``raw``: as they stand in the file.  ``declared``: the encoding that is known or stated; only believed if the bytes
    fit it.
    Returns str, cleaned (:func:`clean`).  Without ``declared`` the encoding may be a guess; keep the bytes beside it.
    """
    if declared:
        try:
            return clean(raw.decode(declared))
        except UnicodeDecodeError:
            pass  # the statement is wrong
    return clean(raw.decode(guess(raw)))
