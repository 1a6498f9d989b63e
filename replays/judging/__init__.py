"""Judging: which games count, which are suspicious, what staff decide, and appeals against it."""
