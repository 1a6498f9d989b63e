"""What narrows a board: a period, the state on some day, a country, a least 3BV, and the mean of the best k games.

A frame is written in the query of an address, ``?period=2019-05&country=PL``; the same words serve pages and API.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _

#: Names of the parameters, in the order in which addresses carry them.
PARAMETERS: Final = ("period", "as_of", "country", "min_3bv", "best_of")
ACTIVE: Final = "active"
#: The community has listed who is active in steps of two weeks since this Saturday.
FIRST_FORTNIGHT: Final = date(2002, 1, 19)
FORTNIGHT: Final = timedelta(days=14)
FIRST_YEAR: Final = 1989
LAST_YEAR: Final = 2100
MAX_MIN_BV: Final = 999
MAX_BEST_OF: Final = 100

_YEAR: Final = re.compile(r"[0-9]{4}")
_MONTH: Final = re.compile(r"([0-9]{4})-([0-9]{2})")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_COUNTRY: Final = re.compile(r"[A-Z]{2}")
_WHOLE: Final = re.compile(r"[0-9]{1,6}")


class BadFrame(ValueError):
    """A parameter that no board can have; the visitor's mistake (400), and the text says which."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The games that a board takes: achieved from ``since`` to before ``until``, with at least ``min_bv`` 3BV (0: the
    site's own minimum), by players of ``country`` ("": all).  ``best_of`` > 1: a player's value is the mean of so
    many best games.  ``period`` and ``as_of`` are the words of the address behind both moments.
    """

    since: datetime | None = None
    until: datetime | None = None
    country: str = ""
    min_bv: int = 0
    best_of: int = 1
    period: str = ""
    as_of: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether it leaves nothing out: the board as it always is."""
        return self == WHOLE

    @property
    def games_matter(self) -> bool:
        """Whether all ranked games have to be looked at, and not only bests."""
        return bool(self.since or self.until or self.min_bv or self.best_of > 1)

    @property
    def only_until(self) -> bool:
        """Whether it asks how a board stood on some day, of everybody or of a country, and for nothing else."""
        return replace(self, until=None, as_of="", country="").is_whole and self.until is not None

    def parameters(self) -> dict[str, str]:
        """The parameters of an address that lead here; those that leave nothing out are left out."""
        given = {
            "period": self.period, "as_of": self.as_of, "country": self.country,
            "min_3bv": str(self.min_bv or ""), "best_of": str(self.best_of) if self.best_of > 1 else "",
        }  # fmt: skip
        return {name: text for name, text in given.items() if text}


WHOLE: Final = Frame()


def frame_of(parameters: Mapping[str, str], *, combined: bool = False) -> Frame:
    """The frame that ``parameters`` (others are passed over) describe; raises :class:`BadFrame`.

    ``combined``: of a sum over levels, on which no single 3BV makes sense.
    """
    period, as_of, country, min_bv, best_of = (parameters.get(name, "").strip() for name in PARAMETERS)
    since, until = _period(period)
    if as_of:
        end = _midnight(_day(as_of, "as_of") + timedelta(days=1))
        until = end if until is None else min(until, end)
    if min_bv and combined:
        raise BadFrame(_("A sum of levels has no least 3BV."))
    return Frame(
        since, until, _country(country), _number(min_bv, "min_3bv", 0, MAX_MIN_BV),
        _number(best_of, "best_of", 1, MAX_BEST_OF), period, as_of,
    )  # fmt: skip


def fortnight_of(day: date) -> date:
    """The first day of the two weeks that ``day`` belongs to."""
    return day - (day - FIRST_FORTNIGHT) % FORTNIGHT


def _period(text: str) -> tuple[datetime | None, datetime | None]:
    if not text:
        return None, None
    if text == ACTIVE:
        return _fortnight(fortnight_of(timezone.now().date()))
    if _YEAR.fullmatch(text):
        year = _year(int(text))
        return _midnight(date(year, 1, 1)), _midnight(date(year + 1, 1, 1))
    if month := _MONTH.fullmatch(text):
        return _month(_year(int(month[1])), int(month[2]))
    first = _day(text, "period")
    if fortnight_of(first) != first:
        raise BadFrame(
            _("Two weeks begin on %(first)s, not on %(day)s.") % {"first": fortnight_of(first), "day": first}
        )
    return _fortnight(first)


def _fortnight(first: date) -> tuple[datetime, datetime]:
    return _midnight(first), _midnight(first + FORTNIGHT)


def _month(year: int, month: int) -> tuple[datetime, datetime]:
    if not 1 <= month <= 12:
        raise BadFrame(_("There is no month %(month)s.") % {"month": month})
    following = date(year + month // 12, month % 12 + 1, 1)
    return _midnight(date(year, month, 1)), _midnight(following)


def _year(year: int) -> int:
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise BadFrame(
            _("The year must lie between %(first)d and %(last)d.") % {"first": FIRST_YEAR, "last": LAST_YEAR}
        )
    return year


def _day(text: str, name: str) -> date:
    try:
        if not _DAY.fullmatch(text):
            raise ValueError
        day = date.fromisoformat(text)
    except ValueError as error:
        raise BadFrame(
            _("%(name)s is written as 2019, 2019-05, 2019-05-01 or active.") % {"name": name}
            if name == "period"
            else _("%(name)s is a day, written as 2019-05-01.") % {"name": name}
        ) from error
    _year(day.year)
    return day


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _country(text: str) -> str:
    if text and not _COUNTRY.fullmatch(text.upper()):
        raise BadFrame(_("A country is written with two letters, as in DE."))
    return text.upper()


def _number(text: str, name: str, least: int, most: int) -> int:
    if not text:
        return least
    if not _WHOLE.fullmatch(text) or not least <= int(text) <= most:
        raise BadFrame(
            _("%(name)s must lie between %(least)d and %(most)d.") % {"name": name, "least": least, "most": most}
        )
    return int(text)
