"""What a visitor may ask of the list of replays, and nothing else.

Names and values are checked against the tables below; an unknown name is an error and never reaches the database.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext as _

from analysis.analyse import Style
from analysis.formats import FORMATS
from analysis.recording import Level, Mode
from analysis.statistics import RANKED, STORED
from players.models import MAX_NAME_CHARS, User
from replays.models import Replay

NEWEST = "newest"
#: Names of ``sort``: the newest first, or a ranked statistic, ascending, or descending with "-".
SORT_NAMES: tuple[str, ...] = (NEWEST, *(f"{sign}{row.name}" for row in RANKED for sign in ("", "-")))
_EVERY_STATUS = "any"
_ME = "me"
_LARGEST_ID = 2**63 - 1
_LARGEST_INTEGER = 2**31 - 1  # of an integer column
_NUMBERS = {f"{row.name}__{end}": row for row in STORED for end in ("gte", "lte")}
_DATES = {
    f"{name}__{end}": f"{column}__{end}"
    for name, column in (("played", "played_at"), ("uploaded", "uploaded_at"))
    for end in ("gte", "lte")
}
#: Filters that take one of a few words.
FILTER_CHOICES: dict[str, tuple[str, ...]] = {
    "level": tuple(Level),
    "style": tuple(Style),
    "result": tuple(Replay.Result.values),
    "mode": tuple(Mode),
    "format": tuple(module.NAME for module in FORMATS),
    "status": (*Replay.Status.values, _EVERY_STATUS),
    "sort": SORT_NAMES,
}


class FilterError(ValueError):
    """The request asks for something that is not on offer; ``errors`` holds a sentence by name."""

    def __init__(self, errors: dict[str, str]) -> None:
        super().__init__(" ".join(f"{name}: {text}" for name, text in errors.items()))
        self.errors = errors


@dataclass(frozen=True, slots=True)
class ReplayFilters:
    """Filters that have been checked.

    ``conditions``: lookups of the Replay table.  ``sort``: one of :data:`SORT_NAMES`.  ``status``: one of
    ``Replay.Status``, or "any".  ``given``: the parameters as they came, for forms and links.
    """

    conditions: dict[str, Any] = field(default_factory=dict)
    sort: str = NEWEST
    status: str = Replay.Status.DONE
    given: dict[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, parameters: Mapping[str, Any], viewer: User | None) -> ReplayFilters:
        """Check ``parameters`` (a QueryDict or a dict); empty ones are ignored.  Raises :class:`FilterError`."""
        given = {name: str(parameters[name]).strip() for name in parameters}
        given = {name: value for name, value in given.items() if value}
        conditions: dict[str, Any] = {}
        errors: dict[str, str] = {}
        for name, text in given.items():
            reader = _READERS.get(name)
            try:
                if reader is None:
                    raise ValueError(_("There is no such filter."))
                conditions.update(reader(name, text, viewer))
            except ValueError as error:
                errors[name] = str(error)
        sort = str(given.get("sort", NEWEST))
        if sort != NEWEST and "level" not in given and "sort" not in errors:
            errors["sort"] = _("Sorting by a statistic needs a level.")
        if errors:
            raise FilterError(errors)
        return cls(conditions, sort, given.get("status", Replay.Status.DONE), given)


Reader = Callable[[str, str, User | None], dict[str, Any]]


def _choice(name: str, text: str, viewer: User | None) -> dict[str, Any]:
    if text not in FILTER_CHOICES[name]:
        raise ValueError(_("Choose one of: %(choices)s.") % {"choices": ", ".join(FILTER_CHOICES[name])})
    if name == "status":
        return _status(text, viewer)
    return {} if name == "sort" else {name: text}


def _status(text: str, viewer: User | None) -> dict[str, Any]:
    """Replays that are not done belong to who uploaded them, and to staff."""
    condition = {} if text == _EVERY_STATUS else {"status": text}
    if text == Replay.Status.DONE or (viewer is not None and viewer.is_staff):
        return condition
    if viewer is None:
        raise ValueError(_("Sign in to see uploads that are not done."))
    return condition | {"uploader_id": viewer.pk}


def _person(name: str, text: str, viewer: User | None) -> dict[str, Any]:
    if name == "uploader" and text == _ME:
        if viewer is None:
            raise ValueError(_("Sign in to see your own uploads."))
        return {"uploader": viewer.pk}
    if not (text.isascii() and text.isdigit() and int(text) <= _LARGEST_ID):
        raise ValueError(_("Give the number of a player or an account."))
    return {name: int(text)}


def _software(name: str, text: str, viewer: User | None) -> dict[str, Any]:
    if len(text) > MAX_NAME_CHARS or "\0" in text:
        raise ValueError(_("There is no such program."))
    return {"software": text}


def _number(name: str, text: str, viewer: User | None) -> dict[str, Any]:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(_("Give a number."))
    if not _NUMBERS[name].integer:
        return {name: number}
    # An integer column is compared with an integer that its index understands; 3 <= n is the same as 2.5 <= n.
    whole = math.ceil(number) if name.endswith("__gte") else math.floor(number)
    return {name: max(-_LARGEST_INTEGER, min(_LARGEST_INTEGER, whole))}


def _date(name: str, text: str, viewer: User | None) -> dict[str, Any]:
    """A date (``lte``: with its whole day) or a moment, in UTC unless it says otherwise."""
    try:
        day, moment = parse_date(text), parse_datetime(text)
    except ValueError:  # well formed, but no such day
        day = moment = None
    column = _DATES[name]
    if day is not None and name.endswith("__lte"):
        if day == date.max:
            raise ValueError(_("Give a date as YYYY-MM-DD."))
        return {column.replace("__lte", "__lt"): datetime.combine(day + timedelta(days=1), time(), UTC)}
    if day is not None:
        return {column: datetime.combine(day, time(), UTC)}
    if moment is None:
        raise ValueError(_("Give a date as YYYY-MM-DD."))
    try:
        return {column: moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)}
    except OverflowError as error:  # a moment of the first or last day, whose day in UTC no calendar holds
        raise ValueError(_("Give a date as YYYY-MM-DD.")) from error


_READERS: dict[str, Reader] = {
    **dict.fromkeys(FILTER_CHOICES, _choice),
    "player": _person,
    "uploader": _person,
    "software": _software,
    **dict.fromkeys(_NUMBERS, _number),
    **dict.fromkeys(_DATES, _date),
}
FILTER_NAMES: tuple[str, ...] = tuple(_READERS)
