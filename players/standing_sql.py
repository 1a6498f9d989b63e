"""Places on boards in plain SQL, where a page or a chunk of games asks for a hundred of them.

The last mark before a key (``players.services.marks``), what has changed before that mark, and the rows between both;
all of one moment, since it is one statement.  The query builder needs longer to write it than the database to answer
it, and it wants a row for each key.  Pages ask for one place (``players.selectors.ahead``) or all of a player's, and the
record history for those of everybody who moves (``players.services.standings``).
"""

from __future__ import annotations

from typing import Final

from players.boards import COMBINED
from players.models import BoardChange, BoardMark, CombinedBest, PersonalBest

_MARKS: Final = BoardMark._meta.db_table
_CHANGES: Final = BoardChange._meta.db_table
_BESTS: Final = PersonalBest._meta.db_table
_SUMS: Final = CombinedBest._meta.db_table
#: Before every key, in words that all databases read.
_FIRST_KEY: Final = "-1.7976931348623157e308"
_OF_LEVEL: Final = "{0}.statistic = asked.statistic AND {0}.level = asked.level AND {0}.style = asked.style"
_SUMMED: Final = "{0}.statistic = asked.statistic AND {0}.style = asked.style"
_OF_SUM: Final = f"{_SUMMED} AND {{0}}.level = '{COMBINED}'"
#: Marks are looked up key by key: joined to them, the planner of PostgreSQL would rather read all of them.
_PLACES: Final = f"""
    WITH marked AS MATERIALIZED (
        SELECT asked.*,
            (SELECT mark.rank_key FROM {_MARKS} AS mark WHERE {{of_mark}} AND mark.rank_key <= asked.rank_key
             ORDER BY mark.rank_key DESC LIMIT 1) AS mark_key,
            (SELECT mark.ahead FROM {_MARKS} AS mark WHERE {{of_mark}} AND mark.rank_key <= asked.rank_key
             ORDER BY mark.rank_key DESC LIMIT 1) AS mark_ahead
        FROM asked
    )
    SELECT asked.number,
        COALESCE(asked.mark_ahead, 0)
        + (
            SELECT COALESCE(SUM(
                CASE WHEN moved.new_key < asked.mark_key THEN 1 ELSE 0 END
                - CASE WHEN moved.old_key < asked.mark_key THEN 1 ELSE 0 END
            ), 0) FROM {_CHANGES} AS moved WHERE asked.mark_key IS NOT NULL AND {{of_moved}}
        ) + (
            SELECT COUNT(*) FROM {{table}} AS best WHERE {{of_best}} AND best.rank_key < asked.rank_key
            AND best.rank_key >= COALESCE(asked.mark_key, {_FIRST_KEY})
        ){{ties}} AS ahead{{more}}
    FROM marked AS asked
"""  # noqa: S608 - our own names
_TIES: Final = f""" + (
            SELECT COUNT(*) FROM {_SUMS} AS tied WHERE {_SUMMED.format("tied")}
            AND tied.rank_key = asked.rank_key
            AND (tied.expert_key, tied.intermediate_key) < (asked.expert_key, asked.intermediate_key)
        )"""  # noqa: S608 - as above
#: One more column for :func:`places_asked`: where ``asked.is_first``, the best key on the board of any row whose id is
#: none of those apart (``players.bulk.ask``).
LEADER: Final = """,
        CASE WHEN asked.is_first THEN (
            SELECT best.rank_key FROM {table} AS best WHERE {of_best} AND best.id {{apart}}
            ORDER BY best.rank_key LIMIT 1
        ) END"""


def places_asked(more: str = "", *, combined: bool = False) -> str:
    """A statement on rows ``asked``: (number, how many rows of its board are better).

    ``asked`` has the columns number, statistic, level, style and rank_key; of sums (``combined``) expert_key and
    intermediate_key as well, which part equal sums, and no level.  ``more``: further columns, as :data:`LEADER`.
    """
    table, of_best = (_SUMS, _SUMMED.format("best")) if combined else (_BESTS, _OF_LEVEL.format("best"))
    of_board = _OF_SUM if combined else _OF_LEVEL
    places = _PLACES.format(
        table=table, of_best=of_best, of_moved=of_board.format("moved"), of_mark=of_board.format("mark"),
        ties=_TIES if combined else "", more=more.format(table=table, of_best=of_best),
    )  # fmt: skip
    return f"SELECT * FROM ({places}) AS placed"  # noqa: S608 - as above
