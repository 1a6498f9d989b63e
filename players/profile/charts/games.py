"""The interface through which charts read the games of a player: ``replays`` implements it.

Charts count every analysed game of a player, lost ones too.  The *day* of a game is what the file says (``played_at``),
but never after the upload; a game without a date counts on the day of its upload and is *undated*.  Days, hours and
months are those of the zone that is asked for.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import NamedTuple, Protocol
from zoneinfo import ZoneInfo

from players.db.pipeline import Deferred


class Totals(NamedTuple):
    """All games of a player; ``first_at``: when the first one was played, None without games."""

    games: int
    won: int
    undated: int
    first_at: datetime.datetime | None
    last_at: datetime.datetime | None


class Count(NamedTuple):
    """Number of games in one place of a chart: a day, a month, an hour of the week."""

    place: tuple[int, ...]
    games: int
    won: int
    undated: int


class LossCount(NamedTuple):
    """Number of lost games that solved ``tenth`` tenths of their 3BV or more, but not one more; of 9 also all of it."""

    tenth: int
    games: int


class LuckCount(NamedTuple):
    """The luck of a month: ranked games with known luck, their needless guesses, and the mean of the luck that they needed
    and of their accuracy (percent).
    """

    place: tuple[int, ...]
    games: int
    needless_guesses: int
    pluck: float
    accuracy: float


class PlayedGame(NamedTuple):
    """A game as sessions show it; ``time_ms`` and ``bvs`` are those of the game, won or not."""

    at: datetime.datetime
    level: str
    win: bool
    undated: bool
    time_ms: int | None
    bvs: float | None
    replay_id: int


class Run(NamedTuple):
    first_at: datetime.datetime
    last_at: datetime.datetime
    games: int


class RankedTime(NamedTuple):
    time_ms: int
    replay_id: int


class Spread(NamedTuple):
    """Spread of two statistics of a player's ranked games; the means of squares give the standard deviation."""

    games: int
    least: tuple[float, float]
    most: tuple[float, float]
    mean: tuple[float, float]
    mean_square: tuple[float, float]


class Grid(NamedTuple):
    """A grid over two statistics: it begins at ``start`` and has ``bins`` steps of ``step`` in each direction."""

    start: tuple[float, float]
    step: tuple[float, float]
    bins: tuple[int, int]


class Bin(NamedTuple):
    column: int
    row: int
    games: int


class Outlier(NamedTuple):
    x: float
    y: float
    replay_id: int


class PlayerGames(Protocol):
    """Everything that charts read of games.  ``level`` None: games of every level, custom ones too."""

    def fingerprint(self, player_id: int) -> tuple[int, ...]:
        """Numbers that change when games of the player are added, deleted, ranked or unranked."""
        ...

    def send_totals(self, player_id: int) -> Deferred[Totals]: ...

    def by_day(self, player_id: int, zone: ZoneInfo, year: int | None = None) -> list[Count]:
        """Games by (year, month, day), of one year if given, oldest first."""
        ...

    def by_hour(self, player_id: int, zone: ZoneInfo, level: str | None) -> list[Count]:
        """Games by (day of the week, 1 is Monday; hour)."""
        ...

    def by_month(self, player_id: int, zone: ZoneInfo, level: str | None) -> list[Count]:
        """Games by (year, month), oldest first."""
        ...

    def losses(self, player_id: int, level: str | None) -> list[LossCount]: ...

    def luck_by_month(self, player_id: int, zone: ZoneInfo, level: str) -> list[LuckCount]:
        """The luck of the ranked games by (year, month), oldest first; games whose luck is not known are left out."""
        ...

    def session_starts(self, player_id: int, gap: datetime.timedelta, limit: int) -> list[datetime.datetime]:
        """The last ``limit`` first games after a pause longer than ``gap``, newest first."""
        ...

    def played_since(self, player_id: int, since: datetime.datetime, limit: int) -> list[PlayedGame]:
        """The games played from ``since`` on, at most the ``limit`` newest, oldest first."""
        ...

    def longest_runs(self, player_id: int, level: str | None, limit: int) -> list[Run]:
        """The longest runs of won games, longest first, of equal ones the earlier first."""
        ...

    def ranked_times(self, player_id: int, level: str, style: str) -> list[RankedTime]:
        """The times of all ranked games, oldest first."""
        ...

    def played_at(self, replay_ids: Sequence[int]) -> dict[int, datetime.datetime]: ...

    def median_time_ms(self, player_id: int, level: str, style: str, games: int) -> int | None:
        """The median time of the ``games`` ranked games there are; the lower one of an even number."""
        ...

    def spread(self, player_id: int, level: str, style: str, statistics: tuple[str, str]) -> Spread | None:
        """The spread of two statistics over the ranked games that have both; None if no game has."""
        ...

    def bins(self, player_id: int, level: str, style: str, statistics: tuple[str, str], grid: Grid) -> list[Bin]:
        """The ranked games in each cell of ``grid`` that has any; the last cells include their upper edges."""
        ...

    def outliers(
        self, player_id: int, level: str, style: str, statistics: tuple[str, str], grid: Grid, limit: int
    ) -> list[Outlier]:
        """The ranked games outside of ``grid``, at most the ``limit`` furthest from its middle, furthest first."""
        ...


_registered: list[PlayerGames] = []


def register(games: PlayerGames) -> None:
    """Make :func:`player_games` return ``games``; ``replays`` calls it when Django starts."""
    _registered[:] = [games]


def player_games() -> PlayerGames:
    return _registered[0]
