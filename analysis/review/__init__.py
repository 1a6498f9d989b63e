"""Review of the play of a game: guesses, wasted clicks, missed chords, slow stretches, detours, scores.

    review = review_of(analysis, film_of(analysis), luck_of(recording))
    review.annotations, review.scores

Everything is counted from the game itself; nothing says what a better player would have done.

**Guesses** are those of ``analysis.luck``.  A guess was *worse* than needed if its risk lies more than
``WORSE_BY`` above that of the safest cell; a *certain mine* is a click whose risk is 1.

**Wasted click**: a click that counts and had no effect, with the reason why, on the cell that decided that: where the
right button was pressed, where the left one was released.  A **missed chord**: a left click on a cell although an open
number beside it had all its flags, and a double click there would have opened both this cell and one that the click did
not open (a click on a zero opens its neighbours too).  A flag was **unused** if no effective double click beside it follows and it stands at the end.

**Slow stretch**: a gap between two clicks that opened cells that is slow (``analysis.luck.gaps_between``).
**Detour**: between two effective clicks the cursor went at least ``DETOUR_RATIO`` times the straight way and
``DETOUR_PX`` more; the worst ``MOST_DETOURS``.

**Scores**, each a plain number:

- *accuracy* = the percentage of opening clicks, the losing one included, that were neither a needless guess nor one worse
  than needed.  It looks one click ahead, and players who guess for speed do so on purpose; the outcome plays no part.
  Such clicks of the first ``OPENING_MS`` are counted apart from later ones, the *misreads*.
- *needless risk* = the sum of log2((1 - least risk) / (1 - risk)) over the opening clicks after the first, in coin flips:
  what was risked beyond the safest cells.  Not defined if a certain mine was opened.
- *economy* = ``corr``, *route* = ``gznt``.
- *pace* = 1 - (time of slow stretches beyond the median gap) / time.
"""

from __future__ import annotations

from analysis.review.annotations import KINDS as KINDS
from analysis.review.annotations import Annotation as Annotation
from analysis.review.annotations import Kind as Kind
from analysis.review.annotations import Reason as Reason
from analysis.review.annotations import Weight as Weight
from analysis.review.review import OPENING_MS as OPENING_MS
from analysis.review.review import REVIEW_VERSION as REVIEW_VERSION
from analysis.review.review import Review as Review
from analysis.review.review import Scores as Scores
from analysis.review.review import review_of as review_of
