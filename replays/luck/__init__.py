"""Luck: what the clicks of a replay risked, and its board at any point, read from its file on request."""
