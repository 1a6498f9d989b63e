from __future__ import annotations

import datetime
import zoneinfo
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from analysis.statistics import BY_NAME, RANKED, Statistic
from analysis.time_convention import number_text
from players.leaderboards.boards import HARDEST_FIRST, ON_LEVEL, STYLE
from players.leaderboards.filters import FIRST_YEAR, LAST_YEAR
from players.models import ALL_STYLES, PersonalBest, Player
from players.web.clock import shown_text, shown_value
from players.web.parameters import BadParameter, Parameter, Parsed, choice, integer
from players.web.statistic_names import public_name, statistic_choice


@cache
def _zone_names() -> Collection[str]:
    return frozenset(zoneinfo.available_timezones())


#: PostgreSQL takes these names for abbreviations, without summer time; in the database of time zones they are links.
_LINKS: Final = {"CET": "Europe/Brussels", "MET": "Europe/Brussels", "EET": "Europe/Athens", "WET": "Europe/Lisbon"}


def zone_of(name: str) -> ZoneInfo:
    """The time zone ``name``, by a name that means the same to the database."""
    return ZoneInfo(_LINKS.get(name, name))


def _parse_zone(text: str) -> str:
    if text not in _zone_names():
        raise ValueError(_("This time zone doesn't exist."))
    return text


ZONE: Final = Parameter[str | None](
    "zone", _parse_zone, None, {"type": "string"},
    "Time zone of days and hours, as Europe/Berlin; without it that of the account, or UTC.",
)  # fmt: skip
LEVEL: Final = choice("level", tuple(ON_LEVEL), description="Level of the games.")
STATISTIC: Final = statistic_choice("statistic", RANKED, default="time", description="A ranked statistic.")
YEAR: Final = integer("year", least=FIRST_YEAR, most=LAST_YEAR, description="Year of the calendar.")

PARAMETERS: Final[tuple[Parameter[Any], ...]] = (LEVEL, STYLE, STATISTIC, YEAR, ZONE)


@dataclass(frozen=True, slots=True)
class ChartQuery:
    """``level`` is None where every level is meant."""

    player: Player
    zone: ZoneInfo
    level: str | None = None
    style: str = ALL_STYLES
    statistic: str = "time"
    year: int | None = None

    @property
    def row(self) -> Statistic:
        return BY_NAME[self.statistic]

    @property
    def ranked_level(self) -> str:
        assert self.level is not None  # noqa: S101 - ``chart_query`` sets it for these charts
        return self.level

    def local(self, at: datetime.datetime) -> datetime.datetime:
        """Return ``at`` in the zone asked for; a naive one as it is."""
        return at.astimezone(self.zone) if at.tzinfo else at

    def value(self, row: Statistic, precisions: Mapping[float, int | None] | None = None) -> Callable[[float], str]:
        """A function that writes values of ``row`` on the visitor's clock.

        ``precisions``: in milliseconds, of the clocks of games by their values; others are shown with every decimal.
        """
        known = precisions or {}
        return lambda value: shown_text(row, value, precision_ms=known.get(value))

    def label(self, row: Statistic) -> Callable[[float, int], str]:
        return lambda value, decimals: number_text(shown_value(row, value), decimals)

    def games_address(self, **filters: object) -> str:
        """The list of the player's games with ``filters``."""
        return f"{reverse('replays')}?{urlencode({'player': self.player.pk, **filters})}"


def chart_query(player: Player, values: Parsed, *, takes: Collection[str], needs_level: bool) -> ChartQuery:
    """Make the query of a chart that ``takes`` some of the parsed parameters ``values``."""
    used = {name: value for name, value in values.items() if name in takes and value is not None}
    zone = zone_of(used.pop("zone") if "zone" in used else timezone.get_current_timezone_name())
    if needs_level and "level" not in used:
        used["level"] = hardest_level(player.pk)
    if "statistic" in used and "level" in used:
        _check_ranked(used["level"], used["statistic"])
    return ChartQuery(player, zone, **used)


def hardest_level(player_id: int) -> str:
    """The hardest level on which the player has ranked games; Expert without any."""
    bests = PersonalBest.objects.filter(player=player_id, statistic="time", style=ALL_STYLES)
    found = set(bests.values_list("level", flat=True))
    return next((level for level in HARDEST_FIRST if level in found), HARDEST_FIRST[0])


def _check_ranked(level: str, statistic: str) -> None:
    if all(row.name != statistic for row in ON_LEVEL[level]):
        raise BadParameter(
            {"statistic": _("“%(statistic)s” has no leaderboard here.") % {"statistic": public_name(statistic)}}
        )
