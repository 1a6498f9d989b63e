"""The list of replays: its query parameters, and its pages by keyset paging; each sort order has an index.

Only names and values that the parameters below accept reach the database.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Final

from django.conf import settings
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext as _

from analysis.formats import FORMATS
from analysis.limits import LEAST_COMPLETION_PERCENT
from analysis.recording import Level, Mode
from analysis.statistics import BY_ANY_NAME, FROM_COMPLETION, OF_CORPSES, STORED, Statistic
from analysis.time_convention import value_read
from players.db.keyset import Page, page_of
from players.leaderboards.boards import STYLE
from players.models import ALL_STYLES, MAX_ID, MAX_NAME_CHARS, User
from players.web.parameters import (
    DEFAULT_PAGE_SIZE,
    BadParameter,
    NeedsAccount,
    Parameter,
    Parsed,
    choice,
    integer,
    parse_finite,
    parse_id,
    text,
)
from replays.models import Replay
from replays.models.reactions import with_reactions

NEWEST: Final = "newest"
#: Statistics by which lists of lost games are sorted, and no others: of won games they say nothing, or only the time.
LOST_ONLY: Final = tuple(row for row in OF_CORPSES if not row.sortable)
#: Lists sorted by these leave out games with less solved than ``MINIMUM_COMPLETION``.
WITH_MINIMUM: Final = tuple(dict.fromkeys((*OF_CORPSES, *FROM_COMPLETION)))
SORT_ROWS: Final = tuple(row for row in STORED if row.sortable or row in LOST_ONLY)
#: Values of ``sort``: the newest first, or one of these statistics, ascending, or descending with "-".
SORTS: Final[tuple[str, ...]] = (NEWEST, *(f"{sign}{row.public}" for row in SORT_ROWS for sign in ("", "-")))
_SORTED: Final = {
    f"{sign}{name}": f"{sign}{row.public}" for row in SORT_ROWS for name in row.names for sign in ("", "-")
}
_EVERY_STATUS: Final = "any"
_ME: Final = "me"
_LARGEST_INTEGER: Final = 2**31 - 1  # of an integer column
_OWNED: Final = [value for value in Replay.Ownership.values if value not in Replay.NOT_OWNED]
_ENDS: Final = {"gte": "At least", "lte": "At most"}
_DATE_COLUMNS: Final = {"played": "played_at", "uploaded": "uploaded_at"}


def _number(row: Statistic, end: str) -> Parameter[float | int | None]:
    """``?time__gte=40``: the least or greatest value of a statistic."""

    def parse(given: str) -> float | int:
        number = parse_finite(given)
        if not row.integer:
            return number
        # PostgreSQL uses the index of an integer column only for an integer; n >= 2.5 is the same as n >= 3.
        whole = math.ceil(number) if end == "gte" else math.floor(number)
        return max(-_LARGEST_INTEGER, min(_LARGEST_INTEGER, whole))

    schema = {"type": "number", "format": "double"}
    name, *others = (f"{name}__{end}" for name in row.names)
    return Parameter(name, parse, None, schema, f"{_ENDS[end]}: {row.described}.", other_names=tuple(others))


def _date(name: str, end: str) -> Parameter[dict[str, datetime] | None]:
    """``?played__lte=2020-05-01``: a date (``lte``: including that day) or a datetime, in UTC unless it has a zone."""
    column = f"{_DATE_COLUMNS[name]}__{end}"

    def parse(given: str) -> dict[str, datetime]:
        try:
            day, when = parse_date(given), parse_datetime(given)
        except ValueError:  # well formed, but no such day
            day = when = None
        if day == date.max and end == "lte":
            return {column: datetime.max.replace(tzinfo=UTC)}
        if day is not None and end == "lte":
            return {f"{_DATE_COLUMNS[name]}__lt": datetime.combine(day + timedelta(days=1), time(), UTC)}
        if day is not None and end == "gte":
            return {column: datetime.combine(day, time(), UTC)}
        if day is not None or when is None:
            raise ValueError(_("Give a date as YYYY-MM-DD."))
        return {column: _in_utc(when)}

    schema = {"anyOf": [{"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}]}
    return Parameter(f"{name}__{end}", parse, None, schema, f"{_ENDS[end]}: {name}, a date or a datetime.")


def _in_utc(when: datetime) -> datetime:
    """``when`` in UTC, which it is taken for without a zone; the first or last one if UTC's is outside of the calendar."""
    if when.tzinfo is None:
        return when.replace(tzinfo=UTC)
    try:
        return when.astimezone(UTC)
    except OverflowError:
        return datetime.min.replace(tzinfo=UTC) if when.year == 1 else datetime.max.replace(tzinfo=UTC)


