"""Letting games count, or not, after something changed that is no judgement of the game itself."""

from __future__ import annotations

from collections.abc import Collection

from replays.models import Replay
from replays.trust.judging.ranked_games import update_ranked
from replays.trust.judging.rules import JUDGED, counts_on_boards
from replays.trust.provisional.marking import mark_provisional


def update_ranked_and_marks(rows: Collection[Replay]) -> None:
    """Call ``update_ranked``, after marking games that enter the boards as provisional, as is done with new ones.

    Else two accounts could evade that for a record: one uploads it under the other's name, and the other confirms it.
    """
    entering = [row for row in rows if not row.ranked and counts_on_boards(row)]
    for row in entering:
        row.ranked = True  # as ``mark_provisional`` expects of games that are about to be added
    mark_provisional(entering)
    for row in entering:
        row.ranked = False
    marked = [row for row in entering if row.judgement == Replay.Judgement.PROVISIONAL]
    if marked:
        Replay.objects.bulk_update(marked, JUDGED)
    update_ranked(rows)
