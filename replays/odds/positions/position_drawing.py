from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext

from analysis.solver import Reason
from replays.odds.positions.position_texts import cell_text, percent, short_percent
from replays.odds.positions.positions import PositionQuery
from replays.odds.positions.refusal import Cell, Refusal
from replays.odds.positions.results import PositionResult

SHADES = 8  # classes p0 … p7 of the style sheet
_CLOSED, _FLAG, _UNKNOWN = ".", "F", "?"


@dataclass(frozen=True, slots=True)
class CellView:
    symbol: str
    shown: str
    classes: str
    label: str


def table_of(
    query: PositionQuery, found: PositionResult | None = None, refusal: Refusal | None = None
) -> list[list[CellView]]:
    """The cells of ``query`` row by row, with the result or the refusal.

    Rows of different lengths and unknown symbols are drawn too, since they may be why it is refused.
    """
    wrong = set(refusal.cells) if refusal else set()
    advised = _advised(found)
    return [
        [
            _cell(symbol, (row, column), found, (row, column) in wrong, (row, column) in advised)
            for column, symbol in enumerate(line)
        ]
        for row, line in enumerate(query.rows)
    ]


def _advised(found: PositionResult | None) -> set[Cell]:
    """The cells to be highlighted as advice; certain cells are highlighted anyway."""
    if found is None or found.advice is None or found.advice.reason is Reason.CERTAIN:
        return set()
    return set(found.advice.cells)


def _cell(symbol: str, cell: Cell, found: PositionResult | None, wrong: bool, advised: bool) -> CellView:
    shown, look, words = _face(symbol)
    if found is not None and symbol in (_CLOSED, _FLAG):
        chance, chance_look, chance_words = _probability(found, cell)
        shown = shown if symbol == _FLAG else chance
        look.append(chance_look)
        words.append(chance_words)
    if wrong:
        look.append("wrong")
        words.append(gettext("contradicts the other numbers"))
    if advised:
        look.append("advised")
        words.append(gettext("the solver would open this cell"))
    return CellView(symbol, shown, " ".join(look), f"{cell_text(*cell)}: {', '.join(words)}")


def _face(symbol: str) -> tuple[str, list[str], list[str]]:
    """Return the text of a cell without its probability, its CSS classes, and the words of its label."""
    if symbol == _CLOSED:
        return "", ["closed"], [gettext("closed")]
    if symbol == _FLAG:
        return "⚑", ["closed", "flag"], [gettext("flag")]
    if symbol == _UNKNOWN:
        return "?", ["open"], [gettext("open, number unknown")]
    if symbol == "0":
        return "", ["open", "t0"], [gettext("open, no mines around it")]
    return symbol, ["open", f"t{symbol}"], [gettext("open, %(number)s") % {"number": symbol}]


def _probability(found: PositionResult, cell: Cell) -> tuple[str, str, str]:
    if found.found.certain_safe[cell]:
        return "✓", "safe", gettext("safe")
    if found.found.certain_mine[cell]:
        return "✹", "mine", gettext("mine")
    chance = float(found.found.mine[cell])
    shade = min(SHADES - 1, int(chance * SHADES))
    return short_percent(chance), f"p{shade}", gettext("mine: %(percent)s%%") % {"percent": percent(chance)}


def brushes() -> list[tuple[str, str]]:
    return [(symbol, ", ".join(_face(symbol)[2])) for symbol in (_CLOSED, _FLAG, *"012345678", _UNKNOWN)]


def size_class(rows: Iterable[str]) -> str:
    widest = max(map(len, rows), default=0)
    return "roomy" if widest <= 10 else "usual" if widest <= 16 else "tight"
