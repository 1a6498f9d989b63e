"""Reading the record history, newest first."""

from __future__ import annotations

from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import F, QuerySet
from django.db.models.functions import Coalesce

from analysis.statistics import BY_NAME
from analysis.time_convention import decimals_apart
from players.db.keyset import Page, page_of_tuples
from players.db.pipeline import Deferred, Row, send
from players.leaderboards.boards import BoardKey
from players.models import ALL_STYLES, Player, RecordEvent
from players.people.player_refs import PLAYER_COLUMNS, PlayerRef, with_player_ref
from players.web.parameters import DEFAULT_PAGE_SIZE

Kind = RecordEvent.Kind


class Recorded(NamedTuple):
    """A row of a list of the latest records; see ``RecordEvent``.

    ``uploaded_at``: of the replay.  ``precision_ms``: of its clock; None if unknown.  ``player``: None on the page of that player.
    """

    pk: int
    level: str
    statistic: str
    new_value: float
    rank_before: int | None
    rank_after: int | None
    replay_id: int
    happened_at: datetime
    uploaded_at: datetime
    precision_ms: int | None
    player: PlayerRef | None = None


class RecordRow(NamedTuple):
    """A row of the record history; see ``RecordEvent``.

    ``uploaded_at``: of the replay.  ``precision_ms``: of its clock; None if unknown.  ``noted_at``: when the game was analysed.
    """

    id: int
    kind: str
    level: str
    statistic: str
    style: str
    old_value: float | None
    new_value: float
    rank_before: int | None
    rank_after: int | None
    replay_id: int
    happened_at: datetime
    uploaded_at: datetime
    precision_ms: int | None
    noted_at: datetime
    player: PlayerRef

    @property
    def decimals(self) -> int | None:
        """The decimals with which the new and the old value look different; None for times."""
        values = [value for value in (self.old_value, self.new_value) if value is not None]
        return decimals_apart(BY_NAME[self.statistic], values)


_OF_REPLAY: Final = {"precision_ms": F("replay__time_precision_ms"), "uploaded_at": F("replay__uploaded_at")}
_COLUMNS: Final = Recorded._fields[:-1]
_ROW_COLUMNS: Final = (*RecordRow._fields[:-1], *PLAYER_COLUMNS)


def latest_records(limit: int, kind: str = Kind.SITE, style: str = ALL_STYLES) -> list[Recorded]:
    """The last ``limit`` records of one kind, newest first."""
    rows = _newest(limit, PLAYER_COLUMNS, kind=Kind(kind), style=style)
    return [Recorded._make(with_player_ref(row)) for row in rows]


def send_player_records(player_id: int, limit: int, style: str = ALL_STYLES) -> Deferred[list[Recorded]]:
    """The player's last ``limit`` personal records, newest first; deferred."""
    rows = send(_newest(limit, kind=Kind.PERSONAL, style=style, player=player_id))
    return lambda: [Recorded(*row) for row in rows()]


def _newest(limit: int, more: tuple[str, ...] = (), **conditions: object) -> QuerySet[RecordEvent, Row]:
    events = RecordEvent.objects.filter(**conditions).annotate(**_OF_REPLAY)
    return events.order_by("-id").values_list(*_COLUMNS, *more)[:limit]


def records_page(
    kind: str = Kind.SITE,
    style: str = ALL_STYLES,
    *,
    level: str | None = None,
    statistic: str | None = None,
    player: Player | None = None,
    cursor: str | None = None,
    size: int = DEFAULT_PAGE_SIZE,
) -> Page[RecordRow]:
    """A page of the records of one kind (of a level, a statistic, a player, if given); raises ``BadCursor``."""
    wanted = {"level": level, "statistic": statistic, "player": player}
    events = RecordEvent.objects.filter(
        kind=Kind(kind), style=style, **{name: value for name, value in wanted.items() if value is not None}
    )
    annotated = events.annotate(**_OF_REPLAY, noted_at=Coalesce(F("replay__analysed_at"), F("happened_at")))
    return page_of_tuples(annotated.values_list(*_ROW_COLUMNS), ("-id",), cursor, size, _record_row)


def _record_row(row: Row) -> RecordRow:
    return RecordRow._make(with_player_ref(row))


def board_of(event: RecordEvent) -> BoardKey:
    """The board of ``event``."""
    return BoardKey(event.level, event.statistic, event.style)
