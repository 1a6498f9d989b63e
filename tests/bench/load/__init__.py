"""Rows of a big site, made up: for measurements at scale.

``python -m tests.bench.load`` fills an empty PostgreSQL with players, replays and everything that follows from them, as
if every replay had come in and been ranked, in the order of the ids.  There are no files behind these replays.

``population``
    who plays, and all their games as numpy arrays;
``results``
    what the boards hold after these games: bests, sums, seconds, record history;
``sum_records``
    the record history of sums;
``ranks``
    the rank of each result when it was added;
``copying``
    arrays to PostgreSQL's binary COPY;
``loading``
    all of it in one transaction, indexes last.
"""
