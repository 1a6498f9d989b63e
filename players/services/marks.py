"""Mile stones of boards: what makes the rank of any value cheap.

``note_changes`` writes down, in the transaction of every change, which rows of which boards moved; ``measure_boards``
counts a board anew and forgets the changes that the new marks contain.  Readers (``players.selectors.ranks``) add up
the last mark before a value, the changes since, and the few rows between the mark and the value; so ranks are exact
whenever boards are measured, also if they never are.

Nobody waits for anybody here: a change is a new row, never an update of a counter that many share.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from django.db import connection, transaction
from django.db.models import Count

from players import bulk
from players.boards import COMBINED, BoardKey, PersonalKey, all_boards
from players.models import BoardChange, BoardMark, CombinedBest, PersonalBest
from players.services.combined import CombinedKey

#: Rows between two marks: each record that comes in counts them twice, and so does each rank that a page shows.
ROWS_A_MARK: Final = 64
#: Changes of one board that make it worth measuring again.
CHANGES_A_BOARD: Final = 500
#: PostgreSQL's advisory lock of whoever measures: two at a time would each forget what the other still needs.
_MEASURING: Final = 0x5377_6565_7001


class Change(NamedTuple):
    """One row of a board: its key before and now; None where it was not or is no longer there."""

    statistic: str
    level: str
    style: str
    old_key: float | None
    new_key: float | None


def note_changes(changes: Iterable[Change]) -> None:
    """Write ``changes`` down, in the caller's transaction; those that move no key are left out."""
    moved = [change for change in changes if change.old_key != change.new_key]
    bulk.insert(BoardChange, Change._fields, moved)


def moves_of_bests(before: Mapping[PersonalKey, float], after: Mapping[PersonalKey, float]) -> Iterator[Change]:
    """What changed on the boards between two states of the same places; values are rank keys."""
    for key in before.keys() | after.keys():
        yield Change(key.statistic, key.level, key.style, before.get(key), after.get(key))


def moves_of_sums(before: Mapping[CombinedKey, float], after: Mapping[CombinedKey, float]) -> Iterator[Change]:
    """The same for combined boards."""
    for key in before.keys() | after.keys():
        yield Change(key.statistic, COMBINED, key.style, before.get(key), after.get(key))


def boards_to_measure(changes: int = CHANGES_A_BOARD) -> list[BoardKey]:
    """Boards with at least so many changes, most changed first."""
    rows = BoardChange.objects.order_by().values_list("level", "statistic", "style").annotate(count=Count("id"))
    return [BoardKey(*row[:3]) for row in rows.filter(count__gte=changes).order_by("-count")]


def measure_boards(boards: Collection[BoardKey] | None = None) -> int:
    """Set the marks of ``boards`` (None: of all) anew, each in a transaction of its own; returns how many were done.

    Another process that measures makes this one stop: it has the same work in hand.
    """
    done = 0
    for key in all_boards() if boards is None else boards:
        with transaction.atomic():
            if not _alone():
                return done
            _measure(key)
        done += 1
    return done


def _alone() -> bool:
    """Whether nobody else measures until the transaction ends; on SQLite a transaction that writes is alone anyway."""
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_MEASURING])
        return bool(cursor.fetchone()[0])


#: The keys of a board, each with the number of rows that are better, wherever that number passes a multiple: a tie of
#: any size lies between two marks as a whole.
_COUNTED: Final = """
    SELECT rank_key, ahead FROM (
        SELECT rank_key, ahead, lag(ahead / {step}) OVER (ORDER BY rank_key) AS step_before FROM (
            SELECT rank_key, CAST(sum(count(*)) OVER (ORDER BY rank_key) AS bigint) - count(*) AS ahead
            FROM {table} WHERE {board} GROUP BY rank_key
        ) AS keys
    ) AS stepped WHERE ahead / {step} <> step_before
"""
_MARKS: Final = BoardMark._meta.db_table
_CHANGES: Final = BoardChange._meta.db_table
_OF_BOARD: Final = "statistic = %(statistic)s AND level = %(level)s AND style = %(style)s"
_INSERT: Final = f"INSERT INTO {_MARKS} (statistic, level, style, rank_key, ahead) "
_NAMES: Final = "SELECT %(statistic)s, %(level)s, %(style)s, rank_key, ahead FROM "
_DELETES: Final = tuple(f"DELETE FROM {table} WHERE {_OF_BOARD}" for table in (_CHANGES, _MARKS))  # noqa: S608


def _measure(key: BoardKey) -> None:
    """Count the board, and forget exactly the changes that this count has seen.

    On PostgreSQL all parts of one statement see the same state, so a change that commits meanwhile is neither counted
    nor forgotten.  On SQLite nothing commits meanwhile.
    """
    combined = key.level == COMBINED
    counted = _COUNTED.format(
        step=ROWS_A_MARK,
        table=(CombinedBest if combined else PersonalBest)._meta.db_table,
        board="statistic = %(statistic)s AND style = %(style)s" if combined else _OF_BOARD,
    )
    board = {"statistic": key.statistic, "level": key.level, "style": key.style}
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            forget, replace = _DELETES
            parts = f"WITH forgotten AS ({forget}), replaced AS ({replace}), counted AS ({counted}) "
            cursor.execute(f"{parts}{_INSERT}{_NAMES}counted", board)
            return
        for statement in _DELETES:
            cursor.execute(statement, board)
        cursor.execute(f"{_INSERT}{_NAMES}({counted})", board)
