"""The record history, newest first."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Any, Final, NamedTuple

from django.db.models import F, QuerySet
from django.db.models.functions import Coalesce

from players.boards import COMBINED, BoardKey, checked_level, checked_style
from players.keyset import Page, page_of
from players.models import ALL_STYLES, Player, RecordEvent
from players.persons import OF_PLAYER, Person, with_person
from players.questions import Later, Question
from players.selectors.ranks import DEFAULT_SIZE, page_size

Kind = RecordEvent.Kind


class Recorded(NamedTuple):
    """What lists of news show of a record; see ``RecordEvent``.

    ``precision_ms``: of the replay's clock; None if unknown.  ``player``: None on the page of that player.
    """

    pk: int
    level: str
    statistic: str
    new_value: float
    rank_before: int | None
    rank_after: int | None
    replay_id: int
    happened_at: datetime
    precision_ms: int | None
    player: Person | None = None


_OF_RECORD: Final = Recorded._fields[:-1]


def latest_records(limit: int, kind: str = Kind.SITE, style: str = ALL_STYLES) -> list[Recorded]:
    """The last ``limit`` records of one kind, newest first."""
    rows = _latest(Kind(kind), limit).ask(style=checked_style(style))()
    return [Recorded._make(with_person(row)) for row in rows]


@cache
def _latest(kind: Kind, limit: int) -> Question:
    return Question(lambda style: _told(limit, OF_PLAYER, kind=kind, style=style))


def _told(limit: int, more: tuple[str, ...] = (), **conditions: Any) -> QuerySet[Any, Any]:
    events = RecordEvent.objects.filter(**conditions).annotate(precision_ms=F("replay__time_precision_ms"))
    return events.order_by("-id").values_list(*_OF_RECORD, *more)[:limit]


def records_page(
    kind: str = Kind.SITE,
    style: str = ALL_STYLES,
    *,
    level: str | None = None,
    statistic: str | None = None,
    player: Player | None = None,
    cursor: str | None = None,
    size: int = DEFAULT_SIZE,
) -> Page[RecordEvent]:
    """Records of one kind, newest first; raises ``BadCursor`` or ``UnknownBoard``."""
    events = _events(kind, style, statistic)
    if level is not None:
        events = events.filter(level=level if level == COMBINED else checked_level(level))
    if player is not None:
        events = events.filter(player=player)
    return page_of(events, ("-id",), cursor, page_size(size))


def player_records(player: Player, limit: int, style: str = ALL_STYLES) -> list[Recorded]:
    """The player's last ``limit`` personal records, newest first."""
    return ask_player_records(player.pk, limit, style)()


def ask_player_records(player: int, limit: int, style: str = ALL_STYLES) -> Later[list[Recorded]]:
    """:func:`player_records` of the player with that id, later."""
    rows = _of_player(limit).ask(player=player, style=checked_style(style))
    return lambda: [Recorded(*row) for row in rows()]


@cache
def _of_player(limit: int) -> Question:
    return Question(lambda player, style: _told(limit, kind=Kind.PERSONAL, style=style, player=player))


def board_of(event: RecordEvent) -> BoardKey:
    """The board on which ``event`` happened."""
    return BoardKey(event.level, event.statistic, event.style)


def _events(kind: str, style: str, statistic: str | None) -> QuerySet[Any, RecordEvent]:
    events = RecordEvent.objects.filter(kind=Kind(kind), style=checked_style(style)).select_related("player")
    if statistic is not None:
        events = events.filter(statistic=statistic)
    return events.annotate(
        precision_ms=F("replay__time_precision_ms"), noted_at=Coalesce(F("replay__analysed_at"), F("happened_at"))
    )
