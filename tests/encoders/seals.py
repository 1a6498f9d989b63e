"""Seals for files that no clone wrote: bytes that depend on the content, as a clone's do, and mean nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def seal_of(parts: Iterable[bytes], size: int) -> bytes:
    """``size`` bytes, at most 32."""
    return hashlib.sha256(b"tests.encoders" + b"".join(parts)).digest()[:size]
