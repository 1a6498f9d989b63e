from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from analysis.answers import FlagUse
from analysis.deduction import Rule
from analysis.solver import Move, Reason

#: The names of the rules, easiest first.
RULES: dict[Rule, str] = {
    Rule.MD1: _("one number, MD(1)"),
    Rule.MD2: _("two numbers, MD(2)"),
    Rule.NMD3: _("three numbers, NMD(3)"),
    Rule.CASES: _("all cases"),
    Rule.COUNT: _("mine count"),
    Rule.GUESS: _("guess"),
}

REASONS: dict[Reason, str] = {
    Reason.FIRST: _("Start at %(cell)s: corners are the most likely to open an area."),
    Reason.CERTAIN: _("Open %(cells)s: provably safe."),
    Reason.CHANCE: _("Open %(cell)s."),
    Reason.SAFETY: _("Open %(cell)s: no cell is safer (%(safe)s%% safe)."),
    Reason.LOOK_AHEAD: _(
        "Open %(cell)s: it's %(safe)s%% safe and gives the best chance of winning, looking one guess ahead."
    ),
    Reason.ENDGAME: _(
        "Open %(cell)s: from here, perfect play wins %(win)s%% of the time; this cell is %(safe)s%% safe."
    ),
    Reason.POCKET: _(
        "Open %(cell)s: no other click will ever tell you more about these cells. Perfect play gets through them "
        "%(win)s%% of the time."
    ),
    Reason.NOTHING: _("All closed cells are mines: the game is won."),
    Reason.GIVE_UP: _("Nothing here can be determined by logic. This solver doesn't guess, so it gives up."),
}
FLAGS: dict[FlagUse, str] = {
    FlagUse.TRUSTED: _("Flags count as known mines."),
    FlagUse.IGNORED: _("Flags are ignored: we treat a flagged cell as closed."),
    FlagUse.CONTRADICTORY: _("These flags can't all be right, so we ignore them: a flagged cell counts as closed."),
}
_CELL = _("row %(row)s, column %(column)s")
_MAX_CELLS_SHOWN = 4


def rule_text(rule: Rule) -> str:
    return gettext(RULES[rule])


def flags_text(flags: FlagUse) -> str:
    return gettext(FLAGS[flags])


def cell_text(row: int, column: int) -> str:
    return gettext(_CELL) % {"row": row + 1, "column": column + 1}


def advice_text(move: Move) -> str:
    shown = [cell_text(*cell) for cell in move.cells[:_MAX_CELLS_SHOWN]]
    cells = "; ".join(shown)
    if len(move.cells) > _MAX_CELLS_SHOWN:
        cells = gettext("%(cells)s and %(more)s more") % {"cells": cells, "more": len(move.cells) - _MAX_CELLS_SHOWN}
    values: Mapping[str, str] = {
        "cell": shown[0] if shown else "",
        "cells": cells,
        "safe": percent(move.safe),
        "win": percent(move.win or 0.0),
    }
    return gettext(REASONS[move.reason]) % values


def percent(chance: float) -> str:
    """A probability in percent: two decimals, or as many as needed to distinguish it from 0 and 100."""
    number = 100 * chance
    for decimals in (2, 4, 6):
        text = f"{number:.{decimals}f}"
        if chance in (0.0, 1.0) or float(text) not in (0.0, 100.0):
            return text
    return f"{number:.2e}" if number < 1 else "> 99.999999"


def short_percent(chance: float) -> str:
    """A probability in percent, in at most three characters for a cell."""
    number = 100 * chance
    if number < 1:
        return "<1"
    if number > 99:
        return ">99"
    return str(round(number))


def big_number(number: int) -> tuple[str, str]:
    """A number to show: its digits in groups and ``""``, or its first digits and the power of ten."""
    digits = str(number)
    if len(digits) <= 15:
        return f"{number:,}".replace(",", "\N{NARROW NO-BREAK SPACE}"), ""
    rounded = f"{digits[0]}.{digits[1:4]}"
    return rounded, str(len(digits) - 1)
