"""The counters beside a film: every row of the registry, with what a script needs to compute it at any moment."""

from __future__ import annotations

import re
from typing import Final

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from analysis.formulas import BadFormula, Tree, tree
from analysis.names import shown_name
from analysis.recording import Level
from analysis.statistics import (
    BOARD,
    BY_NAME,
    DERIVED,
    GROUPS,
    PLAY,
    STATISTICS,
    ZINI,
    Statistic,
    StatKind,
    in_order_of_need,
)
from analysis.time_convention import time_decimals
from players.models import User
from players.web.clock import shown_text
from players.web.statistic_names import code_name
from replays.models import Replay

#: What a formula may use besides statistics.
_INPUTS: Final = frozenset({"win"})
#: A row that is no statistic: it only says how the game stands.
MINES_LEFT: Final = "mines_left"
_MINES_LEFT_LABEL: Final = _("Mines left")
ROW_NAMES: Final = (*(row.name for row in STATISTICS if row.stored), MINES_LEFT)
#: The names that visitors may use in formulas of their own: those of the code and all that people call them.
OWN_NAMES: Final = frozenset(ROW_NAMES) | _INPUTS | {name for row in STATISTICS if row.stored for name in row.names}
#: A name that Python has for an operator, which no formula may use, and the same name in full-width letters, which Python
#: reads as the plain ones but never as an operator.
_IS: Final = re.compile(r"\bis\b")
_IS_AS_NAME: Final = "\N{FULLWIDTH LATIN SMALL LETTER I}\N{FULLWIDTH LATIN SMALL LETTER S}"
#: The rows that are shown at first, in the order of the registry.
_FIRST: Final = frozenset({"time", "bvdone", "bvs", "estime", "cl", "ce", "cls", "ioe", "corr", "thrp", "path", "stnb", "completion", "opdone", "isdone"})  # fmt: skip

#: Why a formula is refused, by ``BadFormula.reason``.
_REFUSED: Final = {
    "long": _("The formula is too long."),
    "deep": _("The formula is nested too deeply."),
    "syntax": _("This isn't a valid formula."),
    "name": _("The statistic “%(part)s” doesn't exist."),
    "part": _("We can't compute “%(part)s” here."),
}


def own_formula(text: str) -> Tree:
    """Return the tree, with the names of the code, or raise ``BadFormula``."""
    return _in_code(tree(_IS.sub(_IS_AS_NAME, text), OWN_NAMES))


def _in_code(of: Tree) -> Tree:
    if isinstance(of, list):
        return [_in_code(part) for part in of]
    return code_name(of) if isinstance(of, str) else of


def refusal_text(error: BadFormula) -> str:
    return gettext(_REFUSED[error.reason]) % {"part": shown_name(error.part)}


def counters(replay: Replay) -> dict[str, object]:
    """The rows for the page of ``replay``, as JSON: in the order in which they can be computed, and groups of names.

    They are the statistics, and the mines that are left.

    Of a row: ``label``; ``decimals``; ``tree`` and ``defined`` of its formula; ``constant``: its value during the whole
    game, for numbers of the board; ``end``: the text of the stored value, which is shown at the end.
    """
    rows = {
        row.name: _row(row, replay)
        for row in (*(row for row in STATISTICS if row.kind is not StatKind.DERIVED), *in_order_of_need(DERIVED))
        if row.stored
    }
    rows[MINES_LEFT] = _mines_left(replay)
    groups = [[gettext(group), names] for group, names in _names_by_group()]
    shown = [row.name for row in STATISTICS if row.name in _FIRST]
    return {"rows": rows, "groups": groups, "shown": [*shown, MINES_LEFT]}


def shown_labels(viewer: User | None) -> list[str]:
    """The labels of the rows beside the film, in the order of ``film/counters.js``: what stands there until it is loaded.

    ``viewer``: whose choice and formulas hold.
    """
    settings = viewer.viewer_settings if viewer else {}
    shown = set(settings.get("rows", _FIRST | {MINES_LEFT}))
    names = [name for _title, names in _names_by_group() for name in names if name in shown]
    return [*(gettext(_label(name)) for name in names), *settings.get("formulas", [])]


def _names_by_group() -> list[tuple[str, list[str]]]:
    return [(group, [name for name in ROW_NAMES if _group(name) == group]) for group in GROUPS]


def _label(name: str) -> str:
    return _MINES_LEFT_LABEL if name == MINES_LEFT else BY_NAME[name].label


def _group(name: str) -> str:
    return PLAY if name == MINES_LEFT else BY_NAME[name].group


def _mines_left(replay: Replay) -> dict[str, object]:
    """Return the row of mines that have no flag yet, as clones count them: below 0 with too many flags."""
    mines, flags = replay.mines or 0, replay.statistic("flags")
    end = "" if flags is None else str(mines - int(flags))
    return {"label": gettext(_MINES_LEFT_LABEL), "decimals": 0, "end": end, "tree": ["-", float(mines), "flags"]}


def _row(row: Statistic, replay: Replay) -> dict[str, object]:
    value = replay.statistic(row.name)
    end = "" if value is None else shown_text(row, value, precision_ms=replay.time_precision_ms)
    known: dict[str, object] = {"label": gettext(row.label), "decimals": _decimals(row, replay), "end": end}
    if row.formula:
        known["tree"] = _formula(row, replay)
    if row.defined:
        known["defined"] = tree(row.defined)
    if row.kind is StatKind.BASE and row.group in (BOARD, ZINI):
        known["constant"] = value
    return known


def _formula(row: Statistic, replay: Replay) -> Tree:
    """The tree, with the constant of the level; on other levels it stays a name without a value."""
    found = tree(row.formula)
    constant = row.constants.get(Level(replay.level))
    return found if constant is None else _replaced(found, "K", constant)


def _replaced(of: Tree, name: str, value: float) -> Tree:
    if isinstance(of, list):
        return [_replaced(part, name, value) for part in of]
    return value if of == name else of


def _decimals(row: Statistic, replay: Replay) -> int:
    return time_decimals(replay.time_precision_ms) if row.name == "time" else row.decimals
