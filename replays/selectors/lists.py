"""Lists of replays: keyset-paged, each served by an index."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet

from players.keyset import Page, page_of
from players.models import Player, User
from players.persons import OF_PLAYER, Person, with_person
from players.questions import Later, Question, Row
from replays.models import Replay
from replays.selectors.filters import NEWEST, ReplayFilters

PAGE_SIZE = 50
MAX_PAGE = 200
_UNLISTED = ("board", "findings", "reject_params")  # large, and shown on the page of one replay only


#: What a line of a list shows, of seventy columns; with it the statistic by which the list is sorted.
_LINE = (
    "level", "style", "status", "result", "original_name", "uploaded_at", "time", "time_precision_ms", "bv", "bvs", "ioe",
    "player__name", "player__is_bot",
)  # fmt: skip


def replay_list(
    filters: Mapping[str, Any],
    *,
    cursor: str | None = None,
    size: int = PAGE_SIZE,
    viewer: User | None = None,
    lines: bool = False,
) -> Page[Replay]:
    """A page of the replays that ``filters`` (names of ``FILTER_NAMES``) leave, in the order of its ``sort``.

    Replays that are done are everybody's; with ``status``, one sees one's own uploads in any state.  One query.
    ``lines``: only what a line of a list shows is read, and the statistic that the list is sorted by.
    Raises ``FilterError`` and ``players.keyset.BadCursor``.
    """
    asked = ReplayFilters.parse(filters, viewer)
    rows = (_lines() if lines else _base()).filter(**asked.conditions)
    if "status" not in asked.given:
        rows = rows.filter(status=Replay.Status.DONE)
    size = max(1, min(size, MAX_PAGE))
    if asked.sort == NEWEST:
        return page_of(rows, ("-id",), cursor, size)
    name = asked.sort.removeprefix("-")
    sign = "-" if asked.sort.startswith("-") else ""
    # Both conditions are those of the partial index of this statistic.
    rows = rows.filter(status=Replay.Status.DONE, **{f"{name}__isnull": False})
    if lines:
        rows = rows.only(*_LINE, name)
    return page_of(rows, (f"{sign}{name}", f"{sign}id"), cursor, size)


class Line(NamedTuple):
    """What an item of the newest replays shows; see ``Replay``."""

    pk: int
    level: str
    result: str
    uploaded_at: datetime
    time: float | None
    time_precision_ms: int | None
    bv: int | None
    bvs: float | None
    player: Person | None


def newest(limit: int, player: Player | None = None) -> list[Line]:
    """The replays (of ``player``, if given) that were uploaded last, of those that are done."""
    return ask_newest(limit, None if player is None else player.pk)()


def ask_newest(limit: int, player: int | None = None) -> Later[list[Line]]:
    """:func:`newest` of the player with that id, later."""
    limit = min(limit, MAX_PAGE)
    rows = _newest(limit).ask() if player is None else _newest_of_player(limit).ask(player=player)
    return lambda: [Line._make(with_person(row)) for row in rows()]


_OF_LINE: Final = Line._fields[:-1]


@cache
def _newest(limit: int) -> Question:
    return Question(lambda: _newest_lines(Replay.objects.all(), limit))


@cache
def _newest_of_player(limit: int) -> Question:
    return Question(lambda player: _newest_lines(Replay.objects.filter(player=player), limit))


def _newest_lines(rows: QuerySet[Replay], limit: int) -> QuerySet[Replay, Row]:
    done = rows.filter(status=Replay.Status.DONE).order_by("-id")
    return done.values_list(*_OF_LINE, *OF_PLAYER)[:limit]


def _base() -> QuerySet[Replay]:
    return Replay.objects.select_related("player").defer(*_UNLISTED)


def _lines() -> QuerySet[Replay]:
    return Replay.objects.select_related("player").only(*_LINE)
