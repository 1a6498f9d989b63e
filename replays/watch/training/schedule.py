"""The days on which a slip is asked again: five boxes, as Leitner had them.

A new slip is in the first box.  Right: it goes one box up, and from the last one it is learned.  Wrong: back to the first.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

#: After how many days the slips of each box are asked again.
INTERVALS: Final = (1, 3, 7, 16, 35)
FIRST: Final = 1
LEARNED: Final = len(INTERVALS) + 1


def box_after(box: int, *, right: bool) -> int:
    return min(box + 1, LEARNED) if right else FIRST


def due_on(box: int, today: date) -> date | None:
    """The day from which a slip that came into ``box`` today is asked again; None if it is learned."""
    return None if box == LEARNED else today + timedelta(days=INTERVALS[box - 1])
