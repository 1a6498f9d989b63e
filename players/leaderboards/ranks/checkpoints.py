"""Rank checkpoints: what makes the rank of any value on a stored board cheap.

``log_rank_changes`` stores, in the transaction of every change, which rows of which boards moved; ``count_boards``
counts a board anew and deletes the changes that its new checkpoints contain.  Readers (``count``) add the last
checkpoint before a value, the changes since, and the few rows between both; so ranks are exact whenever boards are
counted, also if they never are.

No transaction waits for another: a change is a new row, never an update of a counter that many share.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from django.db import connection, transaction
from django.db.models import Count

from players.db import bulk
from players.leaderboards.boards import COMBINED, BoardKey, CombinedKey, PersonalKey, all_boards
from players.models import CombinedBest, PersonalBest, RankChange, RankCheckpoint

#: Rows between two checkpoints: each record that comes in counts them twice, and so does each rank that a page shows.
ROWS_A_CHECKPOINT: Final = 64
#: Changes of one board that make it worth counting again.
CHANGES_A_BOARD: Final = 500
#: PostgreSQL's advisory lock of whoever counts: two at a time would each delete what the other still needs.
_ADVISORY_LOCK: Final = 0x5377_6565_7001


class Change(NamedTuple):
    """One row of a board: its rank key before and now; None where it was not or is no longer there."""

    statistic: str
    level: str
    style: str
    old_key: float | None
    new_key: float | None


def log_rank_changes(changes: Iterable[Change]) -> None:
    """Store ``changes`` in the caller's transaction; those whose key stays the same are left out."""
    moved = [change for change in changes if change.old_key != change.new_key]
    bulk.insert(RankChange, Change._fields, moved)


def changes_of_bests(before: Mapping[PersonalKey, float], after: Mapping[PersonalKey, float]) -> Iterator[Change]:
    """What changed on the boards between two states of the same bests; values are rank keys."""
    for key in before.keys() | after.keys():
        yield Change(key.statistic, key.level, key.style, before.get(key), after.get(key))


def changes_of_sums(before: Mapping[CombinedKey, float], after: Mapping[CombinedKey, float]) -> Iterator[Change]:
    """The same for combined boards."""
    for key in before.keys() | after.keys():
        yield Change(key.statistic, COMBINED, key.style, before.get(key), after.get(key))


def boards_to_count(changes: int = CHANGES_A_BOARD) -> list[BoardKey]:
    """Boards with at least so many changes, most changed first."""
    rows = RankChange.objects.order_by().values_list("level", "statistic", "style").annotate(count=Count("id"))
    return [BoardKey(*row[:3]) for row in rows.filter(count__gte=changes).order_by("-count")]


def count_boards(boards: Collection[BoardKey] | None = None) -> int:
    """Set the checkpoints of ``boards`` (None: of all) anew, each in its own transaction; returns how many were set.

    It stops when another process counts: that one has the same boards to do.
    """
    done = 0
    for key in all_boards() if boards is None else boards:
        with transaction.atomic():
            if not _lock():
                return done
            _count(key)
        done += 1
    return done


def _lock() -> bool:
    """Whether no other process counts until the transaction ends; on SQLite only one transaction writes anyway."""
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_ADVISORY_LOCK])
        return bool(cursor.fetchone()[0])


#: The keys of a board, each with the number of better rows, wherever that number passes a multiple: a tie of any size
#: lies between two checkpoints as a whole.
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
_INSERT: Final = f"INSERT INTO {_CHECKPOINTS} (statistic, level, style, rank_key, ahead) "
_NAMES: Final = "SELECT %(statistic)s, %(level)s, %(style)s, rank_key, ahead FROM "
_DELETES: Final = tuple(f"DELETE FROM {table} WHERE {_OF_BOARD}" for table in (_CHANGES, _CHECKPOINTS))  # noqa: S608


def _count(key: BoardKey) -> None:
    """Count the board, and delete exactly the changes that this count has seen.

    On PostgreSQL all parts of one statement see the same state, so a change that commits meanwhile is neither counted
    nor deleted.  On SQLite nothing commits meanwhile.
    """
    combined = key.level == COMBINED
    counted = _SELECT.format(
        step=ROWS_A_CHECKPOINT,
        table=(CombinedBest if combined else PersonalBest)._meta.db_table,
        board="statistic = %(statistic)s AND style = %(style)s" if combined else _OF_BOARD,
    )
    board = {"statistic": key.statistic, "level": key.level, "style": key.style}
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            delete_changes, delete_checkpoints = _DELETES
            parts = f"WITH forgotten AS ({delete_changes}), replaced AS ({delete_checkpoints}), counted AS ({counted}) "
            cursor.execute(f"{parts}{_INSERT}{_NAMES}counted", board)
            return
        for statement in _DELETES:
            cursor.execute(statement, board)
        cursor.execute(f"{_INSERT}{_NAMES}({counted})", board)
