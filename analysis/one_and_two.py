"""The classic 1-and-2 position on a board of 16 x 16.

Two cells are open in the middle of a row, a 1 and a 2, with one closed cell between them.  How likely is a mine beside
the 1 alone (A), beside both (B), beside the 2 alone (C)?  The chances are counted for every number of mines, as
fractions; the formulas are shown with them and checked against them by the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise

from analysis.probability import Position, exact_fractions

SIDE = 16
MINES = range(10, 241)
ROW, ONE, TWO = 7, 6, 8  # the row of both numbers, and their columns
_OF_EACH = {"A": (ROW, ONE - 1), "B": (ROW, ONE + 1), "C": (ROW, TWO + 1)}  # one cell stands for its kind

NAMES = tuple(_OF_EACH)
FIGURE = ("AABCC", "A1B2C", "AABCC")  # the cells around the numbers by their kind

Chances = dict[str, Fraction]


@dataclass(frozen=True, slots=True)
class Formula:
    """A chance as a fraction of whole numbers: for people, and to be computed; ``m`` cells, ``n`` mines."""

    name: str
    above: str
    below: str
    compute: Callable[[int, int], Fraction]


FORMULAS: tuple[Formula, ...] = (
    Formula("A", "2n − 4", "3m + 7n − 56", lambda m, n: Fraction(2 * n - 4, 3 * m + 7 * n - 56)),
    Formula("B", "m − n − 12", "3m + 7n − 56", lambda m, n: Fraction(m - n - 12, 3 * m + 7 * n - 56)),
    Formula("C", "3m + 17n − 76", "15m + 35n − 280", lambda m, n: Fraction(3 * m + 17 * n - 76, 15 * m + 35 * n - 280)),
)


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two series with a point in common, at ``mines``."""

    names: tuple[str, str]
    mines: int
    chance: Fraction


@dataclass(frozen=True, slots=True)
class Crossing:
    """Two series that change their order between two numbers of mines and have no point in common there.

    ``least``: the smaller of the two differences beside it, and ``nearest`` the number of mines that has it.
    """

    names: tuple[str, str]
    before: int
    after: int
    nearest: int
    least: Fraction


def position_rows() -> tuple[str, ...]:
    """The rows of the position (see ``Position.of_rows``), which are the same for every number of mines."""
    rows = ["." * SIDE] * SIDE
    rows[ROW] = "".join({ONE: "1", TWO: "2"}.get(column, ".") for column in range(SIDE))
    return tuple(rows)


def counted(mines: int) -> Chances:
    """The three chances, counted over all layouts."""
    chances = exact_fractions(Position.of_rows(position_rows(), mines))
    return {name: chances[row][column] for name, (row, column) in _OF_EACH.items()}


@cache
def series() -> dict[int, Chances]:
    """The chances for every number of mines; about a second, once in a process."""
    return {mines: counted(mines) for mines in MINES}


def meetings(chances: dict[int, Chances]) -> list[Meeting]:
    """Find the numbers of mines at which two of the three chances are exactly equal."""
    return [
        Meeting(names, mines, of[names[0]])
        for names in _pairs()
        for mines, of in chances.items()
        if of[names[0]] == of[names[1]]
    ]


def crossings(chances: dict[int, Chances]) -> list[Crossing]:
    """Find where two of the three chances cross between two whole numbers of mines, without being equal at either."""
    found = []
    for first, second in _pairs():
        gaps = [(mines, of[first] - of[second]) for mines, of in chances.items()]
        for (before, left), (after, right) in pairwise(gaps):
            if left * right < 0:
                nearest, least = min((before, abs(left)), (after, abs(right)), key=lambda pair: pair[1])
                found.append(Crossing((first, second), before, after, nearest, least))
    return found


def apart(chances: dict[int, Chances]) -> list[tuple[str, str]]:
    """Pairs that neither meet nor pass each other."""
    near: Sequence[Meeting | Crossing] = [*meetings(chances), *crossings(chances)]
    return [names for names in _pairs() if all(names != one.names for one in near)]


def _pairs() -> list[tuple[str, str]]:
    return [(first, second) for first, second in combinations(NAMES, 2)]
