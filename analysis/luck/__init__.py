"""The risks of the clicks of a replay, and snapshots of its board.

    luck = luck_of(recording)
    luck.values["pluck"], luck.values["needless_guesses"]
    snapshot_at(recording, event=luck.clicks[-1].event).position

**Position.**  What a player sees before a click: the open numbers and the count of mines.  Flags are no evidence: they
are what the player believes, and often wrong.  Only tools that show a position take them as mines
(``analysis.answers``); nothing here, in the review or in judging does.

**Risk** of an opening click: the chance that it opens a mine, all layouts that agree with the position being equally
likely.  A chord opens several cells at once: its risk is that at least one of them is a mine.

**First click.**  The rule sets that are ranked here never put a mine under it, so its risk is 0; where it did hit a mine
no such rule was in force, and its risk is that of any cell.

**Luck** is the product of the chances to survive, over the clicks that were survived: how likely it was to get as far by
these clicks.  The click that lost a game was not lucky and does not count (its chance may be 0, whose logarithm is not
a number); its risk is stored.  ``pluck`` is -log10 of it.

**Guess**: any click but the first with a risk.  It was **needless** where some cell was certainly safe.

**Accuracy**: the percentage of the clicks that took no avoidable risk (``measure.was_avoidable``).  **Pace**: the share of
the time that was not lost in slow gaps between the clicks.

**Difficulty** of a board: the most difficult rule (``analysis.deduction.Rule``) without which logic does not lead from
the player's first click to the end; ``no_guess`` where it leads there at all.

Source: luck = product of P(safe) over opens, as the community's statistics have it.
"""

from __future__ import annotations

from analysis.luck.difficulty import DIFFICULTIES as DIFFICULTIES
from analysis.luck.measure import WORSE_BY as WORSE_BY
from analysis.luck.measure import Click as Click
from analysis.luck.measure import Luck as Luck
from analysis.luck.measure import Sort as Sort
from analysis.luck.measure import accuracy_of as accuracy_of
from analysis.luck.measure import luck_of as luck_of
from analysis.luck.measure import needless_risk_of as needless_risk_of
from analysis.luck.measure import was_avoidable as was_avoidable
from analysis.luck.pace import gaps_between as gaps_between
from analysis.luck.pace import pace_of as pace_of
from analysis.luck.snapshot import Snapshot as Snapshot
from analysis.luck.snapshot import snapshot_at as snapshot_at
