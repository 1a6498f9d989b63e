"""A position as a table of cells: what stands in each, how it looks, and its words for those who do not see it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext

from analysis.solver import Reason
from replays.positions.answers import Answer
from replays.positions.positions import PositionQuery
from replays.positions.refusal import Cell, Refusal
from replays.positions.texts import cell_text, percent, short_percent

SHADES = 8  # classes p0 … p7 of the style sheet
_CLOSED, _FLAG, _UNKNOWN = ".", "F", "?"


@dataclass(frozen=True, slots=True)
class CellView:
    """One cell: its sign in texts, what it shows, its classes, and its words."""

    sign: str
    shown: str
    classes: str
    label: str


def table_of(query: PositionQuery, found: Answer | None = None, refusal: Refusal | None = None) -> list[list[CellView]]:
    """The cells of ``query`` row by row, with the answer or with what is wrong.

    Rows of different lengths and strange signs are drawn as they are: that is what is wrong.
    """
    wrong = set(refusal.cells) if refusal else set()
    advised = _advised(found)
    return [
        [
            _cell(sign, (row, column), found, (row, column) in wrong, (row, column) in advised)
            for column, sign in enumerate(line)
        ]
        for row, line in enumerate(query.rows)
    ]


def _advised(found: Answer | None) -> set[Cell]:
    """Cells to be marked as advice; certain ones are marked anyway."""
    if found is None or found.advice is None or found.advice.reason is Reason.CERTAIN:
        return set()
    return set(found.advice.cells)


def _cell(sign: str, place: Cell, found: Answer | None, wrong: bool, advised: bool) -> CellView:
    shown, look, words = _face(sign)
    if found is not None and sign in (_CLOSED, _FLAG):
        chance, chance_look, chance_words = _chance(found, place)
        shown = shown if sign == _FLAG else chance
        look.append(chance_look)
        words.append(chance_words)
    if wrong:
        look.append("wrong")
        words.append(gettext("contradicts the others"))
    if advised:
        look.append("advised")
        words.append(gettext("the solver opens this"))
    return CellView(sign, shown, " ".join(look), f"{cell_text(*place)}: {', '.join(words)}")


def _face(sign: str) -> tuple[str, list[str], list[str]]:
    """What a cell shows without its chance, its classes and words."""
    if sign == _CLOSED:
        return "", ["closed"], [gettext("closed")]
    if sign == _FLAG:
        return "⚑", ["closed", "flag"], [gettext("flag")]
    if sign == _UNKNOWN:
        return "?", ["open"], [gettext("open, number unknown")]
    if sign == "0":
        return "", ["open", "t0"], [gettext("open, no mines around")]
    return sign, ["open", f"t{sign}"], [gettext("open, %(number)s") % {"number": sign}]


def _chance(found: Answer, place: Cell) -> tuple[str, str, str]:
    if found.found.certain_safe[place]:
        return "✓", "safe", gettext("safe")
    if found.found.certain_mine[place]:
        return "✹", "mine", gettext("mine")
    chance = float(found.found.mine[place])
    shade = min(SHADES - 1, int(chance * SHADES))
    return short_percent(chance), f"p{shade}", gettext("mine with %(percent)s %%") % {"percent": percent(chance)}


def brushes() -> list[tuple[str, str]]:
    """What a cell can become, with its words."""
    return [(sign, ", ".join(_face(sign)[2])) for sign in (_CLOSED, _FLAG, *"012345678", _UNKNOWN)]


def size_class(rows: Iterable[str]) -> str:
    """How large the cells of a table may be drawn."""
    widest = max(map(len, rows), default=0)
    return "roomy" if widest <= 10 else "usual" if widest <= 16 else "tight"
