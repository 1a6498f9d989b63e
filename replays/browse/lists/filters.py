"""The list of replays: its query parameters, and its pages by keyset paging; each sort order has an index.

Only names and values that the parameters below accept reach the database.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import Final

from django.conf import settings
from django.db.models import Q
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext as _

from analysis.formats import FORMATS
from analysis.recording import Level, Mode
from analysis.statistics import BY_ANY_NAME, FROM_COMPLETION, OF_CORPSES, RANKED, STORED, Statistic
from analysis.time_convention import last_second_of_sub
from players.db.keyset import Page, page_of
from players.leaderboards.boards import MAX_SUB, MIN_SUB, STYLES
from players.leaderboards.filters import COUNTRY
from players.models import ALL_STYLES, MAX_NAME_CHARS, User
from players.web.parameters import (
    DEFAULT_PAGE_SIZE,
    BadParameter,
    NeedsAccount,
    Parameter,
    Parsed,
    choice,
    choices,
    ids,
    integer,
    list_pattern,
    parse_finite,
    parse_id,
    text,
    yes_or_no,
)
from replays.models import Replay
from replays.models.reactions import with_reactions

NEWEST: Final = "newest"
#: Orders that need no level, with their columns; "achieved": by the date that counts on boards, "updated": by when the
#: row last changed.
PLAIN_SORTS: Final = {
    NEWEST: ("-id",), "oldest": ("id",), "-achieved": ("-achieved_at", "-id"), "achieved": ("achieved_at", "id"),
    "-updated": ("-updated_at", "-id"), "updated": ("updated_at", "id"),
}  # fmt: skip
_BY_DATE: Final = ("achieved", "-achieved")
_BY_UPDATE: Final = ("updated", "-updated")
#: Statistics by which lists of lost games are sorted, and no others: of won games they say nothing, or only the time.
LOST_ONLY: Final = tuple(row for row in OF_CORPSES if not row.sortable)
#: Lists sorted by these leave out games with less solved than ``MINIMUM_COMPLETION``.
WITH_MINIMUM: Final = tuple(dict.fromkeys((*OF_CORPSES, *FROM_COMPLETION)))
#: Lists sorted by these have games of one result, won ones unless another is asked for: else they began with games that
#: were lost by their first click.
OF_ONE_RESULT: Final = tuple(row for row in RANKED if row not in WITH_MINIMUM)
SORT_ROWS: Final = tuple(row for row in STORED if row.sortable or row in LOST_ONLY)
#: Values of ``sort``: one of the plain ones, or one of these statistics, ascending, or descending with "-".
SORTS: Final[tuple[str, ...]] = (*PLAIN_SORTS, *(f"{sign}{row.public}" for row in SORT_ROWS for sign in ("", "-")))
_SORTED: Final = {
    f"{sign}{name}": f"{sign}{row.public}" for row in SORT_ROWS for name in row.names for sign in ("", "-")
}
#: Lists of values, and their columns.
_LISTS: Final = {"player": "player", "ids": "pk", "sha256": "sha256"}
_SHA256: Final = re.compile("[0-9a-f]{64}")
_EVERY_STATUS: Final = "any"
_ME: Final = "me"
_LARGEST_INTEGER: Final = 2**31 - 1  # of an integer column
_OWNED: Final = [value for value in Replay.Ownership.values if value not in Replay.NOT_OWNED]
_ENDS: Final = {"gte": "At least", "lte": "At most"}
_DATE_ENDS: Final = {"gte": "From", "lt": "Before", "lte": "Up to"}
#: The columns of dates that filter, by the name of their parameters, and what they are.
_DATE_COLUMNS: Final = {
    "played": ("played_at", "when the file says that it was played"),
    "uploaded": ("uploaded_at", "when it was uploaded"),
    "achieved": ("achieved_at", "the date that counts on boards"),
    "updated": ("updated_at", "when its row last changed"),
}
MOST_IDS: Final = 200
MOST_HASHES: Final = 100
MOST_PLAYERS: Final = 20


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


def _date(name: str, end: str) -> Parameter[Q | None]:
    """``?played__lte=2020-05-01``: a date (``lte``: including that day) or a datetime, in UTC unless it has a zone."""
    column, meaning = _DATE_COLUMNS[name]

    def parse(given: str) -> Q:
        try:
            day, when = parse_date(given), parse_datetime(given)
        except ValueError:  # well formed, but no such day
            day = when = None
        if day is not None:
            when = datetime.combine(day, time.max if end == "lte" else time.min, UTC)
        if when is None:
            raise ValueError(_("Enter a date as YYYY-MM-DD."))
        return _compared(f"{column}__{end}", when)

    schema = {"anyOf": [{"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}]}
    description = f"{_DATE_ENDS[end]} a date or a datetime: {meaning}."
    return Parameter(f"{name}__{end}", parse, None, schema, description)


def _compared(lookup: str, when: datetime) -> Q:
    """Return ``lookup`` by ``when``; stated dates without a zone are compared with its date and hour as written."""
    moment = Q((lookup, _in_utc(when)))
    if not when.utcoffset() or not lookup.startswith("played_at"):
        return moment
    as_written = Q((lookup, when.replace(tzinfo=UTC)))
    return Q(moment, played_at_has_zone=True) | Q(as_written, played_at_has_zone=False)


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


def _parse_hashes(given: str) -> list[str]:
    parts = [part.strip().lower() for part in given.split(",")]
    if len(parts) > MOST_HASHES:
        raise ValueError(_("At most %(limit)s values.") % {"limit": MOST_HASHES})
    if not all(map(_SHA256.fullmatch, parts)):
        raise ValueError(_("A SHA-256 hash has 64 hexadecimal digits."))
    return parts


_LEVELS: Final = choices("level", tuple(Level), description="Only these levels.")
_STYLES: Final = choices("style", STYLES, description="Games without a flag (NF), with flags (FL), or all.")
_RESULTS: Final = choices("result", tuple(Replay.Result.values), description="How the game ended.")
_FORMATS: Final = choices("format", tuple(module.NAME for module in FORMATS), description="Format of the file.")
_CHOICES: Final[tuple[Parameter[object], ...]] = (
    _LEVELS, _STYLES, _RESULTS, _FORMATS,
    choice("mode", tuple(Mode), description="Rules of the game."),
    choice("evidence", tuple(Replay.Evidence.values), description="What stands behind the game; see /help/evidence/."),
    choice("judgement", tuple(Replay.Judgement.values), description="Whether and how it counts on leaderboards."),
)  # fmt: skip
_COUNTS: Final = (
    yes_or_no("ranked", description="Whether it counts on leaderboards of won games, sub-N and sums."),
    yes_or_no("corpse", description="Whether it counts on leaderboards of lost games."),
)
_PLAYERS: Final = ids("player", most=MOST_PLAYERS, description="Numbers of players with commas between.")
_IDS: Final = ids("ids", most=MOST_IDS, description="Numbers of replays with commas between.")
_HASHES: Final = Parameter[list[str]](
    "sha256", _parse_hashes, [], {"type": "string", "pattern": list_pattern(["[0-9a-fA-F]{64}"], MOST_HASHES)},
    f"SHA-256 of files with commas between.  {MOST_HASHES} at most.",
)  # fmt: skip
_SUB_N: Final = integer(
    "sub", least=MIN_SUB, most=MAX_SUB,
    description="Won games below N seconds, which count from 1: sub=40 are those up to 38.999 s. Needs a level.",
)  # fmt: skip
_DEFINED: Final = choice(
    "defined", tuple(row.public for row in STORED),
    aliases={name: row.public for row in STORED for name in row.names},
    description="Only games for which this statistic is defined.",
)  # fmt: skip
_UPLOADER: Final = Parameter[int | str | None](
    "uploader",
    _parse_uploader,
    None,
    {"type": "string", "pattern": "^(me|[1-9][0-9]{0,17})$"},
    "“me”: your own uploads, which needs an account. Moderators may also send the number of another account.",
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
    description="“newest” or “oldest” by upload; “achieved” by the date that counts on boards, “updated” by when a replay last changed; or a statistic, which "
    "needs one level. “-” sorts from high to low, or the latest first. "
    "Sorted by a statistic that ranks, the list has won games, unless `result` asks for others (one result at a time). "
    f"Sorted by {', '.join(row.public for row in WITH_MINIMUM)}, it has games of every result, without those with too "
    "little solved (`min_completion` of boards of lost games); "
    f"{' and '.join(row.public for row in LOST_ONLY)} list lost games only.",
)
_NUMBERS: Final = tuple(_number(row, end) for row in STORED for end in _ENDS)
_DATES: Final = tuple(_date(name, end) for name in _DATE_COLUMNS for end in _DATE_ENDS)
#: Every parameter of the list except those of paging.
LIST_PARAMETERS: Final[tuple[Parameter[object], ...]] = (
    *_CHOICES, *_COUNTS, _STATUS, _SORT, _PLAYERS, _IDS, _HASHES, COUNTRY, _UPLOADER, _OWNERSHIP, _SOFTWARE, _SUB_N, _DEFINED,
    *_NUMBERS, *_DATES,
)  # fmt: skip
_UNLISTED: Final = ("board", "findings", "reject_params")  # large, and shown on the page of one replay only
#: The columns (of seventy) that a line of the list shows, besides the statistic by which it is sorted.
_LINE: Final = (
    "level", "style", "status", "result", "ownership", "original_name", "uploaded_at", "time", "time_precision_ms", "bv", "bvs", "ioe",
    "player__name", "player__is_bot", "player__country",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReplayFilters:
    """``conditions``: lookups of the Replay table.  ``sort``: one of :data:`SORTS`.  ``dates``: further conditions."""

    conditions: dict[str, object]
    sort: str
    dates: tuple[Q, ...] = ()

    @property
    def sorted_by(self) -> Statistic | None:
        """The statistic of ``sort``; None for the plain ones."""
        return None if self.sort in PLAIN_SORTS else BY_ANY_NAME[self.sort.removeprefix("-")]


def replay_filters(values: Parsed, viewer: User | None) -> ReplayFilters:
    """The filters of parsed parameters (those of :data:`LIST_PARAMETERS`; missing ones filter nothing).

    Raises ``NeedsAccount`` for filters that need a ``viewer``, and ``BadParameter`` for those that do not go together.
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
    if not _may_ask_for_uploads(conditions.get("uploader"), viewer):
        raise BadParameter({"uploader": _("Only moderators can filter by other uploaders.")})
    dates = tuple(date for one in _DATES if (date := values.get(one.name)) is not None)
    filters = ReplayFilters(conditions | dict(_plain_conditions(values)), values.get("sort") or NEWEST, dates)
    if values.get("sub") is not None:
        _add_sub_n(filters.conditions, values)
    if filters.sorted_by is not None:
        _add_result(filters, values)
    return filters


