"""Sources of the statistics: each row of the registry names the one that defines it."""

from __future__ import annotations

from typing import Final, NamedTuple


def N_(text: str) -> str:  # noqa: N802 - the conventional gettext marker: text is translated where it is shown
    """Mark ``text`` for the translation catalogue."""
    return text


class Source(NamedTuple):
    """A short ``name``, a ``title`` and a public ``address``; "" where none is known."""

    name: str
    title: str
    address: str = ""


PAGE: Final = Source(
    N_("community data page"),
    N_("Names and formulas from the community's data page. Clicks are counted as in Minesweeper Arbiter."),
)
ORIGINATORS: Final = Source(
    N_("ZiNi's authors"),
    N_("Elmar Zimmermann and Christoph Nikolaus, on the Authoritative Minesweeper forum, 30 July 2009."),
    "https://minesweepergame.com/forum/viewtopic.php?f=15&t=70",
)
LIBRARY: Final = Source(N_("reference library"), N_("ms_toollib, the library behind Open Minesweeper (openms.top)."))
OWN: Final = Source(N_("Sweepbook"), N_("Our own definition."))

SOURCES: Final = (PAGE, ORIGINATORS, LIBRARY, OWN)
