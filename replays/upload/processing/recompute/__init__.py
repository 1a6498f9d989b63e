"""Recomputing stored statistics while the site is in use: ``manage.py recompute``.

``plan``
    the passes: which rows, and from which source (stored base values or files; luck is a pass of its own);
``progress``
    the order in which rows are visited, and storing how far a pass has come;
``derived``, ``from_files``, ``luck``
    computing one chunk of rows;
``update``, ``rejudge``
    writing changed values, with the judgements and boards that depend on them;
``run``
    running a pass chunk by chunk, in a short transaction each.
"""

from __future__ import annotations

from replays.upload.processing.recompute.plan import Pass, UnknownStatistic, passes
from replays.upload.processing.recompute.run import AlreadyRunning, Chunk, count_remaining, recompute, restart

__all__ = [
    "AlreadyRunning",
    "Chunk",
    "Pass",
    "UnknownStatistic",
    "count_remaining",
    "passes",
    "recompute",
    "restart",
]
