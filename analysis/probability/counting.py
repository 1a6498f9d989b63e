"""The same counts as ``kernels.probability`` in integers of any size: slower, and exact.

A polynomial in the number of mines is one Python integer here: so many bits a coefficient that none can overflow into
the next.  Adding polynomials is adding integers, multiplying them is multiplying, and one more mine is a shift.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import accumulate
from operator import mul

import numpy as np

from analysis.kernels.probability import seen_mines
from analysis.kernels.probability_front import MINE, SAFE, UNDECIDED, Front, read_front
from analysis.kernels.probability_order import chain_of
from analysis.probability.conflict import conflict
from analysis.probability.position import Position

Layer = dict[int, int]  # state -> polynomial; a state holds the needs of the active numbers, 4 bits each
NEED_BITS = 4


@dataclass(frozen=True, slots=True)
class Exact:
    """The answer to a position in exact numbers.

    ``mine``: chance of a mine, a tuple a row, 0 in open cells.  ``elsewhere``: the chance in each cell that no number
    sees, ``None`` without such cells.  ``frontier``: chance of each possible number of mines in the closed cells that
    numbers see.  ``layouts``: how many layouts agree.
    """

    mine: tuple[tuple[Fraction, ...], ...]
    elsewhere: Fraction | None
    frontier: dict[int, Fraction]
    layouts: int


@dataclass(frozen=True, slots=True)
class _Component:
    """Boxes that share numbers, in the order of the walk, and what the walk needs to know of the numbers."""

    front: Front
    boxes: list[int]
    first: dict[int, int]  # number -> its first box
    bits: int  # of a coefficient

    def children(self, box: int, state: int, to_come: dict[int, int]) -> Iterator[tuple[int, int]]:
        """The states that follow a state, for each number of mines in ``box``.

        ``to_come``: cells of each of the box's numbers in later boxes.
        """
        least, most, one_each = 0, int(self.front.size[box]), 0
        for number, later in to_come.items():
            if self.first[number] == box:
                state += int(self.front.need[number]) << NEED_BITS * number
            need = state >> NEED_BITS * number & (1 << NEED_BITS) - 1
            least, most = max(least, need - later), min(most, need)
            one_each += 1 << NEED_BITS * number
        for mines in range(least, most + 1):
            yield mines, state - mines * one_each

    def steps(self) -> list[tuple[int, dict[int, int]]]:
        """Each box with the cells that its numbers still have after it."""
        left = {number: int(self.front.free[number]) for number in self.first}
        steps = []
        for box in self.boxes:
            numbers = _numbers(self.front, box)
            for number in numbers:
                left[number] -= int(self.front.size[box])
            steps.append((box, {number: left[number] for number in numbers}))
        return steps

    def ways(self, box: int, mines: int) -> int:
        return math.comb(int(self.front.size[box]), mines)

    def layers(self) -> list[Layer]:
        """The states before each box and after the last, each with the ways that lead to it."""
        layers: list[Layer] = [{0: 1}]
        for box, to_come in self.steps():
            following: Layer = defaultdict(int)
            for state, ways in layers[-1].items():
                for mines, child in self.children(box, state, to_come):
                    following[child] += self.ways(box, mines) * ways << mines * self.bits
            layers.append(dict(following))
        return layers

    def total(self) -> int:
        """Ways by mines in all boxes."""
        return self.layers()[-1].get(0, 0)

    def by_box(self) -> Iterator[tuple[int, list[int]]]:
        """Each box with its ways by mines in all boxes, for 0, 1 ... mines in the box itself."""
        layers, onward = self.layers(), {0: 1}
        for (box, to_come), layer in zip(reversed(self.steps()), reversed(layers[:-1]), strict=True):
            found = [0] * (int(self.front.size[box]) + 1)
            here: Layer = defaultdict(int)
            for state, ways in layer.items():
                for mines, child in self.children(box, state, to_come):
                    if child in onward:
                        after = self.ways(box, mines) * onward[child] << mines * self.bits
                        here[state] += after
                        found[mines] += ways * after
            yield box, found
            onward = dict(here)


def _numbers(front: Front, box: int) -> list[int]:
    return [int(number) for number in front.numbers[box, : front.degree[box]]]


@dataclass(frozen=True, slots=True)
class _Count:
    """A position split into its components, and the cells that no undecided number sees."""

    front: Front
    components: list[_Component]
    bits: int
    cells: int  # off the front
    left: int  # mines that are not decided

    def totals(self) -> list[int]:
        return [component.total() for component in self.components]

    def elsewhere(self, mines: int, of_cells: int, left: int) -> int:
        """Ways to lay what ``left`` leaves when ``mines`` lie on the front."""
        return math.comb(of_cells, left - mines) if left >= mines else 0

    def layouts(self, polynomial: int) -> int:
        """Layouts, given the ways by mines on the whole front."""
        return sum(ways * self.elsewhere(mines, self.cells, self.left) for mines, ways in self.coefficients(polynomial))

    def coefficients(self, polynomial: int) -> Iterator[tuple[int, int]]:
        """The exponents and coefficients that are not 0."""
        size = self.bits // 8
        data = polynomial.to_bytes((polynomial.bit_length() + 7) // 8 + size, "little")
        for mines in range(len(data) // size):
            ways = int.from_bytes(data[mines * size : (mines + 1) * size], "little")
            if ways:
                yield mines, ways


def _count(position: Position, *, trust_flags: bool) -> _Count:
    front = read_front(position.grid(), trust_flags)
    if front.conflict >= 0:
        raise conflict(position, trust_flags=trust_flags)
    order, start, _ = chain_of(front, position.columns + 2)
    boxed = int(front.size.sum(dtype=np.int64))
    components = []
    for begin, end in zip(start[:-1].tolist(), start[1:].tolist(), strict=True):
        boxes = order[begin:end].tolist()
        first: dict[int, int] = {}
        for box in boxes:
            for number in _numbers(front, box):
                first.setdefault(number, box)
        components.append(_Component(front, boxes, first, bits=0))
    ways = math.prod(component.total() for component in components)  # without room between them all coefficients add up
    bits = (ways.bit_length() // 8 + 1) * 8
    components = [replace(component, bits=bits) for component in components]
    cells = int((front.status == UNDECIDED).sum()) - boxed
    left = position.mines - int((front.status == MINE).sum())
    return _Count(front, components, bits, cells, left)


def layouts(position: Position, *, trust_flags: bool = False) -> int:
    """The number of layouts of the mines that agree with ``position``.

    Raises ``ImpossiblePosition`` if there is none.
    """
    count = _count(position, trust_flags=trust_flags)
    found = count.layouts(math.prod(count.totals()))
    if not found:
        raise conflict(position, trust_flags=trust_flags)
    return found


def exact(position: Position, *, trust_flags: bool = False) -> Exact:
    """Every probability of ``position`` as a fraction.

    Milliseconds for positions of real games; there is no limit, so the hardest ones take minutes.

    Raises ``ImpossiblePosition`` if no layout agrees with the position.
    """
    count = _count(position, trust_flags=trust_flags)
    totals = count.totals()
    whole = math.prod(totals)
    found = count.layouts(whole)
    if not found:
        raise conflict(position, trust_flags=trust_flags)
    chances = _chances(count, totals, found)
    off = None
    if count.cells:
        with_one = sum(
            ways * count.elsewhere(mines, count.cells - 1, count.left - 1) for mines, ways in count.coefficients(whole)
        )
        off = Fraction(with_one, found)
    seen = seen_mines(position.grid(), count.front.status)
    frontier = {
        seen + mines: Fraction(ways * count.elsewhere(mines, count.cells, count.left), found)
        for mines, ways in count.coefficients(whole)
    }
    return Exact(
        mine=_spread(position, count.front, chances, off),
        elsewhere=off,
        frontier={mines: chance for mines, chance in frontier.items() if chance},
        layouts=found,
    )


def _chances(count: _Count, totals: list[int], found: int) -> dict[int, Fraction]:
    """The chance of a mine in each cell of each box, of ``found`` layouts."""
    before = list(accumulate(totals, mul, initial=1))
    after = list(accumulate(reversed(totals), mul, initial=1))[::-1]
    chances: dict[int, Fraction] = {}
    for place, component in enumerate(count.components):
        others = list(count.coefficients(before[place] * after[place + 1]))

        @cache
        def outside(mines: int, others: list[tuple[int, int]] = others) -> int:
            """Ways to lay all the rest when the component holds so many mines."""
            return sum(ways * count.elsewhere(mines + more, count.cells, count.left) for more, ways in others)

        for box, by_mines in component.by_box():
            expected = sum(
                inside * ways * outside(mines)
                for inside, polynomial in enumerate(by_mines)
                for mines, ways in count.coefficients(polynomial)
            )
            chances[box] = Fraction(expected, found * int(count.front.size[box]))
    return chances


def exact_fractions(position: Position) -> tuple[tuple[Fraction, ...], ...]:
    """The chance of a mine in every cell as a fraction, a tuple a row, 0 in open cells; see :func:`exact`."""
    return exact(position).mine


def _spread(
    position: Position, front: Front, chances: dict[int, Fraction], off: Fraction | None
) -> tuple[tuple[Fraction, ...], ...]:
    shape = (position.rows + 2, position.columns + 2)
    status, boxes = front.status.reshape(shape)[1:-1, 1:-1], front.box.reshape(shape)[1:-1, 1:-1]
    decided = {int(SAFE): Fraction(0), int(MINE): Fraction(1)}

    def chance(verdict: int, box: int) -> Fraction:
        if verdict == UNDECIDED:
            return chances[box] if box >= 0 else off if off is not None else Fraction(0)
        return decided.get(verdict, Fraction(0))

    return tuple(
        tuple(chance(verdict, box) for verdict, box in zip(verdicts, of_row, strict=True))
        for verdicts, of_row in zip(status.tolist(), boxes.tolist(), strict=True)
    )
