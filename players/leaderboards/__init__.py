"""Leaderboards.  In ``players`` a *board* is a leaderboard.

Everything that boards are made of is written by ``services``; each feature has selectors of its own.
"""
