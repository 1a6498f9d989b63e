"""The request or task that is being worked on, as far as it is known: fields of every line that is logged meanwhile.

The fields travel with the context (``contextvars``), so those of two requests never mix, whatever thread works for them.
"""

from __future__ import annotations

from contextvars import ContextVar, Token
from typing import TypeAlias

Fields: TypeAlias = dict[str, object]

_current: ContextVar[Fields | None] = ContextVar("activity", default=None)


def begin(**fields: object) -> tuple[Fields, Token[Fields | None]]:
    """Begin an activity in this context; returns its fields, to which others add, and what ends it."""
    made: Fields = dict(fields)
    return made, _current.set(made)


def end(token: Token[Fields | None]) -> None:
    _current.reset(token)


def note(**fields: object) -> None:
    """Add to what is known; outside of an activity nothing happens."""
    current = _current.get()
    if current is not None:
        current.update(fields)


def fields() -> Fields:
    return _current.get() or {}
