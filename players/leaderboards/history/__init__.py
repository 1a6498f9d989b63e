"""Histories: the records of a board, and a player's personal bests, by the dates of their games."""
