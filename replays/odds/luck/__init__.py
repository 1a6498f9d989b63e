"""Luck: the risks of the clicks of a replay, and its snapshots, both computed from the file on request."""