def _add_sub_n(conditions: dict[str, object], values: Parsed) -> None:
    if not values.get("level"):
        raise BadParameter({"sub": _("To filter by sub-N, choose a level.")})
    if values.get("result") not in (None, (), (Replay.Result.WON,)):
        raise BadParameter({"sub": _("Only wins count for sub-N.")})
    conditions |= {"result": Replay.Result.WON, "time__lt": float(last_second_of_sub(values["sub"]))}


def _add_result(filters: ReplayFilters, values: Parsed) -> None:
    """Add the result of the games that a list has which is sorted by a statistic."""
    row, results = filters.sorted_by, values.get("result") or ()
    if len(values.get("level") or ()) != 1:
        raise BadParameter({"sort": _("To sort by a statistic, choose exactly one level.")})
    if row in LOST_ONLY and results not in ((), (Replay.Result.LOST,)):
        raise BadParameter({"sort": _("Only lost games can be sorted by this statistic. Choose “lost” as the result.")})
    if row in OF_ONE_RESULT and len(results) > 1:
        raise BadParameter({"sort": _("To sort by this, choose a single result: won or lost.")})
    if row in OF_ONE_RESULT and not results:
        filters.conditions.setdefault("result", Replay.Result.LOST if values.get("corpse") else Replay.Result.WON)


