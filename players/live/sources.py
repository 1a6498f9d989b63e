"""The statements that make the rows of live boards, of everybody or of a few players."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeAlias

import numpy as np
from django.db.models import Count, Min, QuerySet, Sum, Window
from django.db.models.functions import RowNumber

from analysis.statistics import BY_NAME, Statistic
from players.boards import BoardKey
from players.games import best_first, ranked_games, steps_of
from players.live.definitions import LevelBoard, SubBoard
from players.live.standing import Rows, rows_of
from players.live.walk import record_candidates
from players.models import PersonalBest, Player, SecondCount
from players.questions import Later, asked_of
from players.time_convention import last_second_of_sub, sub_limit_ms

#: None: of everybody.
Players: TypeAlias = Collection[int] | None
Row: TypeAlias = tuple[Any, ...]

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
#: Rows that the database hands over at once.
_CHUNK: Final = 10_000


def microseconds(moment: datetime) -> int:
    """Microseconds from 1970 to ``moment``."""
    return (moment - _EPOCH) // _MICROSECOND


def moment_of(microseconds_: int) -> datetime:
    """The moment (UTC) so many microseconds after 1970."""
    return _EPOCH + timedelta(microseconds=microseconds_)


def standing_rows(board: LevelBoard | SubBoard, players: Players = None) -> Rows:
    """The rows of ``board``, one a player, in no order."""
    if isinstance(board, SubBoard):
        return rows_of(1, _counts(board, players))
    if board.frame.best_of > 1:
        return rows_of(1, list(_means(board, players)))
    return rows_of(1, list(_bests(board, players)))


def step_rows(board: LevelBoard, players: Players = None) -> Rows:
    """Every result on ``board`` that beat all earlier ones of its player, in no order."""
    row = BY_NAME[board.statistic]
    steps = steps_of(_of(players, _games(board)), row, partition_by="player_id")
    return rows_of(1, list(_keyed(row, steps.values_list("player_id", row.name, "achieved_at", "id"))))


def record_rows(board: LevelBoard, players: Players = None) -> Rows:
    """Results on ``board``, which takes all games, among which are all that beat every earlier one, in no order.

    Of a few ``players``: all that beat every earlier one of their own.
    """
    if players is not None:
        return step_rows(board, players)
    row = BY_NAME[board.statistic]
    found = record_candidates(BoardKey(board.level, board.statistic, board.style))
    return rows_of(
        1, [(row.rank_key(one.value), microseconds(one.achieved_at), one.player_id, one.replay_id) for one in found]
    )


# --- best values ------------------------------------------------------------------------------------------------------


def _bests(board: LevelBoard, players: Players) -> Iterable[Row]:
    row = BY_NAME[board.statistic]
    if not board.frame.games_matter:
        bests = PersonalBest.objects.filter(statistic=board.statistic, level=board.level, style=board.style)
        columns = ("player_id", "value", "achieved_at", "replay_id")
        return _keyed(row, _of(players, _in_country(board, bests)).values_list(*columns))
    return _keyed(row, _best_games(board, players).values_list("player_id", row.name, "achieved_at", "id"))


def _means(board: LevelBoard, players: Players) -> Iterable[Row]:
    """Means of the k best games, of players who have k: achieved with the last of them, shown by the best."""
    row, count = BY_NAME[board.statistic], board.frame.best_of
    found = list(_keyed(row, _best_games(board, players).values_list("player_id", row.name, "achieved_at", "id")))
    found.sort(key=lambda game: (game[2], game[0], game[1], game[3]))  # by player, then as they are ranked
    start = 0
    while start < len(found):
        player = found[start][2]
        best = found[start : start + count]
        if len(best) == count and best[-1][2] == player:
            mean = round(float(np.mean([game[0] for game in best])), 9)
            yield mean, max(game[1] for game in best), player, best[0][3]
            start += count
            continue
        start += sum(game[2] == player for game in best)


def _best_games(board: LevelBoard, players: Players) -> QuerySet[Any, Any]:
    """The best games of each player, as many as the frame takes."""
    row = BY_NAME[board.statistic]
    place = Window(RowNumber(), partition_by="player_id", order_by=best_first(row))
    games: QuerySet[Any, Any] = _of(players, _games(board)).annotate(place=place)
    return games.filter(place__lte=board.frame.best_of)


def _keyed(row: Statistic, tuples: Any) -> Iterable[Row]:
    """(player, value, achieved, replay) as rows of arrays."""
    rank_key: Callable[[float], float] = row.rank_key
    for player_id, value, achieved_at, replay_id in tuples.iterator(chunk_size=_CHUNK):
        yield rank_key(value), microseconds(achieved_at), player_id, replay_id


# --- counts below N ---------------------------------------------------------------------------------------------------


def _counts(board: SubBoard, players: Players) -> list[Row]:
    if board.frame.since or board.frame.until or board.frame.min_bv:
        games = _games(board).filter(time_ms__lt=sub_limit_ms(board.n))
        counted = _of(players, games).order_by().values("player_id")
        rows = counted.annotate(games=Count("id"), first=Min("achieved_at"))
    else:
        seconds = SecondCount.objects.filter(
            level=board.level, style=board.style, second__lte=last_second_of_sub(board.n)
        )
        counted = _of(players, _in_country(board, seconds)).order_by().values("player_id")
        rows = counted.annotate(games=Sum("games"), first=Min("first_at"))
    found = rows.values_list("games", "first", "player_id").iterator(chunk_size=_CHUNK)
    return [(-games, microseconds(first), player_id, 0) for games, first, player_id in found]


# --- which games ------------------------------------------------------------------------------------------------------


def _games(board: LevelBoard | SubBoard) -> QuerySet[Any, Any]:
    """The ranked games that the frame takes."""
    frame = board.frame
    statistic = None if isinstance(board, SubBoard) else board.statistic
    conditions: dict[str, Any] = {
        "achieved_at__gte": frame.since,
        "achieved_at__lt": frame.until,
        "bv__gte": frame.min_bv,
    }
    games = ranked_games(board.level, board.style, statistic)
    return _in_country(board, games.filter(**{name: value for name, value in conditions.items() if value}))


def _of(players: Players, rows: QuerySet[Any, Any]) -> QuerySet[Any, Any]:
    return rows if players is None else rows.filter(player_id__in=players)


def _in_country(board: LevelBoard | SubBoard, rows: QuerySet[Any, Any]) -> QuerySet[Any, Any]:
    """Those of ``rows`` whose players come from where the frame asks for; all, if it asks for no country."""
    return rows.filter(player__country=board.frame.country) if board.frame.country else rows


def ask_first_sub_games(board: SubBoard, players: Collection[int]) -> Later[dict[int, int]]:
    """The replay with which each of ``players`` first went below N, of equal moments the one with the lower number."""
    if not players:
        return dict
    if board.frame.since or board.frame.until or board.frame.min_bv:
        games = _of(players, _games(board).filter(time_ms__lt=sub_limit_ms(board.n)))
        place = Window(RowNumber(), partition_by="player_id", order_by=("achieved_at", "id"))
        found = games.annotate(place=place).filter(place=1).values_list("player_id", "id")
        return lambda: dict(found)
    rows = asked_of(_FIRST_GAMES, list(players), board.level, board.style, last_second_of_sub(board.n))
    return lambda: {player: replay for player, replay in rows() if replay is not None}


#: One row a player, found by the database: a good player has a hundred seconds below 200.
_FIRST_GAMES: Final = f"""
    SELECT player.id, (
        SELECT counted.first_replay_id FROM {SecondCount._meta.db_table} AS counted
        WHERE counted.player_id = player.id AND counted.level = %s AND counted.style = %s AND counted.second <= %s
        ORDER BY counted.first_at, counted.first_replay_id LIMIT 1
    ) FROM {Player._meta.db_table} AS player WHERE player.id IN ({{ids}})
"""  # noqa: S608 - our own names
