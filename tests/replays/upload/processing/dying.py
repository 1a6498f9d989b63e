"""Workers that die in the middle of their work."""

from __future__ import annotations

from typing import Any

import pytest


class Killed(BaseException):
    """Nothing catches it, as nothing catches ``kill -9``; the transaction is rolled back as the database would do."""


def dies_at(patch: pytest.MonkeyPatch, module: Any, name: str, call: int) -> None:
    """Let the worker die at the end of this call of a function of ``module``, once."""
    real, calls = getattr(module, name), 0

    def dying(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        result = real(*arguments)
        if calls == call:
            raise Killed
        return result

    patch.setattr(module, name, dying)