def _parse_uploader(given: str) -> int | str:
    return _ME if given == _ME else parse_id(given, "uploader")


_CHOICES: Final[tuple[Parameter[object], ...]] = (
    choice("level", tuple(Level), description="Only this level."),
    STYLE,
    choice("result", tuple(Replay.Result.values), description="How the game ended."),
    choice("mode", tuple(Mode), description="Rules of the game."),
    choice("format", tuple(module.NAME for module in FORMATS), description="Format of the file."),
    choice("evidence", tuple(Replay.Evidence.values), description="What stands behind the game; see /help/evidence/."),
    choice("judgement", tuple(Replay.Judgement.values), description="Whether and how it counts on leaderboards."),
)
_PLAYER: Final = integer("player", least=1, most=MAX_ID, description="Number of a player.")
_UPLOADER: Final = Parameter[int | str | None](
    "uploader",
    _parse_uploader,
    None,
    {"type": "string", "pattern": "^(me|[1-9][0-9]{0,17})$"},
    "Number of an account, or “me”, which needs an account.",
)
_NOT_OWNED: Final = "not_owned"
_OWNERSHIP: Final = choice(
    "ownership", (*(value for value in Replay.Ownership.values if value), _NOT_OWNED),
    description="What the owner of a claimed name says of games that others uploaded; “not_owned”: those that are not "
    "counted as theirs, which a list of one player leaves out without this filter.",
)  # fmt: skip
_SOFTWARE: Final = text(
    "software", most_chars=MAX_NAME_CHARS,
    description="The program that recorded the game, exactly as it names itself.",
)  # fmt: skip
_STATUS: Final = choice(
    "status", (*Replay.Status.values, _EVERY_STATUS),
    description="Replays that are not done are shown to their uploader and to staff; asking for them needs an account.",
)  # fmt: skip
_SORT: Final = choice(
    "sort",
    SORTS,
    aliases=_SORTED,
    description="“newest”, or a statistic, with “-” from high to low; needs a level. Sorted by "
    f"{', '.join(row.public for row in WITH_MINIMUM)}, the list leaves out games with too little solved "
    "(`min_completion` of boards of lost games); "
    f"{' and '.join(row.public for row in LOST_ONLY)} list lost games only.",
)
_NUMBERS: Final = tuple(_number(row, end) for row in STORED for end in _ENDS)
_DATES: Final = tuple(_date(name, end) for name in _DATE_COLUMNS for end in _ENDS)
#: Every parameter of the list except those of paging.
LIST_PARAMETERS: Final[tuple[Parameter[object], ...]] = (
    *_CHOICES, _STATUS, _SORT, _PLAYER, _UPLOADER, _OWNERSHIP, _SOFTWARE, *_NUMBERS, *_DATES,
)  # fmt: skip
_UNLISTED: Final = ("board", "findings", "reject_params")  # large, and shown on the page of one replay only
#: The columns (of seventy) that a line of the list shows, besides the statistic by which it is sorted.
_LINE: Final = (
    "level", "style", "status", "result", "ownership", "original_name", "uploaded_at", "time", "time_precision_ms", "bv", "bvs", "ioe",
    "player__name", "player__is_bot", "player__country",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReplayFilters:
    """``conditions``: lookups of the Replay table.  ``sort``: one of :data:`SORTS`."""

    conditions: dict[str, object]
    sort: str

    @property
    def sorted_by(self) -> Statistic | None:
        """The statistic of ``sort``; None for the newest first."""
        return None if self.sort == NEWEST else BY_ANY_NAME[self.sort.removeprefix("-")]


def replay_filters(values: Parsed, viewer: User | None) -> ReplayFilters:
    """The filters of parsed parameters (those of :data:`LIST_PARAMETERS`; missing ones filter nothing).

    Raises ``NeedsAccount`` for filters that need a ``viewer``, and ``BadParameter`` for a sort that needs a level.
    """
    conditions: dict[str, object] = {}
    sign_in: dict[str, str] = {}
    for name, parse in (("uploader", _uploader), ("status", _status)):
        try:
            conditions |= parse(values.get(name), viewer)
        except ValueError as error:
            sign_in[name] = str(error)
    if sign_in:
        raise NeedsAccount(sign_in)
    sort = values.get("sort") or NEWEST
    if sort != NEWEST and not values.get("level"):
        raise BadParameter({"sort": _("Sorting by a statistic needs a level.")})
    filters = ReplayFilters(conditions | dict(_plain_conditions(values)), sort)
    if filters.sorted_by in LOST_ONLY and values.get("result") not in (None, "", Replay.Result.LOST):
        raise BadParameter({"sort": _("Only lost games are sorted by this. Choose the result “lost”.")})
    return filters


def replay_list(
    filters: ReplayFilters, *, cursor: str | None = None, size: int = DEFAULT_PAGE_SIZE, lines: bool = False
) -> Page[Replay]:
    """A page of the replays that match ``filters``, in the order of its ``sort``, with their reactions.  One query.

    ``lines``: load only the columns of a line of the list.  Raises ``players.db.keyset.BadCursor``.
    """
    whole = Replay.objects.select_related("player")
    rows = with_reactions(whole.only(*_LINE) if lines else whole.defer(*_UNLISTED)).filter(**filters.conditions)
    row = filters.sorted_by
    if row is None:
        return page_of(rows, ("-id",), cursor, size)
    name, sign = row.name, "-" if filters.sort.startswith("-") else ""
    # The conditions of the partial index of this statistic.
    rows = rows.filter(status=Replay.Status.DONE, **{f"{name}__isnull": False})
    if row in WITH_MINIMUM:
        # The first is that of the index, word for word, as SQLite wants it.
        rows = rows.filter(completion__gte=LEAST_COMPLETION_PERCENT / 100)
        rows = rows.filter(completion__gte=settings.MINIMUM_COMPLETION / 100)
    if row in LOST_ONLY:
        rows = rows.filter(result=Replay.Result.LOST)
    if lines:
        rows = rows.only(*_LINE, name)
    return page_of(rows, (f"{sign}{name}", f"{sign}id"), cursor, size)


def on_readers_clock(values: Parsed, *, from_one: bool) -> Parsed:
    """``values`` with the ends of times as recorded, from 0; ``from_one``: the reader wrote them on a clock from 1."""
    read = {
        f"{row.public}__{end}": type(value)(value_read(row, Decimal(repr(value)), from_one=from_one))
        for row in STORED
        for end in _ENDS
        if (value := values.get(f"{row.public}__{end}")) is not None
    }
    return {**values, **read}


def _plain_conditions(values: Parsed) -> Iterator[tuple[str, object]]:
    for parameter in (*_CHOICES, _PLAYER, _SOFTWARE):
        value = values.get(parameter.name)
        if value not in (None, "", ALL_STYLES):
            yield parameter.name, value
    for row in STORED:
        for end in _ENDS:
            if (value := values.get(f"{row.public}__{end}")) is not None:
                yield f"{row.name}__{end}", value
    yield from _ownership(values.get("ownership"), values.get("player")).items()
    for parameter in _DATES:
        yield from (values.get(parameter.name) or {}).items()


def _status(status: str | None, viewer: User | None) -> dict[str, object]:
    """Replays that are not done are visible only to their uploader and to staff."""
    if status in (None, Replay.Status.DONE):
        return {"status": Replay.Status.DONE}
    condition: dict[str, object] = {} if status == _EVERY_STATUS else {"status": status}
    if viewer is None:
        raise ValueError(_("Sign in to see uploads that are not done."))
    return condition if viewer.acts_as_staff else condition | {"uploader_id": viewer.pk}


def _ownership(ownership: str | None, player: int | None) -> dict[str, object]:
    if ownership == _NOT_OWNED:
        return {"ownership__in": Replay.NOT_OWNED}
    if ownership:
        return {"ownership": ownership}
    return {} if player is None else {"ownership__in": _OWNED}


def _uploader(uploader: int | str | None, viewer: User | None) -> dict[str, object]:
    if uploader is None:
        return {}
    if uploader != _ME:
        return {"uploader": uploader}
    if viewer is None:
        raise ValueError(_("Sign in to see your own uploads."))
    return {"uploader": viewer.pk}
