from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from django.db.models import Q

from analysis.statistics import BY_NAME
from players.db import bulk
from players.db.select import Row
from players.leaderboards.bests.combined import StoredSum
from players.leaderboards.boards import COMBINED, LOGGED_STATISTICS, CombinedKey, Game, PersonalKey
from players.leaderboards.records.moves import Move
from players.leaderboards.records.rank_moves import RankedMove, rank_moves
from players.models import RecordEvent


def records_add(
    moves: Iterable[Move],
    written: Mapping[PersonalKey, int],
    stored_sums: Mapping[CombinedKey, StoredSum],
    unrecorded: Collection[int] = (),
) -> None:
    """Store the site records among ``moves`` (in their order) with their ranks, and the personal bests that are logged.

    Call it when the boards are written.  ``written``: ids of the rows of ``PersonalBest`` that were written;
    ``stored_sums``: the sums of which they are parts; ``unrecorded``: replays whose moves are not stored.
    """
    moves = list(moves)
    best_ids, sum_ids = _ids_of(moves, written, stored_sums)
    events = []
    for ranked in rank_moves(moves, best_ids, sum_ids):
        move = ranked.move
        if move.replay_ids[0] in unrecorded:
            continue
        if move.board.statistic in LOGGED_STATISTICS:
            events.append(_event(RecordEvent.Kind.PERSONAL, ranked, None if move.old is None else move.old.value))
        if ranked.is_site_record:
            events.append(_event(RecordEvent.Kind.SITE, ranked, _leader_value(ranked)))
    bulk.insert(RecordEvent, _COLUMNS, events)


def _ids_of(
    moves: Iterable[Move], written: Mapping[PersonalKey, int], stored_sums: Mapping[CombinedKey, StoredSum]
) -> tuple[set[int], set[int]]:
    """The ids of the rows of ``moves`` in ``PersonalBest`` and in ``CombinedBest``; not every written row has a move."""
    best_ids, sum_ids = set(), set()
    for move in moves:
        board = move.board
        if board.level == COMBINED:
            sum_ids.add(stored_sums[CombinedKey(move.player_id, board.statistic, board.style)].id)
        else:
            best_ids.add(written[PersonalKey(move.player_id, board.statistic, board.level, board.style)])
    return best_ids, sum_ids


def _leader_value(ranked: RankedMove) -> float | None:
    """The value of the board's best row before the move; ``rank_key`` is its own inverse."""
    return None if ranked.leader_key is None else BY_NAME[ranked.move.board.statistic].rank_key(ranked.leader_key)


_COLUMNS = (
    "kind", "player_id", "statistic", "level", "style", "old_value", "new_value", "rank_before", "rank_after",
    "happened_at", "replay_id", "second_replay_id", "third_replay_id",
)  # fmt: skip


def _event(kind: RecordEvent.Kind, ranked: RankedMove, old_value: float | None) -> Row:
    """A row of :data:`_COLUMNS`."""
    move, board = ranked.move, ranked.move.board
    return (
        kind.value, move.player_id, board.statistic, board.level, board.style, old_value, move.new.value, ranked.rank_before,
        ranked.rank_after, move.happened_at, *move.replay_ids, *([None] * (3 - len(move.replay_ids))),
    )  # fmt: skip


def records_redate(dates: Mapping[int, datetime]) -> None:
    """Set the dates of the records that these replays set on boards of one level, after the dates that count changed.

    Records of sums keep theirs, which is the latest date of three games.
    """
    events = list(RecordEvent.objects.filter(replay_id__in=dates).exclude(level=COMBINED).only("id", "replay_id"))
    for event in events:
        event.happened_at = dates[event.replay_id]
    RecordEvent.objects.bulk_update(events, ["happened_at"])


def records_remove(games: Collection[Game]) -> None:
    """Delete the records of ``games``, which are no longer ranked, and those of sums of which they were parts."""
    ids = [game.replay_id for game in games]
    of_sums = Q(level=COMBINED) & (Q(second_replay__in=ids) | Q(third_replay__in=ids))
    RecordEvent.objects.filter(Q(replay__in=ids) | of_sums).delete()
