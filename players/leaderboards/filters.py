"""Board filters: a period, a past day, a country, a minimum 3BV, the average of the best k games, and lost games.

They are written in the query string, ``?period=2019-05&country=PL``, with the same parameters in pages and API;
boards of lost games have addresses of their own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _

from players.people.countries import country_names
from players.web.parameters import BadParameter, Parameter, Parsed, integer

ACTIVE: Final = "active"
#: The community's list of active players has covered two weeks at a time since this Saturday.
FIRST_FORTNIGHT: Final = date(2002, 1, 19)
FORTNIGHT: Final = timedelta(days=14)
FIRST_YEAR: Final = 1989
LAST_YEAR: Final = 2100
MAX_MIN_BV: Final = 999
MAX_BEST_OF: Final = 100
#: The games of the average that Chinese sites rank by, as X.5.
X5: Final = 5

_YEAR: Final = re.compile(r"[0-9]{4}")
_MONTH: Final = re.compile(r"([0-9]{4})-([0-9]{2})")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_COUNTRY: Final = re.compile(r"[A-Z]{2}")


@dataclass(frozen=True, slots=True)
class Period:
    """From ``since`` to before ``until``; ``text``: the parameter as it was written."""

    since: datetime
    until: datetime
    text: str


@dataclass(frozen=True, slots=True)
class BoardFilter:
    """Games that count on a board: achieved from ``since`` to before ``until`` and played from ``since`` on, as far as the
    file says it (``stated_dates.stated_from``), with at least ``min_bv`` 3BV (0: the
    site's minimum), by players of ``country`` ("": any).  ``best_of`` > 1: a player's value is the average of their
    ``best_of`` best games.  ``lost``: lost games count, instead of won ones.  ``period`` and ``as_of``: the
    parameters that gave ``since`` and ``until``, as text.
    """

    since: datetime | None = None
    until: datetime | None = None
    country: str = ""
    min_bv: int = 0
    best_of: int = 1
    period: str = ""
    as_of: str = ""
    lost: bool = False

    @property
    def is_empty(self) -> bool:
        return self == UNFILTERED

    @property
    def needs_games(self) -> bool:
        """Whether ranked games have to be read; else personal bests are enough."""
        return bool(self.since or self.until or self.min_bv or self.best_of > 1 or self.lost)

    @property
    def is_only_as_of(self) -> bool:
        """Whether it selects the board as of a past day, perhaps of one country, and nothing else."""
        return replace(self, until=None, as_of="", country="").is_empty and self.until is not None

    def parameters(self) -> dict[str, str]:
        """The query parameters of this filter; those that filter nothing are left out, and ``lost``, which has none."""
        given = {
            "period": self.period, "as_of": self.as_of, "country": self.country,
            "min_3bv": str(self.min_bv or ""), "best_of": str(self.best_of) if self.best_of > 1 else "",
        }  # fmt: skip
        return {name: text for name, text in given.items() if text}


UNFILTERED: Final = BoardFilter()
LOST_GAMES: Final = BoardFilter(lost=True)


def board_filter(values: Parsed, *, combined: bool = False, lost: bool = False) -> BoardFilter:
    """The filter of parsed parameters (those of :data:`FILTERS`; missing ones filter nothing).

    ``combined``: of a combined board, on which a minimum 3BV makes no sense; ``lost``: of a board of lost games.
    Raises ``BadParameter``.
    """
    period, as_of = values.get("period"), values.get("as_of")
    min_bv, best_of = values.get("min_3bv") or 0, values.get("best_of") or 1
    if min_bv and combined:
        raise BadParameter({"min_3bv": _("You can't set a minimum 3BV on a combined leaderboard.")})
    until = None if period is None else period.until
    if as_of is not None:
        end = _midnight(as_of + timedelta(days=1)) if as_of < date.max else datetime.max.replace(tzinfo=UTC)
        until = end if until is None else min(until, end)
    return BoardFilter(
        None if period is None else period.since, until, values.get("country") or "", min_bv, best_of,
        "" if period is None else period.text, "" if as_of is None else as_of.isoformat(), lost,
    )  # fmt: skip


def fortnight_of(day: date) -> date:
    """The first day of the two weeks that ``day`` belongs to."""
    return day - (day - FIRST_FORTNIGHT) % FORTNIGHT


# --- parsers ----------------------------------------------------------------------------------------------------------


def parse_period(text: str) -> Period:
    """A year, a month, two weeks by their first day, or "active": the current two weeks; raises ``ValueError``."""
    if text == ACTIVE:
        return _fortnight(fortnight_of(timezone.now().date()), text)
    if _YEAR.fullmatch(text):
        year = _checked_year(int(text))
        return Period(_midnight(date(year, 1, 1)), _midnight(date(year + 1, 1, 1)), text)
    if month := _MONTH.fullmatch(text):
        return _month(_checked_year(int(month[1])), int(month[2]), text)
    first = _day(text, _("Enter the period as a year, a month or a day (2019, 2019-05 or 2019-05-01), or as “active”."))
    _checked_year(first.year)
    if fortnight_of(first) != first:
        raise ValueError(
            _("There's no two-week period starting on %(day)s. The one that includes this day starts on %(first)s.")
            % {"first": fortnight_of(first), "day": first}
        )
    return _fortnight(first, text)


def parse_as_of(text: str) -> date:
    return _day(text, _("Enter the day as YYYY-MM-DD, for example 2019-05-01."))


def parse_country(text: str) -> str:
    code = text.upper()
    if _COUNTRY.fullmatch(code) is None:
        raise ValueError(_("Enter the country as a two-letter code, such as DE."))
    if code not in country_names():
        raise ValueError(_("The country %(code)s doesn't exist.") % {"code": code})
    return code


def _fortnight(first: date, text: str) -> Period:
    return Period(_midnight(first), _midnight(first + FORTNIGHT), text)


def _month(year: int, month: int, text: str) -> Period:
    if not 1 <= month <= 12:
        raise ValueError(_("The month %(month)s doesn't exist.") % {"month": month})
    following = date(year + month // 12, month % 12 + 1, 1)
    return Period(_midnight(date(year, month, 1)), _midnight(following), text)


def _checked_year(year: int) -> int:
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise ValueError(
            _("The year must be between %(first)d and %(last)d.") % {"first": FIRST_YEAR, "last": LAST_YEAR}
        )
    return year


def _day(text: str, expected: str) -> date:
    try:
        day = date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:  # well formed, but no such day
        day = None
    if day is None:
        raise ValueError(expected)
    return day


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


# --- parameters -------------------------------------------------------------------------------------------------------

PERIOD: Final = Parameter[Period | None](
    "period", parse_period, None,
    {"type": "string", "pattern": "^(active|(1989|199[0-9]|20[0-9]{2}|2100)(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?)$"},
    "2019, 2019-05, the first day of two weeks as 2019-05-11 (a refusal names the nearest), or active (the current two weeks). Games count if they were both played and uploaded then.",
)  # fmt: skip
AS_OF: Final = Parameter[date | None](
    "as_of", parse_as_of, None, {"type": "string", "format": "date"},
    "The board as it stood at the end of a day (UTC), as 2019-05-01.",
)  # fmt: skip
COUNTRY: Final = Parameter[str](
    "country", parse_country, "", {"type": "string", "pattern": "^[A-Za-z]{2}$"}, "Two letters."
)
MIN_3BV: Final = integer(
    "min_3bv", least=0, most=MAX_MIN_BV, description="Only games of at least so many 3BV; not on sums of levels."
)
BEST_OF: Final = integer(
    "best_of", least=1, most=MAX_BEST_OF, description="A player's value is the mean of so many best games."
)
#: In the order in which query strings are written.
FILTERS: Final[tuple[Parameter[object], ...]] = (PERIOD, AS_OF, COUNTRY, MIN_3BV, BEST_OF)
