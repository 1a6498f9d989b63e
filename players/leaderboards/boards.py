"""The boards that exist, and how results are compared.

A board is a level, a ranked statistic of that level (``analysis.statistics``), and a style.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter

from analysis.limits import MAX_TIME_MS
from analysis.statistics import BY_NAME, CLASSIC_LEVELS, RANKED, RANKED_LEVELS, Statistic, ranked_on
from analysis.time_convention import best_sub, second
from players.models import ALL_STYLES
from players.models import COMBINED as COMBINED
from players.web.errors import UnknownAddress
from players.web.parameters import Parameter, choice
from players.web.statistic_names import public_name, public_names

#: Values of ``?style=`` and of the column ``style``: all games, games without a flag, games with flags.
STYLES: Final = (ALL_STYLES, "NF", "FL")

ON_LEVEL: Final[dict[str, tuple[Statistic, ...]]] = {level.value: ranked_on(level) for level in RANKED_LEVELS}
#: Statistics of boards of lost games, and those of each level.
CORPSE_STATISTICS: Final[tuple[Statistic, ...]] = (BY_NAME["stnb"], BY_NAME["estime"])
CORPSES_ON: Final[dict[str, tuple[Statistic, ...]]] = {
    level.value: tuple(row for row in CORPSE_STATISTICS if level in row.levels) for level in RANKED_LEVELS
}
#: The levels with boards, the hardest first.
HARDEST_FIRST: Final = tuple(reversed(ON_LEVEL))
#: The order of levels on pages: the hardest first, the sum after its three levels.
LEVEL_ORDER: Final = ("expert", "intermediate", "beginner", COMBINED, "beginner-9x9")
#: The same order without the sum, for pages of games.
GAME_LEVELS: Final = tuple(level for level in LEVEL_ORDER if level != COMBINED)
#: The statistics that pages of boards link in one line; the others are behind "All".
MAIN_STATISTICS: Final = ("time", "bvs", "stnb", "ioe", "rqp", "corr", "path", "pluck")
#: Personal bests in these statistics are in the record history; it has the site records of all.  Pages of players and
#: comparisons show these, and the others behind "All".
LOGGED_STATISTICS: Final = ("time", "bvs", "rqp", "stnb", "corr", "thrp", "ioe", "gzne")
COMBINED_LEVELS: Final = tuple(level.value for level in CLASSIC_LEVELS)
#: The columns of ``CombinedBest`` with the personal bests of a sum, in the order of these levels.
PART_IDS: Final = tuple(f"{level}_id" for level in COMBINED_LEVELS)
#: Statistics of combined boards: those that are ranked on Beginner 8x8, Intermediate and Expert.
COMBINED_STATISTICS: Final[tuple[Statistic, ...]] = tuple(
    row for row in RANKED if all(level in row.levels for level in CLASSIC_LEVELS)
)
COMBINED_NAMES: Final = frozenset(row.name for row in COMBINED_STATISTICS)

#: Those columns of a board's rows that decide the rank: rows with equal ones are tied.
BETTER: Final = ("rank_key",)
COMBINED_BETTER: Final = ("rank_key", "expert_key", "intermediate_key")
#: What orders ties, on stored and on filtered boards.  The number of a player stays when a result leaves the board and comes
#: back; that of a row would not.  The indexes of the tables end with the row's: the database sorts the few rows that are
#: equal up to there.
LISTED_BY: Final = ("achieved_at", "player_id")
ORDER: Final = (*BETTER, *LISTED_BY)
COMBINED_ORDER: Final = (*COMBINED_BETTER, *LISTED_BY)

#: The N that a sub-N board may have; a sub-1 game would have ended before its first second.
MIN_SUB: Final = 2
MAX_SUB: Final = best_sub(second(MAX_TIME_MS))
#: The N that pages link to on each level; any other may be typed.
OFFERED_N: Final[dict[str, tuple[int, ...]]] = {
    "beginner": (2, 3, 4, 5, 6, 8, 10),
    "beginner-9x9": (2, 3, 4, 5, 6, 8, 10),
    "intermediate": (10, 12, 14, 16, 20, 25, 30),
    "expert": (35, 40, 45, 50, 60, 80, 100),
}


class UnknownBoard(UnknownAddress):
    """There is no board of this level, statistic or style (404)."""


class BoardKey(NamedTuple):
    """The key of one board; :func:`board_key` checks it.  ``level`` is "combined" for sums of three levels."""

    level: str
    statistic: str
    style: str

    @property
    def row(self) -> Statistic:
        return BY_NAME[self.statistic]


def board_key(level: str, statistic: str, style: str = ALL_STYLES, *, lost: bool = False) -> BoardKey:
    """Raise :class:`UnknownBoard` if there is none; ``lost``: of lost games."""
    on_level = CORPSES_ON if lost else ON_LEVEL
    combined = frozenset[str]() if lost else COMBINED_NAMES
    names = combined if level == COMBINED else {row.name for row in on_level.get(level, ())}
    if not names:
        raise UnknownBoard(_("There's no ranked level “%(level)s”.") % {"level": level})
    if statistic not in names:
        raise UnknownBoard(_("“%(statistic)s” has no leaderboard here.") % {"statistic": public_name(statistic)})
    if style not in STYLES:
        raise UnknownBoard(_("The style “%(style)s” doesn't exist.") % {"style": style})
    return BoardKey(level, statistic, style)


def checked_level(level: str) -> str:
    """Raise :class:`UnknownBoard` unless ``level`` is ranked."""
    if level not in ON_LEVEL:
        raise UnknownBoard(_("There's no ranked level “%(level)s”.") % {"level": level})
    return level


def checked_sub_n(n: int) -> int:
    """Raise :class:`UnknownBoard` unless there are sub-``n`` boards."""
    if not MIN_SUB <= n <= MAX_SUB:
        raise UnknownBoard(_("N must be between %(least)d and %(most)d.") % {"least": MIN_SUB, "most": MAX_SUB})
    return n


def games_in_value(level: str) -> int:
    """Return the number of games that a value on a board of ``level`` is the sum of."""
    return len(COMBINED_LEVELS) if level == COMBINED else 1


def all_boards() -> list[BoardKey]:
    """Every board: level by level, combined boards last, statistics in the order of the registry."""
    single = [(level, row.name) for level, rows in ON_LEVEL.items() for row in rows]
    combined = [(COMBINED, row.name) for row in COMBINED_STATISTICS]
    return [BoardKey(level, name, style) for level, name in single + combined for style in STYLES]


STYLE: Final[Parameter[str]] = Parameter(
    "style", lambda text: choice("style", STYLES).parse(text) or ALL_STYLES, ALL_STYLES, choice("style", STYLES, default=ALL_STYLES).schema,
    "Games without a flag (NF), with flags (FL), or all.",
)  # fmt: skip


#: The parts of the addresses of boards, for the schema.
LEVEL_PART: Final = OpenApiParameter("level", str, OpenApiParameter.PATH, enum=tuple(ON_LEVEL))
STATISTIC_PART: Final = OpenApiParameter(
    "statistic", str, OpenApiParameter.PATH, enum=public_names(RANKED), description="Not all on every level."
)
CORPSE_PART: Final = OpenApiParameter("statistic", str, OpenApiParameter.PATH, enum=public_names(CORPSE_STATISTICS))
SUM_PART: Final = OpenApiParameter("statistic", str, OpenApiParameter.PATH, enum=public_names(COMBINED_STATISTICS))
N_PART: Final = OpenApiParameter(
    "n", {"type": "integer", "minimum": MIN_SUB, "maximum": MAX_SUB}, OpenApiParameter.PATH
)


def statistics_on(level: str) -> tuple[Statistic, ...]:
    return COMBINED_STATISTICS if level == COMBINED else ON_LEVEL[level]


def main_statistics(level: str, statistic: str) -> list[Statistic]:
    """Return the statistics of the tabs: the most used of ``level``, and the one that is shown."""
    on_level = {row.name: row for row in statistics_on(level)}
    return [on_level[name] for name in dict.fromkeys((*MAIN_STATISTICS, statistic)) if name in on_level]


def levels_by_statistic(*, lost: bool = False) -> dict[str, list[str]]:
    rows_of = CORPSES_ON if lost else ON_LEVEL
    boards: dict[str, list[str]] = {}
    for level in LEVEL_ORDER:
        for row in rows_of.get(level, ()):
            boards.setdefault(row.name, []).append(level)
    return boards


# --- results ----------------------------------------------------------------------------------------------------------


class Best(NamedTuple):
    """A result.  The smaller tuple is the better one: by rank key, then by date, then by replay id."""

    rank_key: float
    achieved_at: datetime
    replay_id: int
    value: float


class PersonalKey(NamedTuple):
    player_id: int
    statistic: str
    level: str
    style: str


class CombinedKey(NamedTuple):
    player_id: int
    statistic: str
    style: str


class Game(NamedTuple):
    replay_id: int
    player_id: int
    level: str
    style: str
    time_ms: int
    achieved_at: datetime
    provisional: bool  # it has its place, but no entry in the record history yet
    values: tuple[float | None, ...]  # in the order of RANKED

    @property
    def styles(self) -> tuple[str, str]:
        return ALL_STYLES, self.style

    def bests(self) -> Iterator[tuple[PersonalKey, Best]]:
        """Its result on each board; a statistic that is not defined for the game has none."""
        for row, value in zip(RANKED, self.values, strict=True):
            if value is None or self.level not in row.levels:
                continue
            best = Best(row.rank_key(value), self.achieved_at, self.replay_id, value)
            for style in self.styles:
                yield PersonalKey(self.player_id, row.name, self.level, style), best
