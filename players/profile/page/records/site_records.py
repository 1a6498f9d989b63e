from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from django.db.models import F, Max, OuterRef, Subquery

from players.leaderboards import ranked_games
from players.leaderboards.boards import BoardKey
from players.leaderboards.ranked_games import GameMarks
from players.leaderboards.records.holders import Holder, games_held, record_holders
from players.models import ALL_STYLES, RecordEvent
from players.people.player_refs import PLAYER_COLUMNS, PlayerRef
from replays.models.stated_dates import as_stated, date_has_zone

_COLUMNS: Final = (
    "id",
    "level",
    "statistic",
    "style",
    "new_value",
    "replay_id",
    "happened_at",
    "precision_ms",
    "date_has_zone",
)
_OF_REPLAY: Final = {"precision_ms": F("replay__time_precision_ms"), "date_has_zone": date_has_zone("replay__")}


@dataclass(frozen=True, slots=True)
class SetRecord:
    value: float
    replay_id: int
    happened_at: datetime
    precision_ms: int | None
    date_has_zone: bool = True

    @property
    def shown_at(self) -> datetime:
        return as_stated(self.happened_at, self.date_has_zone)


@dataclass(frozen=True, slots=True)
class SiteRecord:
    """The last record of the site that a player set on the board ``key``, or the one that they hold there.

    ``beaten_by`` and ``beaten_with``: who beat it first, and with what; None while it is held.
    """

    key: BoardKey
    own: SetRecord
    beaten_by: PlayerRef | None
    beaten_with: SetRecord | None

    @property
    def is_held(self) -> bool:
        return self.beaten_by is None


def site_records_of(player_id: int, style: str = ALL_STYLES) -> list[SiteRecord]:
    """One for each board of ``style`` on which the player ever set a record or leads, held ones first.

    The record history alone does not tell who holds a record: when a game is taken off the boards, the one behind it leads
    although it never set a record.  So it is compared with the first rows of the boards.  Six statements, and two more
    where they differ.
    """
    found = {record.key: record for record in _logged(player_id, style)}
    differing = [holder for holder in record_holders(style) if _differs(holder, found.get(holder.key), player_id)]
    games = games_held(differing) if differing else {}
    marks = _marks([replay_id for some in games.values() for replay_id in some])
    for holder in differing:
        played = games[holder.key]
        if not played or any(pk in marks and marks[pk].provisional for pk in played):
            continue  # deleted since, or no record before it is final
        led = SetRecord(
            holder.value, played[-1], holder.achieved_at, holder.precision_ms, _has_zone(marks.get(played[-1]))
        )
        if holder.player.pk == player_id:
            found[holder.key] = SiteRecord(holder.key, led, None, None)
        else:
            found[holder.key] = replace(found[holder.key], beaten_by=holder.player, beaten_with=led)
    return sorted(found.values(), key=lambda record: not record.is_held)


def _differs(holder: Holder, logged: SiteRecord | None, player_id: int) -> bool:
    if holder.player.pk == player_id:
        return logged is None or not logged.is_held or logged.own.value != holder.value
    rank_key = holder.key.row.rank_key
    return logged is not None and logged.is_held and rank_key(holder.value) < rank_key(logged.own.value)


def _marks(games: Sequence[int]) -> Mapping[int, GameMarks]:
    return ranked_games.marks_of(games) if games else {}


def _has_zone(marks: GameMarks | None) -> bool:
    return marks is None or marks.date_has_zone


def _logged(player_id: int, style: str) -> list[SiteRecord]:
    """One for each board on which the player ever set a record, by the record history; two statements."""
    events = RecordEvent.objects.filter(kind=RecordEvent.Kind.SITE, style=style)
    last = events.filter(player=player_id).order_by().values("level", "statistic").annotate(last=Max("id"))
    later = events.filter(statistic=OuterRef("statistic"), level=OuterRef("level"), pk__gt=OuterRef("pk")).order_by(
        "id"
    )
    own = RecordEvent.objects.filter(pk__in=last.values("last")).annotate(
        **_OF_REPLAY, next_id=Subquery(later.values("id")[:1])
    )
    rows = list(own.order_by("-id").values_list(*_COLUMNS, "next_id"))
    beaten = RecordEvent.objects.filter(pk__in=[row[-1] for row in rows if row[-1] is not None])
    beaten = beaten.annotate(**_OF_REPLAY)
    by_id = {row[0]: row for row in beaten.values_list(*_COLUMNS, *PLAYER_COLUMNS)}
    return [_record(row, by_id.get(row[-1])) for row in rows]


def _record(own: tuple[object, ...], beaten: tuple[object, ...] | None) -> SiteRecord:
    _id, level, statistic, style, *_values = own
    key = BoardKey(str(level), str(statistic), str(style))
    set_by_player, later = _set_record(own), None if beaten is None else _set_record(beaten)
    # A game that was taken off the boards and is back again may stand behind an equal one in the history.
    if later is None or key.row.rank_key(later.value) >= key.row.rank_key(set_by_player.value):
        return SiteRecord(key, set_by_player, None, None)
    return SiteRecord(key, set_by_player, PlayerRef(*beaten[len(_COLUMNS) :]), later)  # type: ignore[index]  # as read


def _set_record(row: tuple[object, ...]) -> SetRecord:
    return SetRecord(*row[4:9])  # type: ignore[arg-type]  # as read
