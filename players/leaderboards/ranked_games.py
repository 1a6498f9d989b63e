"""The games behind boards, as ``players`` needs them.

The table of games belongs to ``replays``, which stands above ``players`` and must not be imported here.  It registers
an object with the methods of :class:`RankedGames` when Django starts (``replays.apps``); :func:`ranked_games` is how
everybody here gets at it.  A *ranked* game is one that counts on boards; ``replays`` decides which ones do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from django.db.models import QuerySet

from players.db.pipeline import Deferred
from players.leaderboards.boards import BoardKey, Game
from players.leaderboards.filters import BoardFilter
from players.people.player_refs import PlayerRef

#: None: of everybody.
Players = Collection[int] | None


class GameValue(NamedTuple):
    """One game's value of the statistic of a board."""

    player_id: int
    value: float
    achieved_at: datetime
    replay_id: int


class SubCount(NamedTuple):
    """How many sub-N games a player has, and when the first of them was achieved."""

    player_id: int
    games: int
    first_at: datetime


class ProgressRow(NamedTuple):
    """A game that may be a step of a progression; ``precision_ms``: of its clock, None if unknown."""

    achieved_at: datetime
    replay_id: int
    value: float
    precision_ms: int | None


class BvBest(NamedTuple):
    """The best of a player's ranked ``games`` on boards of ``bv`` 3BV; of equal ones the earliest."""

    bv: int
    value: float
    replay_id: int
    achieved_at: datetime
    precision_ms: int | None
    games: int


class GameLine(NamedTuple):
    """What a list of the newest games shows of each; ``player`` is None for a game without a name."""

    pk: int
    level: str
    result: str
    uploaded_at: datetime
    time: float | None
    time_precision_ms: int | None
    bv: int | None
    bvs: float | None
    player: PlayerRef | None


class RankedGames(Protocol):
    """What ``players`` reads of games, and the one thing that it writes: whose they are."""

    # --- the games of players ---

    def of_players(self, player_ids: Collection[int], levels: Collection[str] | None = None) -> Iterator[Game]:
        """The ranked games of these players (on ``levels``, if given), in no order, a few in memory at a time."""
        ...

    def holding_bests(
        self, player_id: int, level: str, places: Iterable[tuple[str, str]], excluded_ids: Collection[int]
    ) -> Iterator[Game]:
        """Ranked games among which is, for each (statistic, style) of ``places``, the player's best on ``level``.

        Games of ``excluded_ids`` do not count.
        """
        ...

    def in_seconds(self, places: Sequence[tuple[int, str, int]], excluded_ids: Collection[int]) -> Iterator[Game]:
        """The ranked games in these places (player id, level, second counted from 1), without their ``values``."""
        ...

    def best_by_3bv(self, player_id: int, key: BoardKey) -> list[BvBest]:
        """The best value of the board's statistic for each 3BV that the player has won, lowest 3BV first."""
        ...

    def newest(self, limit: int, player_id: int | None = None) -> Deferred[list[GameLine]]:
        """The analysed games (of one player, if given) that were uploaded last, newest first."""
        ...

    def clock_precisions(self, replay_ids: Collection[int]) -> dict[int, int | None]:
        """The precision in ms of the clock of each of these replays that exists."""
        ...

    # --- boards that are no table ---

    def best_values(self, key: BoardKey, board_filter: BoardFilter, players: Players) -> Iterator[GameValue]:
        """The best games of each player, ``board_filter.best_of`` of them at most, in no order."""
        ...

    def sub_counts(
        self, level: str, n: int, style: str, board_filter: BoardFilter, players: Players
    ) -> Iterator[SubCount]:
        """How many sub-``n`` games each player has."""
        ...

    def first_sub_games(
        self, level: str, n: int, style: str, board_filter: BoardFilter, player_ids: Collection[int]
    ) -> dict[int, int]:
        """The replay with which each of these players first went below ``n``; of one instant the lower id."""
        ...

    def personal_steps(self, key: BoardKey, board_filter: BoardFilter, players: Players) -> Iterator[GameValue]:
        """Every game that beat all earlier ones of its player, in no order."""
        ...

    def record_steps(
        self, key: BoardKey, player_ids: Collection[int], better_than: float | None
    ) -> Iterator[GameValue]:
        """The games of these players, better than ``better_than`` (if given), that beat all of theirs before."""
        ...

    # --- progressions ---

    def progress_of_player(self, player_id: int, key: BoardKey) -> list[ProgressRow]:
        """Every game with which the player improved on the board, in no order."""
        ...

    def by_ids(self, key: BoardKey, replay_ids: Collection[int]) -> list[ProgressRow]:
        """Those of these games that still count on the board, in no order."""
        ...

    def players_of(self, replay_ids: Collection[int]) -> dict[int, PlayerRef]:
        """The player of each of these games that has one."""
        ...

    # --- names inside replays ---

    def names_uploaded_by(self, user_id: int) -> QuerySet[Any, Any]:
        """The names inside the replays that this account uploaded, as a subquery."""
        ...

    def has_uploaded(self, user_id: int, name: str) -> bool:
        """Whether this account uploaded a replay that carries ``name``."""
        ...

    def others_uploaded(self, user_id: int, name: str, player_id: int) -> bool:
        """Whether any replay of the player under ``name`` was not uploaded by this account."""
        ...

    def has_games(self, player_id: int, *, other_than: str | None = None) -> bool:
        """Whether the player has a replay (under another name than ``other_than``, if given)."""
        ...

    def under_name(self, player_id: int, name: str, replay_ids: Collection[int]) -> set[int]:
        """Those of ``replay_ids`` that are the player's under ``name``."""
        ...

    def move(self, name: str, source_id: int, target_id: int) -> None:
        """Give the replays of player ``source_id`` under ``name`` to player ``target_id``."""
        ...


_registered: list[RankedGames] = []


def register(games: RankedGames) -> None:
    """Let :func:`ranked_games` return ``games``; ``replays`` calls it when Django starts."""
    _registered[:] = [games]


def ranked_games() -> RankedGames:
    """The games of the site."""
    return _registered[0]
