from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext_noop as _

from replays.odds.positions.positions import PositionQuery, read_rows


@dataclass(frozen=True, slots=True)
class Example:
    title: str
    text: str
    query: PositionQuery


def _example(title: str, text: str, rows: str, mines: int) -> Example:
    return Example(title, text, PositionQuery(read_rows(rows), mines))


#: The first is shown if the address has no position.
EXAMPLES: tuple[Example, ...] = (
    _example(
        _("A position from an Expert game"),
        _("No cell is provably safe. The safest cell isn't always the best one."),
        """
        001.10001.....................
        1121101134....................
        1.10001.4.....................
        22200012......................
        1.2100014.....................
        23.210002.....................
        ..5.200012....................
        ....300001....................
        ....421101....................
        .....4.311....................
        .........1....................
        ..............................
        ..............................
        ..............................
        ..............................
        ..............................
        """,
        99,
    ),
    _example(
        _("The 1-2-1 pattern"),
        _("Comparing two numbers shows something that neither shows on its own."),
        "...../11211/00000",
        2,
    ),
    _example(
        _("Three numbers"),
        _("One number compared with two others that share no cells with each other."),
        "....../123221/......",
        4,
    ),
    _example(
        _("Only the mine count helps"),
        _("No single number is enough here, yet two corners are safe and the middle is a mine."),
        "2../.../..2",
        3,
    ),
    _example(
        _("A gap between two groups of numbers"),
        _("Five mines, 360 layouts, and one cell that's better than all the others."),
        "...../.1.../.3.../.....",
        5,
    ),
    _example(
        _("A pure guess"),
        _("Two cells share one mine, and nothing tells you which one has it."),
        """
        0001112..1011100
        0001.12.4223.311
        000111112.3..3.1
        0011100012.33321
        112.111101111.10
        1.3211.211112220
        24.2012.11.11.10
        .4.2012211111110
        .53201.100000000
        2..3233310000111
        235..2..200012.1
        1.4.534.20001.21
        113.4.3110001221
        00113.20000012.1
        0000111000002.42
        0000000000002...
        """,
        40,
    ),
)
