"""Thresholds of Python's cyclic garbage collector, for processes that run for days.

By default it runs after every 700 allocations, and at times examines every object: all code of the site, which takes a
third of a second in the middle of a request.  A chunk of games allocates hundreds of thousands of tuples without a
cycle, and a third of the time of ranking them was spent in the collector.
"""

from __future__ import annotations

import gc
from typing import Final

#: The arguments of ``gc.set_threshold``.  A page leaves fifty objects in cycles, an API response five hundred, and
#: freeing fifty thousand at once would take a tenth of a second, so web processes collect a few at a time.
OF_PAGES: Final = (2_000, 5, 200)
OF_TASKS: Final = (50_000, 20, 20)


def rarely_collect_garbage(thresholds: tuple[int, int, int]) -> None:
    """Exclude all present objects from collection, and set ``thresholds``; call it once everything is imported."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*thresholds)
