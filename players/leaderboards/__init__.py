"""Leaderboards: who is best at what.

Writes go through ``services``; every feature below reads for itself.
"""
