from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from django.conf import settings

from players.web.rate_limits import RateLimit
from replays.odds.calculator.calculator_client import Busy, TooHard, calculate
from replays.odds.positions.refusal import Refusal

#: When somebody should try again who finds the process that computes busy.
BUSY_SECONDS: Final = 2


def calculate_for(visitor: str, function: Callable[..., Any], *arguments: object, kernels: tuple[str, ...]) -> Any:
    """``function(*arguments)`` in the process that computes (``replays.odds.calculator``), at the cost of ``visitor``.

    Raises
    ------
    Refusal
        if the visitor has used up its time, if the question takes too long, or if too many wait.
    """
    limit = RateLimit("position-cpu", settings.POSITION_CPU_RATE)
    if not limit.allows(visitor):
        raise Refusal("too_many_requests", {"seconds": math.ceil(limit.wait_seconds(visitor))}, http_status=429)
    try:
        done = calculate(function, *arguments, kernels=kernels)
    except TooHard as error:
        limit.count(visitor, _milliseconds(error.cpu_seconds))
        raise Refusal("too_hard", http_status=422) from error
    except Busy as error:
        raise Refusal("busy", {"seconds": BUSY_SECONDS}, http_status=503) from error
    limit.count(visitor, _milliseconds(done.cpu_seconds))
    return done.value


def count_time(visitor: str, seconds: float) -> None:
    """Count processor time that was used outside of the process that computes, such as for a drawing."""
    RateLimit("position-cpu", settings.POSITION_CPU_RATE).count(visitor, _milliseconds(seconds))


def _milliseconds(seconds: float) -> int:
    return max(1, round(1000 * seconds))
