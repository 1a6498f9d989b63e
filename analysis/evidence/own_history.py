"""Whether a game looks retimed beside its player's other games.

A mouse keeps its rate and a hand its habits.  Times that were scaled by a twentieth or more move both, which shows beside
some twenty other games of the same player and level from the same weeks, and not without them.  A new mouse moves them as
well: this orders a queue, and is no more.  Rates of false alarms and of detection stand in the tests' source, the sheet on
evidence: of Intermediate and Expert games some 1 % alone, and far fewer two at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from analysis.evidence.history import History
from analysis.recording import Finding, Level

#: Beginner games are too short for these tests.
LEVELS: Final = frozenset({Level.INTERMEDIATE, Level.EXPERT})
#: So many other games are needed.
FEWEST_GAMES: Final = 20
_FEWEST_LINES: Final = 10
#: A line is clear if it is so many times as strong as the mean of its spectrum.
_CLEAR: Final = 20.0
#: A mouse keeps its rate to a thousandth of a cycle a tick of 10 ms.
_SAME_LINE_HZ: Final = 0.2
_STEPS_Z: Final = 4.0
_HOLD_Z: Final = 3.0


def retimed_likely(level: Level, game: History, others: Sequence[History]) -> Finding | None:
    """The finding that two independent habits of ``game`` are not those of ``others``, if so.

    Parameters
    ----------
    level : Level
    game : History
    others : sequence of History
        of games of the same player and level, from 30 days before to 30 days after.
    """
    if level not in LEVELS or len(others) < FEWEST_GAMES:
        return None
    unlike = [
        name
        for name, differs in (
            ("polling_rate", _other_line(game, others)),
            ("equal_steps", _far(game, others, lambda one: one.equal_steps, _STEPS_Z)),
            ("hold", _far(game, others, lambda one: one.hold_ms, _HOLD_Z)),
        )
        if differs
    ]
    if len(unlike) < 2:
        return None
    return Finding("retimed_likely", {"count": len(others), "first": unlike[0], "second": unlike[1]})


def _other_line(game: History, others: Sequence[History]) -> bool:
    """Return whether ``game`` has a clear line that differs from those of all other games that have a clear one."""
    lines = [line for one in others if (line := _clear_line(one)) is not None]
    own = _clear_line(game)
    return own is not None and len(lines) >= _FEWEST_LINES and min(abs(own - line) for line in lines) > _SAME_LINE_HZ


def _clear_line(one: History) -> float | None:
    return one.line_hz if one.line_strength is not None and one.line_strength >= _CLEAR else None


def _far(game: History, others: Sequence[History], number_of: Callable[[History], float | None], z: float) -> bool:
    """Return whether a number of ``game`` lies more than ``z`` standard deviations from the mean of the others."""
    own = number_of(game)
    numbers = np.array([number for one in others if (number := number_of(one)) is not None])
    if own is None or len(numbers) < FEWEST_GAMES:
        return False
    deviation = float(numbers.std(ddof=1))
    return deviation > 0 and abs(own - float(numbers.mean())) > z * deviation
