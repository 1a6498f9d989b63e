from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from analysis.statistics import BY_NAME
from analysis.time_convention import MS_PER_SECOND, value_text
from players.leaderboards.pages.board_texts import sub_n_goal
from players.leaderboards.sub_n.selectors import Rung, SubStep, next_rung
from players.web.clock import shown_text

#: Steps that are shown, the lowest N first.
STEPS: Final = 24


@dataclass(frozen=True, slots=True)
class LadderRow:
    """A step: see ``SubStep``.  ``owed``: no game ended in its last second, although the player has a faster one."""

    n: int
    games_in_second: int
    games: int
    shown_at: datetime.datetime
    replay_id: int
    owed: bool


@dataclass(frozen=True, slots=True)
class Ladder:
    """The steps, the best time in seconds with the precision of its clock (None if unknown), and the next rung.

    ``next``: None at the foot of the ladder.
    """

    rows: list[LadderRow]
    best_s: float
    precision_ms: int | None
    next: Rung | None

    @property
    def owed(self) -> list[int]:
        """The seconds (counted from 1) that are owed."""
        return [row.n - 1 for row in self.rows if row.owed]

    def sentences(self) -> list[str]:
        time = BY_NAME["time"]
        best = shown_text(time, self.best_s, precision_ms=self.precision_ms)
        found = [_("Best: %(time)s s.") % {"time": best}]
        if self.next is not None:
            missing = value_text(time, self.next.missing_ms / MS_PER_SECOND, precision_ms=self.precision_ms)
            goal = sub_n_goal(self.next.n)
            found.append(_("Next: %(sub)s, %(missing)s s to go.") % {"sub": goal, "missing": missing})
        if self.owed:
            seconds = ", ".join(map(str, self.owed))
            found.append(_("Owed seconds, counted from 1: %(seconds)s.") % {"seconds": seconds})
        else:
            found.append(_("No debt: you have a game in every second."))
        return found


def make_ladder(steps: list[SubStep], best_time: float, precision_ms: int | None) -> Ladder:
    """The ladder of ``steps``, not empty, of a player whose best time is ``best_time`` seconds of such a clock."""
    rows = [
        LadderRow(step.n, step.games_in_second, step.games, step.shown_at, step.replay_id, not step.games_in_second)
        for step in steps[:STEPS]
    ]
    return Ladder(rows, best_time, precision_ms, next_rung(best_time, precision_ms))
