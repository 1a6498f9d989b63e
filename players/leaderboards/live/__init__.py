"""Live boards: boards without a table, held in memory and updated from the change log each time they are used.

Sub-N counts for any N, boards of a period, of a country, of the best k games, or as of a past day: there are too many to
store them all, and reading millions of games for each page would take too long.  So a board is read once, into sorted
arrays.  At each use the process reads the change log (``players.db.change_log``) from the position where it stopped, and
reads the rows of the players in it again; the rows of all others cannot have changed.  A page therefore shows everything
that was committed before it was requested, as a table would.

``definitions``
    what is on a live board, and its cache key;
``standing``
    the sorted arrays of a board: order, ranks, replacing rows;
``steps``
    all personal bests of a board by date: boards as of a day, ranks over time;
``records``
    the records of a board by date; ``record_search`` finds them without reading every game;
``sources``
    the queries that fill the arrays;
``store``
    live boards in memory and in the shared cache, and how they are updated;
``popular``
    live boards that a task makes before anybody opens them.
"""

from players.leaderboards.live.definitions import LevelBoard, SubBoard
from players.leaderboards.live.popular import make_popular_boards
from players.leaderboards.live.records import Records
from players.leaderboards.live.standing import Standing, combined_standing
from players.leaderboards.live.steps import Steps
from players.leaderboards.live.store import clear_memory, live_records, live_standing, live_steps

__all__ = [
    "LevelBoard",
    "Records",
    "Standing",
    "Steps",
    "SubBoard",
    "clear_memory",
    "combined_standing",
    "live_records",
    "live_standing",
    "live_steps",
    "make_popular_boards",
]
