from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _

from players.models import MAX_ID
from players.web.parameters import Parameter, choice, integer, parse_id
from replays.watch.compare.picks import PICKS


def _parse_second(text: str) -> int | str:
    if text in PICKS:
        return text
    try:
        return parse_id(text, "b")
    except ValueError as error:
        words = ", ".join(PICKS)
        raise ValueError(_("b must be a replay number or one of: %(words)s.") % {"words": words}) from error


FIRST: Final = integer("a", least=1, most=MAX_ID, description="Number of the first replay.")
SECOND: Final[Parameter[int | str | None]] = Parameter(
    "b", _parse_second, None, {"type": "string", "pattern": f"^([1-9][0-9]{{0,17}}|{'|'.join(PICKS)})$"},
    "Number of the second replay, or what it is to the first: the record of the level, the best game of its player, the "
    "best one before it, or the best of the rival just above.",
)  # fmt: skip
ALIGN: Final = choice("align", ("clock", "progress", "own"), default="clock")
LAYOUT: Final = choice("layout", ("side", "ghost", "graph"), default="side")
