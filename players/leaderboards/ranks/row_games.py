"""The games behind a row of a board, as a list of replays: its first page, and the filters that make it exact."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.urls import reverse

from analysis.statistics import BY_NAME, Better
from players.leaderboards.boards import COMBINED, COMBINED_LEVELS, BoardKey
from players.leaderboards.filters import BoardFilter
from players.models import ALL_STYLES


@dataclass(frozen=True, slots=True)
class RowGames:
    """Addresses of the lists of the games of the rows of one board; ``query``: the filters of all of its rows."""

    api: str
    page: str
    query: str

    def url(self, player_id: int) -> str:
        return f"{self.api}?player={player_id}&{self.query}"

    def html_url(self, player_id: int) -> str:
        return f"{self.page}?player={player_id}&{self.query}"


def row_games(key: BoardKey, board_filter: BoardFilter) -> RowGames:
    """Every game with which a player takes part in the board, best first on boards of one level.

    A country filters players and no games.
    """
    return RowGames(reverse("api-replays"), reverse("replays"), urlencode(_query(key, board_filter), safe=",:"))


def _query(key: BoardKey, board_filter: BoardFilter) -> dict[str, str]:
    query = {"level": ",".join(COMBINED_LEVELS) if key.level == COMBINED else key.level}
    query |= {} if key.style == ALL_STYLES else {"style": key.style}
    query |= {"corpse" if board_filter.lost else "ranked": "true"}
    query |= _of_statistic(key)
    query |= {"bv__gte": str(board_filter.min_bv)} if board_filter.min_bv else {}
    query |= {"achieved__gte": _text(board_filter.since)} if board_filter.since else {}
    return query | ({"achieved__lt": _text(board_filter.until)} if board_filter.until else {})


def _of_statistic(key: BoardKey) -> dict[str, str]:
    row = BY_NAME.get(key.statistic)
    if row is None:  # a sub-N board
        return {"sub": key.statistic.removeprefix("sub")}
    if key.level == COMBINED:
        return {"defined": row.public}
    return {"sort": f"-{row.public}" if row.better is Better.HIGH else row.public}


def _text(when: datetime) -> str:
    return when.isoformat().replace("+00:00", "Z")
