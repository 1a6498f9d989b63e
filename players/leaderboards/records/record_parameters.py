"""The filters of the record history: the same parameters for page, feed and API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from analysis.statistics import RANKED
from players.db.keyset import Page
from players.leaderboards.boards import COMBINED, LOGGED_STATISTICS, ON_LEVEL, STYLE, board_key
from players.leaderboards.records.selectors import RecordRow, records_page
from players.models import Player, RecordEvent
from players.people.selectors import player_of_id
from players.web.parameters import CURSOR, MAX_PAGE_SIZE, PLAYER, SIZE, Parsed, choice, form_of, ids
from players.web.statistic_names import public_name, statistic_choice

KIND: Final = choice(
    "kind",
    RecordEvent.Kind.values,
    default=RecordEvent.Kind.SITE.value,
    description="Records of the site, or personal bests, which are logged for the main statistics: "
    f"{', '.join(public_name(name) for name in LOGGED_STATISTICS)}.",
)
LEVEL: Final = choice("level", (*ON_LEVEL, COMBINED), description="Only this level.")
STATISTIC: Final = statistic_choice("statistic", RANKED, description="Only this statistic.")


RecordsForm = form_of(KIND, STYLE, LEVEL, STATISTIC, PLAYER, CURSOR)


RECORDS_QUERY: Final = (
    KIND, STYLE, LEVEL, STATISTIC, PLAYER, CURSOR, SIZE,
    ids("ids", most=MAX_PAGE_SIZE, description="Only these records; the other parameters filter nothing then."),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RecordFilters:
    kind: str
    style: str
    level: str | None
    statistic: str | None
    player: Player | None

    def page(self, cursor: str | None, size: int) -> Page[RecordRow]:
        """A page of the records that match, newest first; raises ``BadCursor``."""
        return records_page(
            self.kind, self.style, level=self.level, statistic=self.statistic, player=self.player,
            cursor=cursor, size=size,
        )  # fmt: skip


def record_filters(values: Parsed) -> RecordFilters:
    """The filters of parsed parameters; raises ``UnknownBoard`` or ``Player.DoesNotExist``."""
    level, statistic, player_id = values["level"], values["statistic"], values["player"]
    if level is not None and statistic is not None:
        board_key(level, statistic)
    player = None if player_id is None else player_of_id(player_id)
    return RecordFilters(values["kind"], values["style"], level, statistic, player)
