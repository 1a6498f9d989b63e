"""The games behind a row of a board, as a list of replays: its first page, and the filters that make it exact."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.urls import reverse

from analysis.statistics import Better
from players.leaderboards.board import Board
from players.leaderboards.boards import COMBINED_LEVELS
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


def row_games(board: Board) -> RowGames:
    """Every game with which a player takes part in the board, best first on boards of one level.

    A country filters players and no games.
    """
    return RowGames(reverse("api-replays"), reverse("replays"), urlencode(_query(board), safe=",:"))


def _query(board: Board) -> dict[str, str]:
    filters = board.filters
    query = {"level": ",".join(COMBINED_LEVELS) if board.is_sum else board.level}
    query |= {} if board.style == ALL_STYLES else {"style": board.style}
    query |= {"corpse" if filters.lost else "ranked": "true"}
    query |= _of_statistic(board)
    query |= {"bv__gte": str(filters.min_bv)} if filters.min_bv else {}
    query |= {"achieved__gte": _text(filters.since)} if filters.since else {}
    return query | ({"achieved__lt": _text(filters.until)} if filters.until else {})


def _of_statistic(board: Board) -> dict[str, str]:
    row = board.row
    if row is None:
        return {"sub": str(board.n)}
    if board.is_sum:
        return {"defined": row.public}
    return {"sort": f"-{row.public}" if row.better is Better.HIGH else row.public}


def _text(when: datetime) -> str:
    return when.isoformat().replace("+00:00", "Z")
