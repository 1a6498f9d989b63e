"""Reads of ranked games, which several rooms share.

A *ranked* game is one that counts on boards, a *corpse* one that counts on boards of lost games;
``replays.trust.judging.rules`` decides which ones do.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from functools import reduce
from typing import Final, NamedTuple

from django.db.models import Aggregate, Count, F, Max, Min, Q, QuerySet, RowRange, Subquery, Window
from django.db.models.expressions import OrderBy
from django.db.models.functions import RowNumber

from analysis.statistics import BY_NAME, RANKED, Better, Statistic
from analysis.time_convention import sub_limit_ms
from players.db.chunks import chunked
from players.db.select import Row
from players.leaderboards.board import Board
from players.leaderboards.boards import CORPSES_ON, HARDEST_FIRST, LISTED_BY, BoardKey, Game
from players.leaderboards.filters import BoardFilter
from players.models import ALL_STYLES
from players.people.player_refs import PLAYER_COLUMNS, PlayerRef, with_player_ref
from replays.models import Replay
from replays.models.reactions import with_reactions
from replays.models.stated_dates import as_stated, date_has_zone, stated_from

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


#: The columns of a row that :func:`game_of_row` takes.
GAME_COLUMNS: Final = (
    "id", "player_id", "level", "style", "time_ms", "achieved_at", "judgement", *(row.name for row in RANKED),
)  # fmt: skip
_GAME_WITHOUT_VALUES: Final = GAME_COLUMNS[: -len(RANKED)]
#: The columns of a ``Corpse``, with the judgement in the place of ``is_provisional``.
_CORPSE: Final = (
    "id", "level", "achieved_at", "time", "time_precision_ms", "completion", "estime", "stnb", "date_has_zone",
    "judgement",
)  # fmt: skip
#: Rows that are fetched from the database at once.
_CHUNK: Final = 2_000
#: (player, level, second) of one statement, for which the planner weighs each of them.
_SECONDS_A_STATEMENT: Final = 100


def game_of_row(row: Row) -> Game:
    replay_id, player_id, level, style, time_ms, achieved_at, judgement, *values = row
    provisional = judgement == Replay.Judgement.PROVISIONAL
    return Game(replay_id, player_id, level, style, time_ms, achieved_at, provisional, tuple(values))


def game_of(replay: Replay) -> Game:
    """``replay`` has a player."""
    return game_of_row(tuple(getattr(replay, column) for column in GAME_COLUMNS))


def of_players(player_ids: Collection[int], levels: Collection[str] | None = None) -> Iterator[Game]:
    """The ranked games of these players (on ``levels``, if given), in no order, read in chunks."""
    rows = Replay.objects.filter(ranked=True, player_id__in=player_ids)
    if levels is not None:
        rows = rows.filter(level__in=levels)
    return map(game_of_row, rows.values_list(*GAME_COLUMNS).iterator(chunk_size=_CHUNK))


def holding_bests(
    player_id: int, level: str, boards: Iterable[tuple[str, str]], excluded_ids: Collection[int]
) -> Iterator[Game]:
    """Return the player's best ranked game on ``level`` for each (statistic, style) of ``boards``, perhaps among others.

    Games of ``excluded_ids`` do not count.  One statement finds the best values, a second one reads the replays that have
    them.  So only these few replays are fetched, however many games the player has.
    """
    games = Replay.objects.filter(ranked=True, player_id=player_id, level=level).exclude(id__in=excluded_ids)
    numbered = dict(enumerate(boards))
    values = games.aggregate(**{f"best_{number}": _best_value(*board) for number, board in numbered.items()})
    holders = [
        Q(**{statistic: value}) & _of_style(style)
        for number, (statistic, style) in numbered.items()
        if (value := values[f"best_{number}"]) is not None
    ]
    if not holders:
        return iter(())
    rows = games.filter(reduce(operator.or_, holders)).values_list(*GAME_COLUMNS)
    return map(game_of_row, rows.iterator(chunk_size=_CHUNK))


def in_seconds(seconds: Sequence[tuple[int, str, int]], excluded_ids: Collection[int]) -> Iterator[Game]:
    """The ranked games of each (player id, level, second counted from 1), without their ``values``."""
    games = Replay.objects.filter(ranked=True).exclude(id__in=excluded_ids)
    for chunk in chunked(seconds, _SECONDS_A_STATEMENT):
        conditions = [
            Q(
                player_id=player_id,
                level=level,
                time_ms__gte=sub_limit_ms(second),
                time_ms__lt=sub_limit_ms(second + 1),
            )
            for player_id, level, second in chunk
        ]
        rows = games.filter(reduce(operator.or_, conditions))
        yield from map(game_of_row, rows.values_list(*_GAME_WITHOUT_VALUES))


def best_by_3bv(player_id: int, key: BoardKey) -> list[BvBest]:
    """Return the best value of the board's statistic for each 3BV that the player has won, lowest 3BV first.

    One statement, which reads the player's ranked games of the level by the index ``replay_ranked``.
    """
    games = _of_board(key).filter(player=player_id, bv__isnull=False)
    numbered = games.annotate(
        row_number=Window(RowNumber(), partition_by="bv", order_by=_best_first(key.row)),
        games=Window(Count("id"), partition_by="bv"),
    )
    rows = numbered.filter(row_number=1).order_by("bv")
    columns = ("bv", key.statistic, "id", "achieved_at", "time_precision_ms", "games")
    return [BvBest(*row) for row in rows.values_list(*columns)]


def newest(limit: int, player_id: int | None = None, before: int | None = None) -> list[GameLine]:
    """The analysed games (of one player, if given) that were uploaded last, newest first.

    ``before``: those uploaded before the replay of this number.

    Games that wait for the owner of their name, or that the owner disowned, are left out.
    """
    done = Replay.objects.filter(status=Replay.Status.DONE).exclude(ownership__in=Replay.NOT_OWNED).order_by("-id")
    if player_id is not None:
        done = done.filter(player=player_id)
    if before is not None:
        done = done.filter(pk__lt=before)
    rows = with_reactions(done).values_list(*GameLine._fields[:-1], *PLAYER_COLUMNS)[:limit]
    return [GameLine._make(with_player_ref(row)) for row in rows]


def best_corpses(player_id: int, style: str) -> dict[tuple[str, str], Corpse]:
    """Return the player's best lost games by level and statistic, the hardest level first.

    One statement: a subquery for each board, which reads the first entry of one of the indexes ``replay_corpses``.
    """
    games = Replay.objects.filter(_of_style(style), corpse=True, player=player_id)
    boards = [(level, row) for level in HARDEST_FIRST for row in CORPSES_ON[level]]
    firsts = [
        games.filter(level=level, **{f"{row.name}__isnull": False}).order_by(*_best_first(row)).values("pk")[:1]
        for level, row in boards
    ]
    best = Replay.objects.filter(reduce(operator.or_, (Q(pk=Subquery(first)) for first in firsts)))
    best = best.annotate(date_has_zone=date_has_zone())
    rows = best.order_by("achieved_at", "id").values_list(*_CORPSE)
    corpses = [Corpse._make((*row[:-1], row[-1] == Replay.Judgement.PROVISIONAL)) for row in rows]
    found = {}
    for level, row in boards:
        ones = [one for one in corpses if one.level == level and getattr(one, row.name) is not None]
        if ones:
            found[level, row.name] = min(ones, key=lambda one: row.rank_key(getattr(one, row.name)))
    return found


def marks_of(replay_ids: Collection[int]) -> dict[int, GameMarks]:
    columns = ("pk", "time_precision_ms", "judgement", "bv", "bvs", "style", "completion", date_has_zone())
    rows = Replay.objects.filter(pk__in=replay_ids).values_list(*columns)
    return {
        pk: GameMarks(precision_ms, judgement == Replay.Judgement.PROVISIONAL, *others)
        for pk, precision_ms, judgement, *others in rows
    }


# --- filtered boards --------------------------------------------------------------------------------------------------


def best_values(board: Board, players: Players) -> Iterator[GameValue]:
    """The best games of each player, ``best_of`` of them at most, in no order; lost ones on boards of lost games."""
    key = board.key
    row_number = Window(RowNumber(), partition_by="player_id", order_by=_best_first(key.row))
    games = _of(players, _within(board.filters, _of_board(key, lost=board.filters.lost)))
    games = games.annotate(row_number=row_number)
    return _game_values(key, games.filter(row_number__lte=board.filters.best_of))


def sub_counts(board: Board, n: int, players: Players) -> Iterator[SubCount]:
    games = _of(players, _within(board.filters, _below(board.level, n, board.style)))
    counts = games.order_by().values("player_id").annotate(games=Count("id"), first=Min("achieved_at"))
    rows = counts.values_list("player_id", "games", "first")
    return map(SubCount._make, rows.iterator(chunk_size=_CHUNK))


def first_sub_games(board: Board, n: int, player_ids: Collection[int]) -> dict[int, FirstGame]:
    """Return the first sub-``n`` game of each of these players by date; of equal dates the lower id."""
    games = _of(player_ids, _within(board.filters, _below(board.level, n, board.style)))
    row_number = Window(RowNumber(), partition_by="player_id", order_by=("achieved_at", "id"))
    firsts = games.annotate(row_number=row_number).filter(row_number=1)
    return {pk: FirstGame(*first) for pk, *first in firsts.values_list("player_id", "id", date_has_zone())}


def personal_steps(board: Board, players: Players) -> Iterator[GameValue]:
    """Every game that was better than all earlier ones of its player, in no order."""
    key = board.key
    games = _of(players, _within(board.filters, _of_board(key)))
    return _game_values(key, _steps(games, key.row, partition_by="player_id"))


def record_steps(key: BoardKey, players: Players) -> Iterator[GameValue]:
    """The games of these players, or of all, that beat all earlier ones.

    Provisional games are left out, as if they were not there.
    """
    return _game_values(key, _steps(_of(players, _without_provisional(_of_board(key))), key.row))


# --- histories --------------------------------------------------------------------------------------------------------


def progress_of_player(player_id: int, key: BoardKey) -> list[ProgressRow]:
    """Every game that was better than all earlier ones of the player on the board, by ``boards.LISTED_BY``."""
    return _progress(key, _steps(_of_board(key).filter(player=player_id), key.row))


def by_ids(key: BoardKey, replay_ids: Collection[int]) -> list[ProgressRow]:
    """Those of these games that are ranked on the board and not provisional, by ``boards.LISTED_BY``."""
    return _progress(key, _without_provisional(_of_board(key)).filter(pk__in=replay_ids))


# --- querysets --------------------------------------------------------------------------------------------------------


def _of_level(level: str, style: str, *, lost: bool = False) -> QuerySet[Replay]:
    counts = Q(corpse=True) if lost else Q(ranked=True)
    return Replay.objects.filter(_of_style(style), counts, level=level)


def _of_board(key: BoardKey, *, lost: bool = False) -> QuerySet[Replay]:
    return _of_level(key.level, key.style, lost=lost).filter(**{f"{key.statistic}__isnull": False})


def _without_provisional(games: QuerySet[Replay]) -> QuerySet[Replay]:
    return games.exclude(judgement=Replay.Judgement.PROVISIONAL)


def _below(level: str, n: int, style: str) -> QuerySet[Replay]:
    return _of_level(level, style).filter(time_ms__lt=sub_limit_ms(n))


def _within(board_filter: BoardFilter, games: QuerySet[Replay]) -> QuerySet[Replay]:
    if board_filter.since is not None:
        games = games.filter(stated_from(board_filter.since))
    conditions: dict[str, object] = {
        "achieved_at__gte": board_filter.since,
        "achieved_at__lt": board_filter.until,
        "bv__gte": board_filter.min_bv,
        "player__country": board_filter.country,
    }
    return games.filter(**{name: value for name, value in conditions.items() if value})


def _of(players: Players, games: QuerySet[Replay]) -> QuerySet[Replay]:
    return games if players is None else games.filter(player_id__in=players)


def _of_style(style: str) -> Q:
    return Q() if style == ALL_STYLES else Q(style=style)


# --- order and steps --------------------------------------------------------------------------------------------------


def _best_value(statistic: str, style: str) -> Aggregate:
    function = Max if BY_NAME[statistic].better is Better.HIGH else Min
    return function(statistic, filter=_of_style(style))


def _best_first(row: Statistic) -> tuple[OrderBy | str, ...]:
    """``order_by`` arguments: games by their value of ``row``, best first, then by date, then by id."""
    value = F(row.name).desc() if row.better is Better.HIGH else F(row.name).asc()
    return value, "achieved_at", "id"


def _better_than(row: Statistic, value: F) -> Q:
    return Q(**{f"{row.name}__{'gt' if row.better is Better.HIGH else 'lt'}": value})


def _steps(games: QuerySet[Replay], row: Statistic, partition_by: str | None = None) -> QuerySet[Replay]:
    """Those of ``games`` that are better than all earlier ones, in no order.

    ``partition_by``: a column; a game is compared only with those that have the same value there.  Of games with the same
    date that of the lower player is the earlier, as on boards, then the lower id.  The database sorts, and only the steps
    are fetched.
    """
    best = Max if row.better is Better.HIGH else Min
    before = Window(
        best(row.name), partition_by=partition_by, order_by=(*LISTED_BY, "id"), frame=RowRange(start=None, end=-1)
    )
    steps = games.annotate(best_before=before)
    return steps.filter(Q(best_before__isnull=True) | _better_than(row, F("best_before")))


def _game_values(key: BoardKey, games: QuerySet[Replay]) -> Iterator[GameValue]:
    rows = games.values_list("player_id", key.statistic, "achieved_at", "id")
    return map(GameValue._make, rows.iterator(chunk_size=_CHUNK))


def _progress(key: BoardKey, games: QuerySet[Replay]) -> list[ProgressRow]:
    columns = ("achieved_at", "id", key.statistic, "time_precision_ms", date_has_zone())
    rows = games.order_by(*LISTED_BY, "id").values_list(*columns)
    return [ProgressRow(*row) for row in rows]
