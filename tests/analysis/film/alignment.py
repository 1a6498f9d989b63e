"""Twin of the browser's ``progress.js``, which aligns two games: the place of the one when the other has done as much."""

from __future__ import annotations

import numpy as np

from analysis.film.progress import Floats, Progress
from analysis.film.progress import _rounded as rounded


def done_at(progress: Progress, times: Floats) -> Floats:
    """Compute the amount done at each of ``times`` (ms); where several acts fall on one ms, after the last of them."""
    within = np.clip(times, 0.0, progress.times[-1])
    left = np.clip(np.searchsorted(progress.times, within, side="right") - 1, 0, None)
    right = np.minimum(left + 1, len(progress.times) - 1)
    span = progress.times[right] - progress.times[left]
    part = np.where(span > 0, (within - progress.times[left]) / np.where(span > 0, span, 1.0), 0.0)
    found: Floats = progress.done[left] + part * (progress.done[right] - progress.done[left])
    return found


def aligned(first: Progress, second: Progress, times: Floats) -> Floats:
    """Compute the times (ms, never falling) at which the second game had done as much as the first one at ``times``.

    Before the opening both clocks agree.  After the last act of the first game that solved something both clocks go on,
    until the second game would solve more or ends.  A second game that never did so much is at its end.
    """
    done = done_at(first, times)
    after = np.maximum(times - first.times[-1], 0.0)
    following = np.searchsorted(second.done, done, side="right")
    limit = np.where(
        following < len(second.done), second.times[np.minimum(following, len(second.done) - 1)], second.end
    )
    found = rounded(np.minimum(np.interp(done, second.done, second.times) + after, limit))
    return np.where(times < 0, times, np.where(done > second.most, second.end, found))
