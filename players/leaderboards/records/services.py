"""The rows of ``RecordEvent``: each personal best and each site record as it came in."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from django.db.models import Q

from analysis.statistics import BY_NAME
from players.db import bulk
from players.leaderboards.bests.combined import Total
from players.leaderboards.boards import COMBINED, COMBINED_LEVELS, CombinedKey, Game, PersonalKey
from players.leaderboards.records.moves import Move
from players.leaderboards.records.rank_moves import RankedMove, rank_moves
from players.leaderboards.records.sum_events import sum_events
from players.models import RecordEvent


def records_add(moves: Iterable[Move], written: Mapping[PersonalKey, int], totals: Mapping[CombinedKey, Total]) -> None:
    """Store ``moves`` (in the order in which they happened) with their ranks, and which of them were site records.

    Call it when everything is written.  ``written``: ids of the rows that hold what moved; ``totals``: the sums of them.
    """
    made = list(moves)
    singles, sums = _rows_of(made, written, totals)
    ranked = rank_moves(made, singles, sums)
    events = []
    for one in ranked:
        old = one.move.old
        events.append(_event(RecordEvent.Kind.PERSONAL, one, None if old is None else old.value))
        if one.is_site_record:
            events.append(_event(RecordEvent.Kind.SITE, one, _value(one)))
    bulk.insert(RecordEvent, _COLUMNS, events)


def _rows_of(
    moves: Iterable[Move], written: Mapping[PersonalKey, int], totals: Mapping[CombinedKey, Total]
) -> tuple[set[int], set[int]]:
    """The rows that moved, of ``PersonalBest`` and of ``CombinedBest``; not all that were written did."""
    singles, sums = set(), set()
    for move in moves:
        board = move.board
        if board.level == COMBINED:
            sums.add(totals[CombinedKey(move.player_id, board.statistic, board.style)].id)
        else:
            singles.add(written[PersonalKey(move.player_id, board.statistic, board.level, board.style)])
    return singles, sums


def _value(one: RankedMove) -> float | None:
    """The value behind the leader's rank key: signing it twice gives it back."""
    return None if one.leader_key is None else BY_NAME[one.move.board.statistic].rank_key(one.leader_key)


_COLUMNS = (
    "kind", "player_id", "statistic", "level", "style", "old_value", "new_value", "rank_before", "rank_after", "replay_id",
    "happened_at",
)  # fmt: skip


def _event(kind: RecordEvent.Kind, one: RankedMove, old_value: float | None) -> bulk.Row:
    """A row of :data:`_COLUMNS`."""
    move, board = one.move, one.move.board
    return (
        kind.value, move.player_id, board.statistic, board.level, board.style, old_value, move.new.value, one.rank_before,
        one.rank_after, move.replay_id, move.happened_at,
    )  # fmt: skip


def records_remove(games: Collection[Game]) -> None:
    """Delete what ``games``, which no longer rank, had achieved, and sums in which they had a part."""
    gone = {game.replay_id for game in games}
    summed = [game for game in games if game.level in COMBINED_LEVELS]
    sums = sum_events({game.player_id for game in summed}, summed)
    ghosts = {event.id for event in sums if event.replay_ids is None or not gone.isdisjoint(event.replay_ids)}
    RecordEvent.objects.filter(Q(replay_id__in=gone) | Q(id__in=ghosts)).delete()
