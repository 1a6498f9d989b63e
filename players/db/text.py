"""Text from strangers, made fit to store and to show.

PostgreSQL refuses NUL in text and JSON, UTF-8 refuses lone surrogates, terminals obey control characters.
"""

from __future__ import annotations

import unicodedata

from players.models import MAX_NAME_CHARS


def storable_text(raw: str, limit: int = MAX_NAME_CHARS) -> str:
    """``raw`` without control characters, with U+FFFD for what cannot be encoded, at most ``limit`` long."""
    return "".join(_storable(sign) for sign in raw).strip()[:limit].strip()


def _storable(sign: str) -> str:
    category = unicodedata.category(sign)
    if category == "Cc":
        return ""
    return "\ufffd" if category == "Cs" else sign
