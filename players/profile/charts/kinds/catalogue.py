"""Every chart of a player by its name in addresses, in the order of the pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.profile.charts.chart import Chart
from players.profile.charts.kinds import activity, months, results, wins
from players.profile.charts.request import ChartQuery
from players.web.errors import UnknownAddress


@dataclass(frozen=True, slots=True)
class Kind:
    """A chart: its name in addresses, its title, the parameters that it takes, and the function that makes it.

    ``needs_level``: it is of one level always, without a parameter of the hardest that the player has.
    """

    name: str
    title: Promise
    takes: tuple[str, ...]
    build: Callable[[ChartQuery], Chart]
    needs_level: bool = True


_BOARD: Final = ("level", "style", "statistic", "zone")
_GAMES: Final = ("level", "style", "zone")

KINDS: Final[dict[str, Kind]] = {
    kind.name: kind
    for kind in (
        Kind("progress", gettext_lazy("Personal bests over time"), _BOARD, results.progress),
        Kind("distribution", gettext_lazy("Time distribution"), ("level", "style"), wins.distribution),
        Kind("time-by-3bv", gettext_lazy("Time against 3BV"), ("level", "style"), wins.time_by_3bv),
        Kind("rolling", gettext_lazy("Recent form"), _GAMES, results.rolling),
        Kind("speed", gettext_lazy("Speed and efficiency"), ("level", "style"), wins.speed),
        Kind("losses", gettext_lazy("Progress in lost games"), ("level",), months.losses, needs_level=False),
        Kind("calendar", gettext_lazy("Calendar"), ("year", "zone"), activity.calendar, needs_level=False),
        Kind("hours", gettext_lazy("Hours and days of the week"), ("level", "zone"), activity.hours, needs_level=False),
        Kind("wins", gettext_lazy("Games and win rate"), ("level", "zone"), months.wins, needs_level=False),
        Kind("accuracy", gettext_lazy("Accuracy by month"), ("level", "zone"), months.accuracy),
    )
}


class UnknownChart(UnknownAddress):
    """There is no chart of this name (404)."""


def kind_of(name: str) -> Kind:
    """Raise :class:`UnknownChart` if there is none."""
    if name not in KINDS:
        raise UnknownChart(_("The chart “%(name)s” doesn't exist.") % {"name": name})
    return KINDS[name]
