"""Chances of mines: single positions, the luck of a game, and the process of low priority that computes them."""
