"""Reading the rows of filtered boards, of all players or of some."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from operator import itemgetter
from typing import Final, TypeAlias, TypeVar

import numpy as np
from django.db.models import Min, QuerySet, Sum

from analysis.statistics import BY_NAME, Statistic
from analysis.time_convention import last_second_of_sub
from players.db.select import select
from players.leaderboards import ranked_games
from players.leaderboards.board import Board
from players.leaderboards.filtered.sorted_board import Rows, microseconds, rows_of
from players.leaderboards.ranked_games import FirstGame, GameValue, Players
from players.models import PersonalBest, Player, SecondCount
from replays.models import Replay

#: Rank key, microseconds, player, replay.
LiveRow: TypeAlias = tuple[float, int, int, int]

M = TypeVar("M", PersonalBest, SecondCount)

#: Rows that are fetched from the database at once.
_CHUNK: Final = 10_000


def board_rows(board: Board, players: Players = None) -> Rows:
    """The rows of ``board``, one for each player, in no order."""
    if board.n is not None:
        return rows_of(1, _counts(board, board.n, players))
    if board.filters.best_of > 1:
        return rows_of(1, list(_averages(board, players)))
    return rows_of(1, list(_keyed(BY_NAME[board.statistic], _bests(board, players))))


def step_rows(board: Board, players: Players = None) -> Rows:
    """The steps of ``board``: each result better than all earlier ones of its player, in no order."""
    bests = ranked_games.personal_steps(board, players)
    return rows_of(1, list(_keyed(BY_NAME[board.statistic], bests)))


def record_rows(board: Board, players: Players = None) -> Rows:
    """The records of ``board``, which has no filter, if only ``players`` had played, in no order."""
    return rows_of(1, list(_keyed(BY_NAME[board.statistic], ranked_games.record_steps(board.key, players))))


def _keyed(row: Statistic, games: Iterable[GameValue]) -> Iterator[LiveRow]:
    """``games`` as tuples of rank key, microseconds, player, replay."""
    for player_id, value, achieved_at, replay_id in games:
        yield row.rank_key(value), microseconds(achieved_at), player_id, replay_id


# --- best values ------------------------------------------------------------------------------------------------------


def _bests(board: Board, players: Players) -> Iterator[GameValue]:
    if board.filters.needs_games:
        return ranked_games.best_values(board, players)
    bests = PersonalBest.objects.filter(statistic=board.statistic, level=board.level, style=board.style)
    rows = _of(players, _in_country(board, bests)).values_list("player_id", "value", "achieved_at", "replay_id")
    return map(GameValue._make, rows.iterator(chunk_size=_CHUNK))


def _averages(board: Board, players: Players) -> Iterator[LiveRow]:
    """Averages of the k best games, of players who have k, with the latest date of them and the best replay."""
    count = board.filters.best_of
    games = ranked_games.best_values(board, players)
    found = list(_keyed(BY_NAME[board.statistic], games))
    found.sort(key=itemgetter(2, 0, 1, 3))  # by player, then best first
    start = 0
    while start < len(found):
        player = found[start][2]
        best = found[start : start + count]
        if len(best) == count and best[-1][2] == player:
            average = round(float(np.mean([game[0] for game in best])), 9)
            yield average, max(game[1] for game in best), player, best[0][3]
            start += count
            continue
        start += sum(game[2] == player for game in best)


# --- counts below N ---------------------------------------------------------------------------------------------------


def _counts(board: Board, n: int, players: Players) -> list[LiveRow]:
    if _needs_games(board):
        counts = ranked_games.sub_counts(board, n, players)
        return [(-games, microseconds(first_at), player_id, 0) for player_id, games, first_at in counts]
    seconds = SecondCount.objects.filter(level=board.level, style=board.style, second__lte=last_second_of_sub(n))
    by_player = _of(players, _in_country(board, seconds)).order_by().values("player_id")
    rows = by_player.annotate(total=Sum("games"), first=Min("first_at")).values_list("total", "first", "player_id")
    return [(-games, microseconds(first), player_id, 0) for games, first, player_id in rows.iterator(chunk_size=_CHUNK)]


def first_sub_games(board: Board, n: int, player_ids: Collection[int]) -> dict[int, FirstGame]:
    """Return the first sub-N game of each of these players by date; of equal dates the lower id."""
    if not player_ids:
        return {}
    if _needs_games(board):
        return ranked_games.first_sub_games(board, n, player_ids)
    rows = select(_FIRST_SUB_GAMES, [board.level, board.style, last_second_of_sub(n), list(player_ids)])
    return {player_id: FirstGame(replay_id, bool(has_zone)) for player_id, replay_id, has_zone in rows}


def _needs_games(board: Board) -> bool:
    return bool(board.filters.since or board.filters.until or board.filters.min_bv)


_GAMES: Final = Replay._meta.db_table
#: A subquery for each player: joining all their second counts would read a hundred rows for a good player.
_FIRST_SUB_GAMES: Final = f"""
    SELECT found.id, game.id, game.played_at_has_zone OR game.achieved_at <> game.played_at FROM (SELECT player.id, (
        SELECT counted.first_replay_id FROM {SecondCount._meta.db_table} AS counted
        WHERE counted.player_id = player.id AND counted.level = %s AND counted.style = %s AND counted.second <= %s
        ORDER BY counted.first_at, counted.first_replay_id LIMIT 1
    ) AS replay_id FROM {Player._meta.db_table} AS player WHERE player.id = ANY(%s)) AS found
    JOIN {_GAMES} AS game ON game.id = found.replay_id
"""  # noqa: S608 - our own names


def _of(players: Players, rows: QuerySet[M]) -> QuerySet[M]:
    return rows if players is None else rows.filter(player_id__in=players)


def _in_country(board: Board, rows: QuerySet[M]) -> QuerySet[M]:
    country = board.filters.country
    return rows.filter(player__country=country) if country else rows
