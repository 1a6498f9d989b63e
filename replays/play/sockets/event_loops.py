from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def once_a_loop(make: Callable[[], T]) -> Callable[[], T]:
    """Return a function that returns the object of the running event loop; those of loops that were closed are dropped."""
    made: dict[asyncio.AbstractEventLoop, T] = {}

    def of_running_loop() -> T:
        loop = asyncio.get_running_loop()
        if loop not in made:
            for old in [one for one in made if one.is_closed()]:
                del made[old]
            made[loop] = make()
        return made[loop]

    return of_running_loop
