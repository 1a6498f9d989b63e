"""Review of the play of a game: guesses, wasted clicks, missed chords, slow stretches, detours, four scores.

    review = review_of(analysis, film_of(analysis), luck_of(recording))
    review.annotations, review.scores

Everything is counted from the game itself; nothing says what a better player would have done.

**Guesses** are those of ``analysis.luck``.  A guess was *worse* than needed if its risk lies more than
``WORSE_BY`` above that of the safest cell; a *certain mine* is a click whose risk is 1.

**Wasted click**: a click that counts and had no effect, with the reason why, on the cell that decided that: where the
right button was pressed, where the left one was released.  A **missed chord**: a left click on a cell although an open
number beside it had all its flags, and a double click there would have opened both this cell and one that the click did
not open (a click on a zero opens its neighbours too).  A flag was **unused** if no effective double click beside it follows and it stands at the end.

**Slow stretch**: longer than ``SLOW_MS`` and than ``SLOW_MEDIANS`` median gaps between two clicks that opened cells.
**Detour**: between two effective clicks the cursor went at least ``DETOUR_RATIO`` times the straight way and
``DETOUR_PX`` more; the worst ``MOST_DETOURS``.

**Scores**, each a plain ratio:

- *accuracy* = 100 * product of (1 - risk) / (1 - least risk) over the opening clicks after the first, the losing one
  included: how much of the survival that the safest cells offered was kept.  It looks one click ahead, and players who
  guess for speed do so on purpose; the outcome plays no part.
- *economy* = ``corr``, *route* = ``gznt``.
- *pace* = 1 - (time of slow stretches beyond the median gap) / time.
"""

from __future__ import annotations

from analysis.review.annotations import KINDS as KINDS
from analysis.review.annotations import Annotation as Annotation
from analysis.review.annotations import Kind as Kind
from analysis.review.annotations import Reason as Reason
from analysis.review.annotations import Weight as Weight
from analysis.review.review import REVIEW_VERSION as REVIEW_VERSION
from analysis.review.review import Review as Review
from analysis.review.review import Scores as Scores
from analysis.review.review import review_of as review_of