def replay_list(
    filters: ReplayFilters, *, cursor: str | None = None, size: int = DEFAULT_PAGE_SIZE, lines: bool = False
) -> Page[Replay]:
    """A page of the replays that match ``filters``, in the order of its ``sort``, with their reactions.  One query.

    ``lines``: load only the columns of a line of the list.  Raises ``players.db.keyset.BadCursor``.
    """
    row = filters.sorted_by
    whole = with_reactions(Replay.objects.select_related("player"))
    rows = whole.only(*_LINE, "achieved_at") if lines else whole.defer(*_UNLISTED)
    rows = rows.filter(*filters.dates, **filters.conditions)
    if row is None:
        if filters.sort in _BY_DATE:
            rows = rows.filter(status=Replay.Status.DONE, achieved_at__isnull=False)  # as in the index
        elif filters.sort in _BY_UPDATE:
            rows = rows.filter(status=Replay.Status.DONE)
        return page_of(rows, PLAIN_SORTS[filters.sort], cursor, size)
    name, sign = row.name, "-" if filters.sort.startswith("-") else ""
    # The conditions of the partial index of this statistic.
    rows = rows.filter(status=Replay.Status.DONE, **{f"{name}__isnull": False})
    if row in WITH_MINIMUM:
        rows = rows.filter(completion__gte=settings.MINIMUM_COMPLETION / 100)
    if row in LOST_ONLY:
        rows = rows.filter(result=Replay.Result.LOST)
    if lines:
        rows = rows.only(*_LINE, name)
    return page_of(rows, (f"{sign}{name}", f"{sign}id"), cursor, size)


