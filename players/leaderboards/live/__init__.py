"""Live boards: boards that are no table, made in memory when somebody opens one, and brought up to date at each use.

Sub-N counts for any N, boards of a period, of a country, of the best k games, or as they stood on a day: nobody can
store them all, and nobody wants to read millions of games for each page.  So a board is made once, as sorted arrays,
and the process that has it reads the log of changes (``players.db.change_log``) from where it stopped: the rows of players
whose games changed since are made again, exactly, the others cannot have moved.  What is shown is therefore as true as
a table: everything that was committed before is in it.

``standing``
    the arrays of a board: order, ranks, places, merging;
``steps``
    every personal best of a board by its day: boards as of a day, ranks over time;
``records``
    who led a board from the first result on, and ``walk``, which finds that without reading every game;
``sources``
    the statements that make rows of either;
``store``
    live boards in memory, in the cache that processes share, and how they are brought up to date;
``popular``
    boards that are made before anybody opens them.
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
