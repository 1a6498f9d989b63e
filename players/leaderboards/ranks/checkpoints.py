"""Rank checkpoints: stored counts from which the rank of any value on a stored board is found by reading few rows.

``log_rank_changes`` stores, in the transaction of every change, which rank keys of which boards changed;
``count_boards`` counts a board again and deletes the changes that its new checkpoints contain.  Readers (``count``) add
the last checkpoint before a value, the changes since it was counted, and the few rows between both.  So ranks are exact
however seldom boards are counted.

No transaction waits for another: a change is a new row, never an update of a shared counter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from django.db import connection, transaction
from django.db.models import Count

from players.db import bulk
from players.leaderboards.boards import COMBINED, BoardKey, CombinedKey, PersonalKey, all_boards
from players.models import CombinedBest, PersonalBest, RankChange, RankCheckpoint

#: Rows between two checkpoints.  A count reads up to so many rows; each new record needs two counts, each rank one.
ROWS_A_CHECKPOINT: Final = 64
#: A board with so many changes is counted again.
CHANGES_A_BOARD: Final = 500
#: Key of the advisory lock: two processes that count the same board would insert its checkpoints twice.
_ADVISORY_LOCK: Final = 0x5377_6565_7001


class Change(NamedTuple):
    """The rank key of one row of a board before and after a change; None where the row does not exist."""

    statistic: str
    level: str
    style: str
    old_key: float | None
    new_key: float | None


def log_rank_changes(changes: Iterable[Change]) -> None:
    """Store ``changes`` in the caller's transaction, except those whose rank key is the same."""
    moved = [change for change in changes if change.old_key != change.new_key]
    bulk.insert(RankChange, Change._fields, moved)


def changes_of_bests(before: Mapping[PersonalKey, float], after: Mapping[PersonalKey, float]) -> Iterator[Change]:
    """The changes between two states of some bests; values are rank keys."""
    for key in before.keys() | after.keys():
        yield Change(key.statistic, key.level, key.style, before.get(key), after.get(key))


def changes_of_sums(before: Mapping[CombinedKey, float], after: Mapping[CombinedKey, float]) -> Iterator[Change]:
    for key in before.keys() | after.keys():
        yield Change(key.statistic, COMBINED, key.style, before.get(key), after.get(key))


def boards_to_count(changes: int = CHANGES_A_BOARD) -> list[BoardKey]:
    """Boards with at least ``changes`` changes, those with most first."""
    rows = RankChange.objects.order_by().values_list("level", "statistic", "style").annotate(count=Count("id"))
    return [BoardKey(*row[:3]) for row in rows.filter(count__gte=changes).order_by("-count")]


def count_boards(boards: Collection[BoardKey] | None = None) -> int:
    """Replace the checkpoints of ``boards`` (None: all), in one transaction a board; returns how many were counted.

    Stops when another process is counting, which has the same boards to do.
    """
    done = 0
    for key in all_boards() if boards is None else boards:
        with transaction.atomic():
            if not _try_lock():
                return done
            _count(key)
        done += 1
    return done


def _try_lock() -> bool:
    """Take the advisory lock until the transaction ends; False if another process has it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_ADVISORY_LOCK])
        return bool(cursor.fetchone()[0])


#: Rank keys of a board with the number of better rows (``ahead``): the first key beyond each multiple of ``step`` rows.
#: Checkpoints are keys and not rows, so tied rows are never on both sides of one.
_SELECT: Final = """
    SELECT rank_key, ahead FROM (
        SELECT rank_key, ahead, lag(ahead / {step}) OVER (ORDER BY rank_key) AS step_before FROM (
            SELECT rank_key, CAST(sum(count(*)) OVER (ORDER BY rank_key) AS bigint) - count(*) AS ahead
            FROM {table} WHERE {board} GROUP BY rank_key
        ) AS keys
    ) AS stepped WHERE ahead / {step} <> step_before
"""
_CHECKPOINTS: Final = RankCheckpoint._meta.db_table
_CHANGES: Final = RankChange._meta.db_table
_OF_BOARD: Final = "statistic = %(statistic)s AND level = %(level)s AND style = %(style)s"
#: With ``{counted}``, a SELECT of rank keys.
_REPLACE: Final = f"""
    WITH deleted AS (DELETE FROM {_CHANGES} WHERE {_OF_BOARD}),
        replaced AS (DELETE FROM {_CHECKPOINTS} WHERE {_OF_BOARD}),
        counted AS ({{counted}})
    INSERT INTO {_CHECKPOINTS} (statistic, level, style, rank_key, ahead)
    SELECT %(statistic)s, %(level)s, %(style)s, rank_key, ahead FROM counted
"""  # noqa: S608 - our own names


def _count(key: BoardKey) -> None:
    """Replace the checkpoints of the board, and delete exactly the changes that they contain.

    All parts of one statement see the same snapshot, so a change that commits meanwhile is neither counted nor deleted.
    """
    combined = key.level == COMBINED
    counted = _SELECT.format(
        step=ROWS_A_CHECKPOINT,
        table=(CombinedBest if combined else PersonalBest)._meta.db_table,
        board="statistic = %(statistic)s AND style = %(style)s" if combined else _OF_BOARD,
    )
    board = {"statistic": key.statistic, "level": key.level, "style": key.style}
    with connection.cursor() as cursor:
        cursor.execute(_REPLACE.format(counted=counted), board)
