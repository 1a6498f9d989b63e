"""Slips as puzzles (``/replays/<pk>/puzzles/<event>/``), and an account's own ones repeated (``/training/``).

A puzzle is judged by the exact probabilities of its position alone; the mines of the game are never looked at, so no
answer can tell of them.
"""
