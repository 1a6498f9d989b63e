"""The database beside the event loop: one thread asks it, in the order of the calls.

No game waits for them.  What takes long is not done here but by workers: every thread that computes holds up all games.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, ParamSpec, TypeVar

from django.db import InterfaceError, OperationalError, close_old_connections

P = ParamSpec("P")
T = TypeVar("T")

#: What the database raises while it is away, or too busy; anything else is the fault of what was to be written.
AWAY: Final = (OperationalError, InterfaceError)

_ASKS: Final = ThreadPoolExecutor(1, "live-games-ask")
_KEEPER: Final = ThreadPoolExecutor(1, "live-games-keep")


async def run(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """``work(…)`` after all earlier calls."""
    return await asyncio.get_running_loop().run_in_executor(_ASKS, lambda: _connected(work, *args, **kwargs))


async def keep(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """``work(…)``, which writes to the disk and never asks the database."""
    return await asyncio.get_running_loop().run_in_executor(_KEEPER, lambda: work(*args, **kwargs))


def _connected(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    close_old_connections()
    try:
        return work(*args, **kwargs)
    finally:
        close_old_connections()