def _plain_conditions(values: Parsed) -> Iterator[tuple[str, object]]:
    for parameter in (*_CHOICES, _SOFTWARE):
        value = values.get(parameter.name)
        if value and not (isinstance(value, tuple) and ALL_STYLES in value):
            yield _one_of(parameter.name, value)
    for name, column in _LISTS.items():
        if value := values.get(name):
            yield _one_of(column, value)
    for parameter in _COUNTS:
        if (value := values.get(parameter.name)) is not None:
            yield parameter.name, value
    if country := values.get("country"):
        yield "player__country", country
    if defined := values.get("defined"):
        yield f"{BY_ANY_NAME[defined].name}__isnull", False
    for row in STORED:
        for end in _ENDS:
            if (value := values.get(f"{row.public}__{end}")) is not None:
                yield f"{row.name}__{end}", value
    yield from _ownership(values.get("ownership"), values.get("player")).items()


def _one_of(column: str, value: object) -> tuple[str, object]:
    """The condition that ``column`` is ``value``, or one of its several values."""
    if not isinstance(value, list | tuple):
        return column, value
    return (column, value[0]) if len(value) == 1 else (f"{column}__in", value)


def _status(status: str | None, viewer: User | None) -> dict[str, object]:
    """Replays that are not done are visible only to their uploader and to staff."""
    if status in (None, Replay.Status.DONE):
        return {"status": Replay.Status.DONE}
    condition: dict[str, object] = {} if status == _EVERY_STATUS else {"status": status}
    if viewer is None:
        raise ValueError(_("Sign in to see unfinished uploads."))
    return condition if viewer.acts_as_moderator else condition | {"uploader_id": viewer.pk}


def _ownership(ownership: str | None, players: list[int] | None) -> dict[str, object]:
    if ownership == _NOT_OWNED:
        return {"ownership__in": Replay.NOT_OWNED}
    if ownership:
        return {"ownership": ownership}
    return {"ownership__in": _OWNED} if players else {}


def _may_ask_for_uploads(uploader: object, viewer: User | None) -> bool:
    """Return False for uploads of another account: who uploaded a game is told to moderators only."""
    return uploader is None or (viewer is not None and (viewer.pk == uploader or viewer.acts_as_moderator))


def _uploader(uploader: int | str | None, viewer: User | None) -> dict[str, object]:
    if uploader is None:
        return {}
    if viewer is None:
        raise ValueError(_("Sign in to see your own uploads."))
    return {"uploader": viewer.pk if uploader == _ME else uploader}
