from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.leaderboards.boards import LEVEL_PART, STATISTIC_PART, STYLE, BoardKey
from players.leaderboards.history.selectors import (
    Step,
    board_progression,
    history_key,
    history_page,
    rank_history,
)
from players.leaderboards.history.serializers import HistoryPageSerializer, RankHistorySerializer, history_values
from players.models import ALL_STYLES
from players.people.selectors import player_of_id
from players.web.api import PublicView, Values, read_query
from players.web.parameters import CURSOR, SIZE, Parsed, query_of

StyleQuery = query_of(STYLE)


HistoryQuery = query_of(STYLE, CURSOR, SIZE)


_HISTORY = {200: HistoryPageSerializer}


class BoardHistoryView(PublicView):
    """The history of a board."""

    @extend_schema(
        operation_id="leaderboard_history", parameters=[LEVEL_PART, STATISTIC_PART, HistoryQuery], responses=_HISTORY
    )
    def get(self, request: Request, level: str, statistic: str) -> Response:
        """List the results that led a board, newest first.

        Each ranked result that beat every result achieved before it.
        """
        history_key(level, statistic, ALL_STYLES)
        values = read_query(HistoryQuery, request)
        key = history_key(level, statistic, values["style"])
        return _history(key, board_progression(key), values)


class PlayerRanksView(PublicView):
    """The ranks of a player over time."""

    @extend_schema(
        operation_id="players_ranks",
        parameters=[LEVEL_PART, STATISTIC_PART, StyleQuery],
        responses={200: RankHistorySerializer},
    )
    def get(self, request: Request, pk: int, level: str, statistic: str) -> Response:
        """Return the rank of a player on a board over time.

        At about a hundred times from their first game there until now.
        """
        history_key(level, statistic, ALL_STYLES)
        player = player_of_id(pk)
        key = history_key(level, statistic, read_query(StyleQuery, request)["style"])
        rows = [{"before": when, "rank": rank} for when, rank in rank_history(player, key)]
        values: Values = {
            "player": player, "level": key.level, "statistic": key.statistic, "style": key.style, "rows": rows,
        }  # fmt: skip
        return Response(RankHistorySerializer(values).data)


def _history(key: BoardKey, steps: list[Step], values: Parsed) -> Response:
    page = history_page(steps, cursor=values["cursor"], size=values["size"])
    return Response(HistoryPageSerializer(history_values(key, page)).data)
