from __future__ import annotations

from typing import Final

from analysis.formulas import BadFormula
from players.models import User
from players.web.api import Values
from replays.watch.film.counters import own_formula

LAYERS: Final = ("bv", "openings", "heat", "odds", "zini")
TRAILS: Final = ("all", "recent", "click", "off")
LEAST_RATE, MOST_RATE = 0.05, 16.0
#: Rows of one's own, as ``film/counters.js`` has it.
MOST_FORMULAS: Final = 20


def settings_of(user: User) -> Values:
    """The settings for ``film/viewer.js``; formulas with their trees.  {}: nothing was ever set."""
    values: Values = dict(user.viewer_settings)
    formulas = values.pop("formulas", None)
    if formulas is not None:
        values["own"] = [row for text in formulas if (row := _row(text)) is not None]  # type: ignore[attr-defined]
    return values


def _row(text: str) -> Values | None:
    """A formula with its tree; None if it uses a name that the registry has lost since it was stored."""
    try:
        return {"text": text, "tree": own_formula(text)}
    except BadFormula:
        return None
