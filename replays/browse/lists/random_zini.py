"""Random ZiNi of one replay, and its rates: computed on request and kept in the cache, by board."""

from __future__ import annotations

from typing import Final

from django.core.cache import cache

from analysis.recording import digest
from analysis.statistics import VERSION, of_random_zini
from analysis.zini import rzini
from replays.models import Replay
from replays.upload.kernels import require_kernels

#: The largest board of which random ZiNi is computed; it takes hundreds of greedy runs.
MAX_CELLS: Final = 1_600
_CACHE_SECONDS: Final = 30 * 24 * 60 * 60


def random_zini(replay: Replay) -> dict[str, float | int | None] | None:
    """Return the values of ``analysis.statistics.ON_REQUEST`` by name, None if the board is too large.

    ``replay`` is done.  Raises ``Refused`` before the kernels are compiled.
    """
    board = replay.board_object()
    if board.rows * board.columns > MAX_CELLS:
        return None
    require_kernels("analysis")
    key = f"rzini:{VERSION}:{replay.rows}x{replay.columns}:{digest(board.packed())}"
    clicks = int(cache.get_or_set(key, lambda: rzini(board), _CACHE_SECONDS) or 0)
    stored = {name: replay.statistic(name) for name in ("time", "ce", "cl")}
    return of_random_zini(clicks, {"win": float(bool(replay.win)), **stored})
