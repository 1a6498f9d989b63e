"""Amounts of random and repeated tests: a share in ``make test``, all of it in ``make test-full``.

Each test passes the amount of a full run; nothing is left out of the usual run but repetition.
"""

from __future__ import annotations

import os
from typing import Final

FULL: Final = bool(os.environ.get("SWEEPBOOK_TEST_FULL"))
#: Hypothesis tries simple examples first; fewer would hardly leave them.
_FEWEST_EXAMPLES: Final = 20


def examples(full: int) -> int:
    """Hypothesis' ``max_examples``: a third of ``full`` in the usual run."""
    return full if FULL else min(full, max(_FEWEST_EXAMPLES, full // 3))


def amount(*, full: int, usual: int) -> int:
    """``full`` or ``usual``, by the kind of run."""
    return full if FULL else usual


def seeds(*every: int) -> tuple[int, ...]:
    """Seeds of a random test: the first of ``every`` in the usual run."""
    return every if FULL else every[:1]
