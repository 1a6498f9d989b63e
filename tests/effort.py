"""Amounts of random and repeated tests: a share usually, all of it with ``EFFORT=long``.

Each test passes the amount of the long form; nothing is left out of the usual one but repetition.
"""

from __future__ import annotations

import os
from typing import Final

LONG: Final = os.environ.get("EFFORT") == "long"
#: Hypothesis tries simple examples first; fewer would hardly leave them.
_FEWEST_EXAMPLES: Final = 20


def examples(long: int) -> int:
    """Return Hypothesis' ``max_examples``: a third of ``long`` in the usual form."""
    return long if LONG else min(long, max(_FEWEST_EXAMPLES, long // 3))


def amount(*, long: int, usual: int) -> int:
    return long if LONG else usual


def seeds(*every: int) -> tuple[int, ...]:
    """Return the seeds of a random test: the first of ``every`` in the usual form."""
    return every if LONG else every[:1]
