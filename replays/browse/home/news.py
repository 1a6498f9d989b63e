"""News: games that were a player's best time or 3BV/s on a level and made it among the first ranks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _

from analysis.time_convention import MS_PER_SECOND, best_sub, second
from players.leaderboards.boards import COMBINED_LEVELS, BoardKey
from players.leaderboards.pages.board_texts import level_text
from players.leaderboards.records.selectors import RecordRow, top_bests
from players.models import ALL_STYLES
from players.people.player_refs import PlayerRef

TIME: Final = "time"
BVS: Final = "bvs"
#: So many of the newest bests of each board are looked at, for those that reached rank ``MOST_RANK``.
_READ: Final = 300
MOST_RANK: Final = 100
#: From this rank on a place is the headline.
_TOP: Final = 10


@dataclass(frozen=True, slots=True)
class News:
    """A game with the personal bests that it was: ``time``, ``bvs``, or both."""

    time: RecordRow | None
    bvs: RecordRow | None

    @property
    def event(self) -> RecordRow:
        """The best that is the headline."""
        event = self.time or self.bvs
        assert event is not None  # noqa: S101 - made of one of them at least
        return event

    @property
    def events(self) -> list[RecordRow]:
        return [event for event in (self.time, self.bvs) if event is not None]

    @property
    def player(self) -> PlayerRef | None:
        return self.event.player

    @property
    def level(self) -> str:
        return self.event.level

    @property
    def replay_id(self) -> int:
        return self.event.replay_id

    @property
    def uploaded_at(self) -> datetime:
        return self.event.uploaded_at

    @property
    def rank(self) -> int:
        return self.event.rank_after

    @property
    def first_sub(self) -> int | None:
        """The lowest N of which the player was not sub-N before; None if there is none, or no time before."""
        if self.time is None or self.time.old_value is None:
            return None
        before, now = (_sub(value) for value in (self.time.old_value, self.time.new_value))
        return now if now < before else None

    @property
    def is_place(self) -> bool:
        event = self.event
        return event.rank_after == 1 or (event.rank_after != event.rank_before and event.rank_after <= _TOP)

    @property
    def text(self) -> str:
        if self.rank == 1:
            text = _("set the %(level)s record") if self.time else _("set the %(level)s 3BV/s record")
        elif self.is_place:
            text = _("took #%(rank)s on %(level)s") if self.time else _("took #%(rank)s on %(level)s 3BV/s")
        else:
            text = _("set a new %(level)s PB") if self.time else _("set a new %(level)s 3BV/s PB")
        return text % {"level": level_text(self.level), "rank": self.rank}


def latest_news(limit: int) -> list[News]:
    """The newest ``limit`` games, newest first; one statement for each level and statistic."""
    keys = [BoardKey(level, statistic, ALL_STYLES) for level in COMBINED_LEVELS for statistic in (TIME, BVS)]
    found = (event for key in keys for event in top_bests(key, MOST_RANK, _READ, limit))
    events = sorted(found, key=lambda event: -event.id)
    games: dict[tuple[int, str], dict[str, RecordRow]] = {}
    for event in events:
        games.setdefault((event.replay_id, event.level), {}).setdefault(event.statistic, event)
    return [News(bests.get(TIME), bests.get(BVS)) for bests in list(games.values())[:limit]]


def _sub(seconds: float) -> int:
    return best_sub(second(round(seconds * MS_PER_SECOND)))
