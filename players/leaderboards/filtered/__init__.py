"""Filtered boards: boards without a table, held in memory and updated from the change log each time they are used.

Sub-N counts for any N, boards of lost games, of a period, of a country, of the best k games, or as of a past day: there are too many to
store them all, and reading millions of games for each page would take too long.  So a board is read once, into sorted
arrays.  At each use the process reads the change log (``players.db.change_log``) from the position where it stopped, and
reads the rows of the players in it again; the rows of all others cannot have changed.  A page therefore shows everything
that was committed before it was requested, as a table would.

``sorted_board``
    the sorted arrays of a board: order, ranks, replacing rows;
``bests_by_date``
    all personal bests of a board by date: boards as of a day, ranks over time;
``records``
    the records of a board by date;
``sources``
    the queries that fill the arrays;
``store``
    filtered boards in memory and in the shared cache, and how they are updated;
``popular``
    filtered boards that a task makes before anybody opens them.
"""

from players.leaderboards.filtered.bests_by_date import BestsByDate
from players.leaderboards.filtered.popular import make_popular_boards
from players.leaderboards.filtered.records import Records
from players.leaderboards.filtered.sorted_board import SortedBoard, combined_sorted_board
from players.leaderboards.filtered.store import bests_by_date, clear_memory, records_by_date, sorted_board_of

__all__ = [
    "BestsByDate",
    "Records",
    "SortedBoard",
    "bests_by_date",
    "clear_memory",
    "combined_sorted_board",
    "make_popular_boards",
    "records_by_date",
    "sorted_board_of",
]
