"""The interface through which ``players`` reads games.

The table of games belongs to ``replays``, which ``players`` must not import.  ``replays`` registers an implementation of
:class:`RankedGames` when Django starts (``replays.apps``); :func:`ranked_games` returns it.  A *ranked* game is one that
counts on boards, a *corpse* one that counts on boards of lost games; ``replays.trust.judging.rules`` decides which ones do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

from django.db.models import Model, QuerySet

from players.leaderboards.boards import BoardKey, Game
from players.leaderboards.filters import BoardFilter
from players.leaderboards.stated_dates import as_stated
from players.people.player_refs import PlayerRef

#: Player ids; None: all players.
Players = Collection[int] | None


class GameValue(NamedTuple):
    player_id: int
    value: float
    achieved_at: datetime
    replay_id: int


class SubCount(NamedTuple):
    player_id: int
    games: int
    first_at: datetime


class FirstGame(NamedTuple):
    replay_id: int
    date_has_zone: bool


class ProgressRow(NamedTuple):
    """A game that may be a step of a history; ``precision_ms``: of its clock, None if unknown."""

    achieved_at: datetime
    replay_id: int
    value: float
    precision_ms: int | None
    date_has_zone: bool


class BvBest(NamedTuple):
    """The best of a player's ranked games with ``bv`` 3BV (of equal ones the earliest), and how many there are."""

    bv: int
    value: float
    replay_id: int
    achieved_at: datetime
    precision_ms: int | None
    games: int


class GameLine(NamedTuple):
    """A row of a list of the newest games; ``player`` is None for a game without a name."""

    pk: int
    level: str
    result: str
    uploaded_at: datetime
    time: float | None
    time_precision_ms: int | None
    bv: int | None
    bvs: float | None
    likes_count: int
    comments_count: int
    player: PlayerRef | None


class Corpse(NamedTuple):
    """A lost game; ``completion``: the share of its 3BV that was solved."""

    replay_id: int
    level: str
    achieved_at: datetime
    time: float
    precision_ms: int | None
    completion: float
    estime: float
    stnb: float | None  # on levels that have no board of it
    date_has_zone: bool
    is_provisional: bool

    @property
    def shown_at(self) -> datetime:
        return as_stated(self.achieved_at, self.date_has_zone)


class GameMarks(NamedTuple):
    """Facts that a board shows with the value of a game.

    ``precision_ms``: of its clock, None if unknown; ``completion``: the share of the 3BV that was solved, 0 to 1.
    """

    precision_ms: int | None
    provisional: bool
    bv: int | None
    bvs: float | None
    style: str
    completion: float | None
    date_has_zone: bool


class RankedGames(Protocol):
    """Everything that ``players`` reads of games, and the one thing that it writes: their player (:meth:`move`)."""

    # --- the games of players ---

    def of_players(self, player_ids: Collection[int], levels: Collection[str] | None = None) -> Iterator[Game]:
        """The ranked games of these players (on ``levels``, if given), in no order, read in chunks."""
        ...

    def holding_bests(
        self, player_id: int, level: str, boards: Iterable[tuple[str, str]], excluded_ids: Collection[int]
    ) -> Iterator[Game]:
        """The player's best ranked game on ``level`` for each (statistic, style) of ``boards``, perhaps among others.

        Games of ``excluded_ids`` do not count.
        """
        ...

    def in_seconds(self, seconds: Sequence[tuple[int, str, int]], excluded_ids: Collection[int]) -> Iterator[Game]:
        """The ranked games of each (player id, level, second counted from 1), without their ``values``."""
        ...

    def best_by_3bv(self, player_id: int, key: BoardKey) -> list[BvBest]:
        """The best value of the board's statistic for each 3BV that the player has won, lowest 3BV first."""
        ...

    def newest(self, limit: int, player_id: int | None = None, before: int | None = None) -> list[GameLine]:
        """The analysed games (of one player, if given) that were uploaded last, newest first.

        ``before``: those uploaded before the replay of this number.

        Games that wait for the owner of their name, or that the owner disowned, are left out.
        """
        ...

    def best_corpses(self, player_id: int, style: str) -> dict[tuple[str, str], Corpse]:
        """The player's best lost games by level and statistic, the hardest level first."""
        ...

    def marks_of(self, replay_ids: Collection[int]) -> dict[int, GameMarks]: ...

    def best_times_before(
        self, player_ids: Collection[int], level: str, style: str, before: datetime
    ) -> dict[int, float]:
        """Return the best time (s) of each of these players on a level before then; provisional games are left out.

        Games that came since and state an earlier date are among those of players who have one that counted before.
        """
        ...

    # --- filtered boards ---

    def best_values(self, key: BoardKey, board_filter: BoardFilter, players: Players) -> Iterator[GameValue]:
        """The best games of each player, ``board_filter.best_of`` of them at most, in no order; lost ones if it says so."""
        ...

    def sub_counts(
        self, level: str, n: int, style: str, board_filter: BoardFilter, players: Players
    ) -> Iterator[SubCount]: ...

    def first_sub_games(
        self, level: str, n: int, style: str, board_filter: BoardFilter, player_ids: Collection[int]
    ) -> dict[int, FirstGame]:
        """Return the first sub-``n`` game of each of these players by date; of equal dates the lower id."""
        ...

    def personal_steps(self, key: BoardKey, board_filter: BoardFilter, players: Players) -> Iterator[GameValue]:
        """Every game that was better than all earlier ones of its player, in no order."""
        ...

    def record_steps(self, key: BoardKey, players: Players) -> Iterator[GameValue]:
        """The games of these players, or of all, that beat all earlier ones.

        Provisional games are left out, as if they were not there.
        """
        ...

    # --- histories ---

    def progress_of_player(self, player_id: int, key: BoardKey) -> list[ProgressRow]:
        """Every game that was better than all earlier ones of the player on the board, by ``boards.LISTED_BY``."""
        ...

    def by_ids(self, key: BoardKey, replay_ids: Collection[int]) -> list[ProgressRow]:
        """Those of these games that are ranked on the board and not provisional, by ``boards.LISTED_BY``."""
        ...

    def players_of(self, replay_ids: Collection[int]) -> dict[int, PlayerRef]: ...

    # --- what files state ---

    def file_countries(self, player_ids: Collection[int]) -> dict[int, str]:
        """Return the country that more of each player's files state than any other, two letters; "" where there is none.

        Files that state none, and games that are in doubt, do not count.
        """
        ...

    # --- names inside replays ---

    def names_uploaded_by(self, user_id: int) -> QuerySet[Model, object]: ...

    def uploads_under(self, names: Collection[str]) -> dict[str, dict[int | None, int]]:
        """Count the analysed replays that each account (None: nobody) uploaded under each of ``names``; one query."""
        ...

    def others_uploaded(self, user_id: int, name: str, player_id: int) -> bool: ...

    def has_games_under(self, player_id: int, name: str) -> bool:
        """Return whether the player has replays under ``name``; "" are games that were played here."""
        ...

    def lock(self, player_id: int, names: Collection[str]) -> None:
        """Lock the replays of the player under ``names`` until the transaction ends, in the order of ids."""
        ...

    def move(self, name: str, source_id: int, target_id: int) -> None: ...


_registered: list[RankedGames] = []


def register(games: RankedGames) -> None:
    """Make :func:`ranked_games` return ``games``; ``replays`` calls it when Django starts."""
    _registered[:] = [games]


def ranked_games() -> RankedGames:
    return _registered[0]
