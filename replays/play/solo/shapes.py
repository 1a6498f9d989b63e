from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from analysis.fair import Rules
from analysis.limits import MAX_SIDE
from analysis.recording import LEVEL_SHAPES, Level, Mode
from analysis.statistics import RANKED_LEVELS

MAX_CELLS: Final = 10_000
#: A board without guesses is looked for among random ones: larger or denser ones are hardly ever found.
MAX_NO_GUESS_CELLS: Final = 30 * 24
MAX_NO_GUESS_DENSITY: Final = 0.22
_DIGITS: Final = 5
_MODES: Final = {Rules.XP: Mode.STANDARD, Rules.WIN7: Mode.WIN7, Rules.NO_GUESS: Mode.NO_GUESS}


class BadShape(ValueError):
    """A board that cannot be played; the message is shown to the visitor."""


@dataclass(frozen=True, slots=True)
class GameShape:
    level: Level
    rows: int
    columns: int
    mines: int
    rules: Rules

    @property
    def mode(self) -> Mode:
        return _MODES[self.rules]

    @property
    def unranked(self) -> str:
        """Reason why no game of it ranks, a code of ``reasons``; "" if games may."""
        if self.level not in RANKED_LEVELS:
            return "custom"
        return "" if self.rules is Rules.XP else "rules"

    def as_target(self) -> dict[str, object]:
        """Return the values that a ticket holds; :func:`shape_of` reads them."""
        own = (
            {} if self.level is not Level.CUSTOM else {"rows": self.rows, "columns": self.columns, "mines": self.mines}
        )
        return {"level": self.level.value, "rules": self.rules.value, **own}


def shape_of(values: Mapping[str, object]) -> GameShape:
    """The shape that ``level``, ``rules`` and, for ``custom``, ``rows``, ``columns`` and ``mines`` name.

    Values are texts or numbers, of a request or a ticket.  Raises :class:`BadShape`.
    """
    try:
        level, rules = Level(str(values.get("level", ""))), Rules(str(values.get("rules") or Rules.XP.value))
    except ValueError as error:
        raise BadShape(_("Unknown level or rules.")) from error
    if level is not Level.CUSTOM:
        return GameShape(level, *LEVEL_SHAPES[level], rules)
    rows, columns, mines = (_number(values, name) for name in ("rows", "columns", "mines"))
    _check(rows, columns, mines, rules)
    return GameShape(level, rows, columns, mines, rules)


def _number(values: Mapping[str, object], name: str) -> int:
    text = str(values.get(name, "")).strip()
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS):
        raise BadShape(_("Enter rows, columns and mines as whole numbers."))
    return int(text)


def _check(rows: int, columns: int, mines: int, rules: Rules) -> None:
    if not (1 <= rows <= MAX_SIDE and 1 <= columns <= MAX_SIDE and rows * columns <= MAX_CELLS):
        raise BadShape(
            _("A board has 1 to %(side)s rows and columns, and at most %(cells)s cells.")
            % {"side": MAX_SIDE, "cells": MAX_CELLS}
        )
    free = 1 if rules is Rules.XP else min(rows, 3) * min(columns, 3)  # cells around the first click without a mine
    most = rows * columns - free
    if most < 1:
        raise BadShape(_("This board is too small to hold a mine under these rules."))
    if not 1 <= mines <= most:
        raise BadShape(_("This board has room for 1 to %(most)s mines.") % {"most": most})
    if rules is Rules.NO_GUESS and (
        rows * columns > MAX_NO_GUESS_CELLS or mines > rows * columns * MAX_NO_GUESS_DENSITY
    ):
        raise BadShape(
            _("We can't find a no-guess board this big with this many mines. Try a smaller board or fewer mines.")
        )
