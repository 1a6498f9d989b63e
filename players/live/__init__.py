"""Boards that are no table: made of games when somebody asks, kept in memory, and brought up to date at each look.

Sub-N counts for any N, boards of a period, of a country, of the best k games, or as they stood on a day: nobody can
store them all, and nobody wants to read millions of games for each page.  So a board is made once, as sorted arrays,
and whoever has it reads the log of changes (``players.services.levels``) from where they stopped: the rows of players
whose games changed since are made again, exactly, the others cannot have moved.  What is shown is therefore as true as
a table: a commit before the look is in it.

``standing``
    the arrays of a board: order, ranks, places, merging;
``steps``
    every personal best of a board by its day: boards as of a day, ranks over time;
``records``
    who led a board from the first result on, and ``walk``, which finds that without reading every game;
``sources``
    the statements that make rows of either;
``kept``
    memory, the cache that processes share, and reading on;
``popular``
    what is made before anybody asks.
"""

from players.live.definitions import LevelBoard, SubBoard
from players.live.kept import forget_kept, kept_records, kept_standing, kept_steps
from players.live.popular import make_popular
from players.live.records import Records
from players.live.standing import Standing, combined
from players.live.steps import Steps

__all__ = [
    "LevelBoard",
    "Records",
    "Standing",
    "Steps",
    "SubBoard",
    "combined",
    "forget_kept",
    "kept_records",
    "kept_standing",
    "kept_steps",
    "make_popular",
]
