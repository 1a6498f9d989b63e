"""Cleaning text from uploaded files before it is stored and shown.

PostgreSQL refuses NUL in text and JSON, UTF-8 has no lone surrogates, and terminals interpret control characters.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping
from typing import Final

from analysis.names import canonical
from players.models import MAX_NAME_CHARS

_MAX_PARAM_CHARS: Final = 300


def storable_text(raw: str, limit: int = MAX_NAME_CHARS) -> str:
    """``raw`` without control characters, U+FFFD for lone surrogates, stripped, at most ``limit`` characters."""
    return "".join(_storable(char) for char in raw).strip()[:limit].strip()


def storable_name(raw: str) -> str:
    """Return the name of a player as it is stored and compared: :func:`storable_text` in its one spelling."""
    return canonical(storable_text(raw))[:MAX_NAME_CHARS].strip()


def storable_params(params: Mapping[str, object]) -> dict[str, object]:
    """Return the parameters of a sentence as JSON that the database can store."""
    return {storable_text(name): _storable_value(value) for name, value in params.items()}


def _storable_value(value: object) -> object:
    if value is None or isinstance(value, bool) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if isinstance(value, int) and abs(value) < 2**53:  # beyond it JSON readers lose digits
        return int(value)
    return storable_text(str(value), _MAX_PARAM_CHARS)


def encodable(text: str) -> str:
    """``text`` with lone surrogates replaced; JSON may hold them, but UTF-8 cannot encode them."""
    return text.encode("utf-8", "replace").decode()


def _storable(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Cc":
        return ""
    return "\ufffd" if category == "Cs" else char
