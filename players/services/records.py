"""The rows of ``RecordEvent``: each personal best and each site record as it came in."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from django.db.models import OuterRef, Subquery

from analysis.statistics import BY_NAME
from players import bulk
from players.boards import PersonalKey
from players.models import PersonalBest, RecordEvent
from players.services.personal import Bests, Improvement


class _Board(NamedTuple):
    statistic: str
    level: str
    style: str


def records_add(
    improvements: Sequence[Improvement], before: Bests, written: Mapping[PersonalKey, int], player_ids: Collection[int]
) -> None:
    """Note ``improvements`` (in the order in which they happened), and which of them were site records.

    ``before``: the bests of ``player_ids`` as they were; ``written``: ids of the rows of theirs that now hold
    the improvements.
    """
    leaders = _leaders(before, written, player_ids)
    events = []
    for improvement in improvements:
        old = improvement.old
        events.append(_event(RecordEvent.Kind.PERSONAL, improvement, None if old is None else old.value))
        board = _board(improvement)
        leader = leaders.get(board)
        if leader is None or improvement.new.rank_key < leader:
            events.append(_event(RecordEvent.Kind.SITE, improvement, _value(board, leader)))
            leaders[board] = improvement.new.rank_key
    bulk.insert(RecordEvent, _COLUMNS, events)


def records_remove(replay_ids: Collection[int]) -> None:
    """Forget what replays that no longer rank had achieved."""
    RecordEvent.objects.filter(replay_id__in=replay_ids).delete()


def _leaders(before: Bests, written: Mapping[PersonalKey, int], player_ids: Collection[int]) -> dict[_Board, float]:
    """The best rank key of each board of ``written``, as it was before."""
    leaders: dict[_Board, float] = {}
    for key, best in before.items():
        board = _Board(key.statistic, key.level, key.style)
        leaders[board] = min(best.rank_key, leaders.get(board, best.rank_key))
    one_a_board = {_Board(key.statistic, key.level, key.style): pk for key, pk in written.items()}
    others = (
        PersonalBest.objects.filter(statistic=OuterRef("statistic"), level=OuterRef("level"), style=OuterRef("style"))
        .exclude(player_id__in=player_ids)
        .order_by("rank_key", "achieved_at", "id")
        .values("rank_key")[:1]
    )
    rows = PersonalBest.objects.filter(pk__in=one_a_board.values()).annotate(others=Subquery(others))
    for statistic, level, style, rank_key in rows.values_list("statistic", "level", "style", "others"):
        if rank_key is not None:
            board = _Board(statistic, level, style)
            leaders[board] = min(rank_key, leaders.get(board, rank_key))
    return leaders


def _board(improvement: Improvement) -> _Board:
    return _Board(improvement.key.statistic, improvement.key.level, improvement.key.style)


def _value(board: _Board, rank_key: float | None) -> float | None:
    """The value behind a rank key: signing it twice gives it back."""
    return None if rank_key is None else BY_NAME[board.statistic].rank_key(rank_key)


_COLUMNS = ("kind", *PersonalKey._fields, "old_value", "new_value", "replay_id", "happened_at")


def _event(kind: RecordEvent.Kind, improvement: Improvement, old_value: float | None) -> bulk.Row:
    """A row of :data:`_COLUMNS`."""
    new = improvement.new
    return (kind.value, *improvement.key, old_value, new.value, new.replay_id, new.achieved_at)
