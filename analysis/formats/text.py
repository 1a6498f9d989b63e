"""Decoding names and other texts of a replay, whose encoding the file rarely states."""

from __future__ import annotations

import unicodedata

REPLACEMENT = "\ufffd"

# Control characters, line and paragraph separators, lone surrogates: a text that holds one breaks lines, pages or
# the database (PostgreSQL stores no NUL).
_UNSAFE = frozenset({"Cc", "Zl", "Zp", "Cs"})

# Strict decoders in the order of trust.  GB18030 holds GBK; Windows-1252 reads nearly every western name; Latin-1
# accepts any bytes, so the last always answers.
_GUESSES = ("utf-8", "gb18030", "cp1252", "latin-1")


_EXCERPT_CHARS = 80


def excerpt(text: str) -> str:
    """``text`` as an error or a finding quotes it: its beginning, if it is long."""
    return text if len(text) <= _EXCERPT_CHARS else text[: _EXCERPT_CHARS - 1] + "…"


def clean(text: str) -> str:
    """``text`` without blanks around it, and with U+FFFD for every character that is unsafe in one line of text."""
    text = text.strip()
    if text.isprintable():  # true of nearly every name; spares the walk over the characters
        return text
    return "".join(REPLACEMENT if unicodedata.category(sign) in _UNSAFE else sign for sign in text).strip()


def decode(raw: bytes, declared: str | None = None) -> str:
    """The bytes as clean text.

    Parameters
    ----------
    raw : bytes
        as they stand in the file.
    declared : str, optional
        the encoding that the file states; tried first, and only believed if the bytes fit it.

    Returns
    -------
    str, cleaned (:func:`clean`).  The encoding is a guess; keep the bytes beside it.
    """
    for encoding in (declared, *_GUESSES) if declared else _GUESSES:
        try:
            return clean(raw.decode(encoding))
        except UnicodeDecodeError:
            continue
    raise AssertionError("Latin-1 decodes any bytes")
