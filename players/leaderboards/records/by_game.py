"""Records grouped by the game that set them: a good game sets records of many statistics at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from analysis.statistics import BY_NAME, RANKED, Statistic
from players.leaderboards.boards import COMBINED
from players.leaderboards.records.selectors import RecordRow

#: Statistics that are shown first if a game set several records.
_FIRST_NAMES: Final = ("time", "bvs", "stnb", "ioe")


@dataclass(slots=True)
class RecordGame:
    """A game and the records that it set; those of sums come last."""

    first: RecordRow
    events: list[RecordRow] = field(default_factory=list)

    @property
    def shown(self) -> list[tuple[Statistic, RecordRow]]:
        """The two first records, of the level of the first one."""
        level = self.events[0].level
        return [(BY_NAME[event.statistic], event) for event in self.events if event.level == level][:2]

    @property
    def more(self) -> int:
        return len(self.events) - len(self.shown)


def records_by_game(events: Sequence[RecordRow], limit: int) -> list[RecordGame]:
    """``events`` (newest first) grouped by game, ``limit`` games at most."""
    games: dict[int, RecordGame] = {}
    for event in events:
        games.setdefault(event.replay_id, RecordGame(event)).events.append(event)
    names = [*_FIRST_NAMES, *(row.name for row in RANKED)]
    for game in games.values():
        game.events.sort(key=lambda event: (event.level == COMBINED, names.index(event.statistic)))
        game.first = game.events[0]
    return list(games.values())[:limit]
