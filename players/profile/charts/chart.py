"""Parts of a chart: its drawing, and the rows that it shows.

Each mark of the drawing is one row.  The table of a page, the answer of the API and the text that a reader of the drawing
gets are all made from these rows, so they cannot differ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.utils.safestring import SafeString

from players.web.charts.axes import unit

NOT_KNOWN = "–"


class Column(NamedTuple):
    name: str
    label: str
    text: Callable[[Any], str] = str


class Mark(NamedTuple):
    """A row, and where it is in the drawing.  ``link``: the address that it leads to, or ""."""

    x: float
    y: float
    values: Sequence[Any]
    link: str = ""


class ShownRow(NamedTuple):
    x: str
    y: str
    texts: list[str]
    link: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart of a player.  ``drawing`` is "" without marks; ``notes``: sentences below it."""

    drawing: SafeString
    columns: tuple[Column, ...]
    marks: Sequence[Mark]
    notes: list[str] = field(default_factory=list)
    #: What each kind of line or colour means: the class of its sample, and its text.
    legend: tuple[tuple[str, str], ...] = ()
    #: The chart in a few words, such as the level and the best value.
    fact: str = ""
    #: The level whose colour the drawing has; "": none.
    level: str = ""

    @property
    def rows(self) -> list[dict[str, Any]]:
        names = [column.name for column in self.columns]
        return [dict(zip(names, mark.values, strict=True)) for mark in self.marks]

    @property
    def shown_rows(self) -> list[ShownRow]:
        return [
            ShownRow(
                unit(mark.x),
                unit(mark.y),
                [
                    NOT_KNOWN if value is None else column.text(value)
                    for column, value in zip(self.columns, mark.values, strict=True)
                ],
                mark.link,
            )
            for mark in self.marks
        ]


def no_chart(*columns: Column, notes: Sequence[str] = ()) -> Chart:
    return Chart(SafeString(""), columns, (), list(notes))
