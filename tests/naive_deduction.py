"""MD(1), MD(2) and NMD(3) by their definitions, on every number, pair and triple.  The slow twin of the rules."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np

from analysis.deduction import Rule
from analysis.probability import Position
from tests.naive_probability import Cell, around

Known = tuple[set[Cell], set[Cell]]  # safe, mines


def naive_marks(position: Position, up_to: Rule) -> Known:
    """Compute the safe cells and the mines that the rules up to ``up_to`` decide; flags are closed cells."""
    safe: set[Cell] = set()
    mines: set[Cell] = set()
    while True:
        before = len(safe) + len(mines)
        for new_safe, new_mines in _conclusions(position, up_to, safe, mines):
            safe |= new_safe
            mines |= new_mines
        if len(safe) + len(mines) == before:
            return safe, mines


def _conclusions(position: Position, up_to: Rule, safe: set[Cell], mines: set[Cell]) -> list[Known]:
    closed = {(int(row), int(column)) for row, column in np.argwhere(position.closed)}
    numbers = [(int(row), int(column)) for row, column in np.argwhere(position.numbers <= 8)]
    sets = []
    for number in numbers:
        seen = closed.intersection(around(position, number))
        sets.append((seen - safe - mines, int(position.numbers[number]) - len(seen & mines)))
    found: list[Known] = []
    for cells, needed in sets:
        if needed == 0:
            found.append((cells, set()))
        if needed == len(cells):
            found.append((set(), cells))
    if up_to is not Rule.MD1:
        for (a, in_a), (b, in_b) in permutations(sets, 2):
            if a & b and in_a - in_b >= len(a - b):
                found.append((b - a, a - b))
    if up_to is Rule.NMD3:
        for b, in_b in sets:
            for (a, in_a), (c, in_c) in combinations(sets, 2):
                if a & b and b & c and not a & c and in_b - in_a - in_c >= len(b - a - c):
                    found.append(((a | c) - b, b - a - c))
    return found
