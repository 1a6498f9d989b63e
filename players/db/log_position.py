"""Log positions: how far a reader of the change log has read, such that it never misses an entry.

A sequence is not enough: a transaction may take a number and commit after a reader has passed that number.  The position
of an entry is the id of the transaction that wrote it (``players.models.LogPosition``), and the position of a reader is
the lowest transaction id that was still running when it read: whatever commits later has that id or a higher one.  Some
entries are therefore read twice, so applying an entry twice must do no harm.
"""

from __future__ import annotations

from players.db.select import select


def read_log_position() -> int:
    """Read the position from which on the log has everything that later statements cannot see yet.

    Call it before the statements that read the data.
    """
    ((position,),) = select("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint", [])
    return int(position)
