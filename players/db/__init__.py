"""Database helpers that Django lacks, shared by every feature.

``bulk``
    many rows of one table in one statement;
``keyset``
    keyset paging: each page is found by an index, however far into the list it is;
``select``
    rows of plain SQL;
``change_log``
    the log from which cached leaderboards learn whose games changed;
``changes``, ``change_triggers``
    the feed by which other sites learn what changed, and the triggers that write it;
``retry``
    repeating a transaction that conflicted with another one.
"""
