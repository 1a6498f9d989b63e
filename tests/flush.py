"""Emptying PostgreSQL after a test that commits: by DELETE, since TRUNCATE makes new files for every table and index.

A test leaves a few rows in a few of nearly 50 tables; TRUNCATE of all of them takes 0.1 to 0.2 s of processor time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.backends.postgresql.operations import DatabaseOperations

#: Rows of these say what models there are; no test changes them.
_KEPT = {"auth_permission", "django_content_type"}
_WITH_TRIGGERS = {
    "players_decision", "players_player", "players_recordevent", "replays_replay", "replays_like", "replays_comment",
}  # fmt: skip
#: From here on TRUNCATE is faster, and leaves no dead rows for the planner to misjudge.
_MANY_ROWS = 1000
_TRUNCATE_IF_LONG = """
    IF EXISTS (SELECT FROM {table} OFFSET {many}) THEN TRUNCATE {table} CASCADE; END IF;"""


def flush_by_deleting() -> None:
    """Let Django flush PostgreSQL in this way; foreign keys are checked at the end of the statement."""
    DatabaseOperations.sql_flush = _sql_flush  # type: ignore[method-assign, assignment]


def _sql_flush(
    self: DatabaseOperations,
    style: Any,
    tables: Sequence[str],
    *,
    reset_sequences: bool = False,
    allow_cascade: bool = False,
) -> list[str]:
    names = [self.quote_name(name) for name in sorted(set(tables) - _KEPT)]
    # The lock waits for requests that still write, and each TRUNCATE comes before what checks of keys would wait for.
    steps = [f"LOCK TABLE {', '.join(names)} IN ACCESS EXCLUSIVE MODE;"]
    steps += [_TRUNCATE_IF_LONG.format(table=name, many=_MANY_ROWS) for name in names]
    steps += [f"DELETE FROM {name};" for name in names]  # noqa: S608 - names of tables, quoted
    # The log of decisions refuses to be emptied, and the feed of changes would tell of each row.
    off, on = (
        [f"ALTER TABLE {name} {word} TRIGGER USER;" for name in names if name.strip('"') in _WITH_TRIGGERS]
        for word in ("DISABLE", "ENABLE")
    )
    checked = "SET CONSTRAINTS ALL IMMEDIATE;"  # tables with open checks cannot be altered
    return [f"DO $$ BEGIN {' '.join([steps[0], *off, *steps[1:], checked, *on])} END $$;"]
