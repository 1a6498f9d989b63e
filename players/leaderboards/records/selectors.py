from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import F, QuerySet
from django.db.models.functions import Coalesce

from analysis.statistics import BY_NAME
from analysis.time_convention import decimals_apart
from players.db.keyset import Page, page_of_tuples
from players.db.select import Row
from players.leaderboards.boards import BoardKey
from players.models import ALL_STYLES, Player, RecordEvent
from players.people.player_refs import PLAYER_COLUMNS, PlayerRef, with_player_ref
from players.web.parameters import DEFAULT_PAGE_SIZE
from replays.models.stated_dates import as_stated, date_has_zone

Kind = RecordEvent.Kind


class RecordIdentity(NamedTuple):
    """A record by what stays the same when it is taken back and comes again: its game and its board."""

    replay_id: int
    kind: str
    level: str
    statistic: str
    style: str

    def __str__(self) -> str:
        return "/".join(map(str, self))

    @classmethod
    def of_text(cls, text: str) -> RecordIdentity:
        replay_id, *board = text.split("/")
        return cls(int(replay_id), *board)


class RecordRow(NamedTuple):
    """A row of the record history; see ``RecordEvent``.

    ``uploaded_at``: of the replay.  ``precision_ms``: of its clock; None if unknown.  ``noted_at``: when the game was
    analysed.  ``player``: None on the page of that player.
    """

    id: int
    kind: str
    level: str
    statistic: str
    style: str
    old_value: float | None
    new_value: float
    rank_before: int | None
    rank_after: int
    replay_id: int
    happened_at: datetime
    uploaded_at: datetime
    precision_ms: int | None
    noted_at: datetime
    updated_at: datetime
    date_has_zone: bool
    player: PlayerRef | None = None

    @property
    def identity(self) -> RecordIdentity:
        return RecordIdentity(self.replay_id, self.kind, self.level, self.statistic, self.style)

    @property
    def shown_at(self) -> datetime:
        """When the game was played, as it is shown: naive if that has no zone."""
        return as_stated(self.happened_at, self.date_has_zone)

    @property
    def decimals(self) -> int | None:
        """The decimals with which the new and the old value look different; None for times."""
        values = [value for value in (self.old_value, self.new_value) if value is not None]
        return decimals_apart(BY_NAME[self.statistic], values)


_OF_REPLAY: Final = {
    "precision_ms": F("replay__time_precision_ms"), "uploaded_at": F("replay__uploaded_at"),
    "date_has_zone": date_has_zone("replay__"),
}  # fmt: skip
_COLUMNS: Final = RecordRow._fields[:-1]
_ORDER: Final = ("-id",)


def top_bests(key: BoardKey, most_rank: int, read: int, limit: int) -> list[RecordRow]:
    """The latest personal bests on a board that reached rank ``most_rank``, newest first.

    They are looked for among the ``read`` newest ones, so the time does not grow with the board.
    """
    board = {"kind": Kind.PERSONAL, **key._asdict()}
    newest = RecordEvent.objects.filter(**board).order_by(*_ORDER).values("pk")[:read]
    best = _records(*PLAYER_COLUMNS, pk__in=newest, rank_after__lte=most_rank)
    return [_with_player(row) for row in best.order_by(*_ORDER)[:limit]]


def records_of_player(player_id: int, limit: int, style: str = ALL_STYLES) -> list[RecordRow]:
    rows = _records(kind=Kind.PERSONAL, style=style, player=player_id).order_by(*_ORDER)[:limit]
    return [RecordRow(*row) for row in rows]


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
    """Return the newest first; raises ``BadCursor``."""
    filters = {"level": level, "statistic": statistic, "player": player}
    given = {name: value for name, value in filters.items() if value is not None}
    rows = _records(*PLAYER_COLUMNS, kind=Kind(kind), style=style, **given)
    return page_of_tuples(rows, _ORDER, cursor, size, _with_player)


def records_of_ids(ids: Sequence[int], cursor: str | None, size: int) -> Page[RecordRow]:
    """Those of the records ``ids`` that are there, of any kind and style, newest first; raises ``BadCursor``."""
    return page_of_tuples(_records(*PLAYER_COLUMNS, pk__in=ids), _ORDER, cursor, size, _with_player)


def site_records(chunk: int) -> Iterator[RecordRow]:
    """Read the records of the site of every style, oldest first, ``chunk`` at a time."""
    rows = _records(*PLAYER_COLUMNS, kind=Kind.SITE).order_by("id")
    return map(_with_player, rows.iterator(chunk_size=chunk))


def _records(*more: str, **conditions: object) -> QuerySet[RecordEvent, Row]:
    """The records that meet ``conditions``: the columns of ``RecordRow`` but for the player, and ``more``."""
    events = RecordEvent.objects.filter(**conditions)
    annotated = events.annotate(**_OF_REPLAY, noted_at=Coalesce(F("replay__analysed_at"), F("happened_at")))
    return annotated.values_list(*_COLUMNS, *more)


def _with_player(row: Row) -> RecordRow:
    return RecordRow._make(with_player_ref(row))
