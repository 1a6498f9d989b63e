"""Python's search for cycles of objects that nothing else refers to, in processes that live for days.

By default it starts anew after every 700 objects and now and then looks through all there are: the code of the whole
site, a third of a second in the middle of somebody's page.  A chunk of games makes hundreds of thousands of tuples
without a single cycle, and a third of the time that ranking them took went into looking for some.
"""

from __future__ import annotations

import gc
from typing import Final

#: Objects made and still there, before the young are looked through; and how often that happens before the older are.
#: A page leaves fifty objects in cycles, an answer of the API five hundred, and clearing away fifty thousand at once
#: would take a tenth of a second: rather little at a time.
OF_PAGES: Final = (2_000, 5, 200)
OF_TASKS: Final = (50_000, 20, 20)


def rarely_collect_garbage(thresholds: tuple[int, int, int]) -> None:
    """Leave everything that is there now alone for good, and look through what comes less often; call it when loaded."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*thresholds)
