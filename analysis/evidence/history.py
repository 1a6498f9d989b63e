"""Six numbers of a game that belong to its player's mouse and hand.

They are compared with the same player's other games of the same level, never with a fixed limit.
"""

from __future__ import annotations

from dataclasses import dataclass

from analysis.analyse import Analysis


@dataclass(frozen=True, slots=True)
class History:
    """``None`` where a game is too short or too still for the number.

    ``line_hz``, ``line_strength``: the strongest line in the spectrum of records a tick, and its power as a multiple
    of the mean.  ``equal_steps``: share of records at the time of the record before.  ``hold_ms``: mean time for which
    the left button is held.  ``speed_95_px_per_ms``: 95 % quantile of the speed of the moving cursor, at 16 px a cell.
    ``button_place``: share of button events that stand where the record before them stands.
    """

    line_hz: float | None = None
    line_strength: float | None = None
    equal_steps: float | None = None
    hold_ms: float | None = None
    speed_95_px_per_ms: float | None = None
    button_place: float | None = None


def history_of(analysis: Analysis) -> History:
    """The numbers of one game."""
    return History()
