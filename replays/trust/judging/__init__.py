"""Judging: which games are ranked, which are suspicious, decisions of staff, and appeals."""
