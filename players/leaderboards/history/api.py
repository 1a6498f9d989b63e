from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.leaderboards.boards import LEVEL_PART, STATISTIC_PART, STYLE
from players.leaderboards.history.selectors import (
    board_progression,
    history_key,
    history_page,
    rank_history,
)
from players.leaderboards.history.serializers import HistoryPageSerializer, RankHistorySerializer, history_values
from players.people.selectors import player_of_id
from players.web.api import PublicView, Values
from players.web.parameters import CURSOR, SIZE

_HISTORY = {200: HistoryPageSerializer}


class BoardHistoryView(PublicView):
    """The history of a board."""

    query = {"GET": (STYLE, CURSOR, SIZE)}

    @extend_schema(operation_id="leaderboard_history", parameters=[LEVEL_PART, STATISTIC_PART], responses=_HISTORY)
    def get(self, request: Request, level: str, statistic: str) -> Response:
        """List the results that led a board, newest first.

        Each ranked result that beat every result achieved before it.
        """
        values = self.params
        key = history_key(level, statistic, values["style"])
        page = history_page(board_progression(key), cursor=values["cursor"], size=values["size"])
        return Response(HistoryPageSerializer(history_values(key, page)).data)


class PlayerRanksView(PublicView):
    """The ranks of a player over time."""

    query = {"GET": (STYLE,)}

    @extend_schema(
        operation_id="players_ranks", parameters=[LEVEL_PART, STATISTIC_PART], responses={200: RankHistorySerializer}
    )
    def get(self, request: Request, pk: int, level: str, statistic: str) -> Response:
        """Return the rank of a player on a board over time.

        At about a hundred times from their first game there until now.
        """
        player = player_of_id(pk)
        key = history_key(level, statistic, self.params["style"])
        rows = [{"before": when, "rank": rank} for when, rank in rank_history(player, key)]
        values: Values = {
            "player": player, "level": key.level, "statistic": key.statistic, "style": key.style, "rows": rows,
        }  # fmt: skip
        return Response(RankHistorySerializer(values).data)
