"""Names of players as people see them."""

from __future__ import annotations

import unicodedata


def folded(name: str) -> str:
    """``name`` for comparing by eye: without case, width and other forms of the same letters, one space between words.

    Unicode's NFKC with full case folding; characters that are never visible are left out.
    """
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join("".join(char for char in plain if not _never_visible(char)).split())


def _never_visible(char: str) -> bool:
    return char != " " and unicodedata.category(char) in ("Cc", "Cf", "Cn", "Cs") and not char.isspace()
