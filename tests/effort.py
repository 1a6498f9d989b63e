"""Amounts of random and repeated tests: a share usually, all of it with ``EFFORT=long``, ``make test`` takes ``short``.

Each test passes the amount of the long form; nothing is left out of the others but repetition.
"""

from __future__ import annotations

import os
from typing import Any, Final

import pytest

LONG: Final = os.environ.get("EFFORT") == "long"
SHORT: Final = os.environ.get("EFFORT") == "short"
#: Hypothesis tries simple examples first; fewer would hardly leave them.
_FEWEST_EXAMPLES: Final = 20


def examples(long: int) -> int:
    """Return Hypothesis' ``max_examples``: a third of ``long`` in the usual form, a sixth in the short one."""
    return long if LONG else min(long, max(_FEWEST_EXAMPLES, long // (6 if SHORT else 3)))


def amount(*, long: int, usual: int, short: int | None = None) -> int:
    """Return the amount of this form; without ``short`` that of the usual one is short enough."""
    if LONG:
        return long
    return usual if short is None or not SHORT else short


def seeds(*every: int) -> tuple[int, ...]:
    """Return the seeds of a random test: the first of ``every`` in the usual form."""
    return every if LONG else every[:1]


def rest_long(*cases: Any, usual: int = 1) -> list[Any]:
    """Return the cases of a parametrized test: the first ``usual`` always, the others in ``make test-full`` alone."""
    mark = pytest.mark.long(beside="the first cases of the same test")
    rest = (case if type(case) is tuple else (case,) for case in cases[usual:])
    return [*cases[:usual], *(pytest.param(*case, marks=mark) for case in rest)]
