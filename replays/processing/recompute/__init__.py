"""Numbers of stored replays made again, while the site keeps serving: ``manage.py recompute``.

``plan``
    which rows, and whether from their stored base values (no file is touched) or from their files; luck is a pass apart;
``places``
    the way through the rows, and how far it has been gone;
``derived``, ``from_files``, ``luck``
    one chunk of rows, in one short transaction each;
``renumber``
    rows that get other numbers, with their judgements and boards;
``boards``
    what changes on the boards, in that same transaction;
``run``
    chunk after chunk.
"""

from __future__ import annotations

from replays.processing.recompute.plan import Pass, UnknownStatistic, passes
from replays.processing.recompute.run import Chunk, Elsewhere, count_remaining, forget, recompute

__all__ = [
    "Chunk",
    "Elsewhere",
    "Pass",
    "UnknownStatistic",
    "count_remaining",
    "forget",
    "passes",
    "recompute",
]
