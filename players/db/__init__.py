"""What Django lacks, and every feature needs.

``bulk``
    many rows of one table in one statement;
``keyset``
    pages of long lists, found by an index however far in they are;
``pipeline``
    several statements sent to PostgreSQL at once;
``change_log``
    the log of changes that caches of boards read on from;
``retry``
    transactions that are repeated when another one was in conflict with them.
"""
