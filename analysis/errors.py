"""Every error that may leave the analysis of a replay.

    ReplayError(ValueError)
    ├── UnknownFormat        no reader recognises the bytes
    ├── Truncated            the bytes end before something they promise
    ├── BadField             one field holds a value that the format does not allow
    ├── LimitExceeded        a count or size passes a limit of ``analysis.limits``
    └── Inconsistent         every field is legal, but they contradict each other

``code`` is stable and machine readable (the site stores it and translates it); ``str(error)`` is one English
sentence for a person.  ``params`` holds the values of that sentence.
"""

from __future__ import annotations

from typing import Any, Final

_QUOTED_CHARS: Final = 80


def excerpt(text: str) -> str:
    """Return ``text`` as an error or a finding quotes it: its beginning, if it is long."""
    return text if len(text) <= _QUOTED_CHARS else text[: _QUOTED_CHARS - 1] + "…"


class ReplayError(ValueError):
    """A replay that cannot be read; the base of the tree, never raised itself."""

    code = "replay_error"

    def __init__(self, message: str, **params: object) -> None:
        super().__init__(message)
        self.params: dict[str, object] = params

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as it is; by default its class would be called with the message alone."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[ReplayError], args: tuple[object, ...], values: dict[str, object]) -> ReplayError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(values)
    return error


class UnknownFormat(ReplayError):
    """No reader recognises the content."""

    code = "unknown_format"

    def __init__(self, message: str = "We can't read this file: it isn't a replay in any format we know.") -> None:
        super().__init__(message)


class Truncated(ReplayError):
    """The bytes end early: ``wanted`` more were promised at ``offset``."""

    code = "truncated"

    def __init__(self, what: str, *, offset: int, wanted: int) -> None:
        super().__init__(
            f"The file ends too early: {what} needs {wanted} bytes at offset {offset}.",
            what=what,
            offset=offset,
            wanted=wanted,
        )


class BadField(ReplayError):
    """The field ``name`` at ``offset`` (a byte, or a line of a text format) has an illegal ``value``."""

    code = "bad_field"

    def __init__(self, name: str, *, offset: int, value: object) -> None:
        shown, name = excerpt(repr(value)), excerpt(name)
        super().__init__(f"Bad value for {name} at {offset}: {shown}.", name=name, offset=offset, value=shown)


class LimitExceeded(ReplayError):
    """``name`` is ``value``; only ``limit`` is allowed."""

    code = "limit_exceeded"

    def __init__(self, name: str, *, limit: int, value: int) -> None:
        super().__init__(f"{name} is {value}; the limit is {limit}.", name=name, limit=limit, value=value)


class Inconsistent(ReplayError):
    """Legal fields that contradict each other (a mine count and a mine list, say)."""

    code = "inconsistent"
