"""MD(1), MD(2) and NMD(3): each examines one number and returns a step, or ``None``.

Source: the rules as the community states them, with >= where a legal position allows only =.  NMD(3) is stated for the
mines alone; that what A and C see outside B is then safe follows from the same equation and is concluded too.
"""

from __future__ import annotations

from collections.abc import Callable

from analysis.deduction.conclusion import Conclusion, Rule
from analysis.deduction.sets import Sets

Look = Callable[[Sets, int], Conclusion | None]


def md1(sets: Sets, number: int) -> Conclusion | None:
    """All cells of one set are safe, or all are mines."""
    cells, mines = sets.cells[number], sets.mines[number]
    if not cells or 0 < mines < cells.bit_count():
        return None
    all_of = sets.places(cells)
    return Conclusion(Rule.MD1, (sets.named("A", number),), mines=all_of if mines else (), safe=() if mines else all_of)


def md2(sets: Sets, number: int) -> Conclusion | None:
    """Two sets that overlap, ``number`` being either of them."""
    for other in sets.overlapping(number):
        for a, b in ((number, other), (other, number)):
            only_a, only_b = sets.cells[a] & ~sets.cells[b], sets.cells[b] & ~sets.cells[a]
            if sets.mines[a] - sets.mines[b] == only_a.bit_count() and only_a | only_b:
                named = (sets.named("A", a), sets.named("B", b))
                return Conclusion(Rule.MD2, named, mines=sets.places(only_a), safe=sets.places(only_b))
    return None


def nmd3(sets: Sets, number: int) -> Conclusion | None:
    """A set against two that overlap it and not each other, ``number`` being any of the three."""
    beside = sets.overlapping(number)
    for place, a in enumerate(beside):
        for c in beside[place + 1 :]:
            step = _against_two(sets, number, a, c)
            if step:
                return step
    for b in beside:
        for c in sets.overlapping(b):
            step = _against_two(sets, b, number, c) if c != number else None
            if step:
                return step
    return None


def _against_two(sets: Sets, b: int, a: int, c: int) -> Conclusion | None:
    cells_a, cells_b, cells_c = sets.cells[a], sets.cells[b], sets.cells[c]
    if cells_a & cells_c:
        return None
    only_b, outside = cells_b & ~(cells_a | cells_c), (cells_a | cells_c) & ~cells_b
    if sets.mines[b] - sets.mines[a] - sets.mines[c] != only_b.bit_count() or not only_b | outside:
        return None
    named = (sets.named("A", a), sets.named("B", b), sets.named("C", c))
    return Conclusion(Rule.NMD3, named, mines=sets.places(only_b), safe=sets.places(outside))


LOCAL: dict[Rule, Look] = {Rule.MD1: md1, Rule.MD2: md2, Rule.NMD3: nmd3}
